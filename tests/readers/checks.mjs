// Checks that are counted: each says a line, finish() the last one and whether all passed.
let passed = 0;
let failed = 0;

export function check(name, problem) {
	if (problem) {
		failed++;
		console.log(`FAILED   ${name}: ${problem}`);
	} else {
		passed++;
		console.log(`ok       ${name}`);
	}
}

export function finish() {
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed || !passed ? 1 : 0;
}
