#!/bin/sh
# tests/browser/browser.sh: prints the path of the first Chromium that is installed; 1 if there is none.
for name in chromium-headless-shell chromium chromium-browser google-chrome-stable google-chrome; do
	command -v "$name" && exit 0
done
exit 1
