// What the recording says of itself, and what is missing in it.

/** A list of terms and what they are. Formats of tracepoints have tabs, which hide nothing here. */
function definitions(pairs) {
	const list = element('dl');
	for (const [term, text] of pairs)
		list.append(element('dt', '', shownName(term)), element('dd', '', shownName(text.replaceAll('\t', ' '))));
	return list;
}

/** Samples without names of an event by reason, the most frequent first: [reason, samples]. */
function unnamedReasons(functions) {
	const reasons = new Map();
	for (let row = 0; row < functions.count; row++) {
		const reason = functions.text('reason', row);
		if (reason)
			reasons.set(reason, (reasons.get(reason) ?? 0) + functions.samples.numbers[row]);
	}
	return [...reasons].filter(([, samples]) => samples > 0).sort((a, b) => b[1] - a[1]);
}

/** What to know of an event before its numbers are believed: [what, text]. */
function eventNotes(event, functions, strings) {
	const samples = Number(event.samples);
	const notes = [
		['samples', shownCount(event.samples)],
		['period', shownWeight(Number(event.period), 'period', event)],
		['lost', shownCount(event.lost)],
	];
	if (Number(event.cutPeriod) > 0)
		notes.push(['cut call chains', `${shownPercent(Number(event.cutPeriod), Number(event.period))} ` +
			`(${strings[event.cutReason]})`]);
	if (!event.chains)
		notes.push(['call chains', 'none: perf record -g records them']);
	if (Number(event.callerMissing) > 0)
		notes.push(['without their immediate caller',
			shownPercent(Number(event.callerMissing), Number(event.period))]);
	const reasons = unnamedReasons(functions);
	if (reasons.length) {
		const all = reasons.reduce((sum, [, part]) => sum + part, 0);
		notes.push(['without a name', `${shownPercent(all, samples)} (` +
			reasons.map(([reason, part]) => `${reason} ${shownPercent(part, samples)}`).join(', ') + ')']);
	}
	if (event.folded)
		notes.push(['folded into [rest]', `${shownCount(event.folded)} of ${shownCount(event.paths)} paths: ` +
			'--html-size has room for more']);
	if (!event.cells && samples)
		notes.push(['threads and times', 'not told apart: --html-size has room for them']);
	else if (event.slices < 2 || !event.cellThreads)
		notes.push(['threads and times', event.cellThreads ? 'only threads are told apart' : 'neither is told apart']);
	return notes;
}

/** Fills the view of the recording. */
function showAbout(box, page) {
	const {run, strings} = page;
	const facts = [];
	for (let i = 0; i < run.facts.length; i += 2)
		facts.push([strings[run.facts[i]], strings[run.facts[i + 1]]]);
	const times = new Map(facts);
	if (times.has('sample_time.first') && times.has('sample_time.last'))
		facts.push(['from the first sample to the last', shownTime(
			Number(BigInt(times.get('sample_time.last')) - BigInt(times.get('sample_time.first'))))]);
	const parts = [element('h2', '', 'Recording'), definitions(facts)];
	if (!run.events.length)
		parts.push(element('p', '', 'The recording has no events: nothing was counted.'));
	run.events.forEach((event, i) => {
		parts.push(element('h2', '', `Event ${shownName(strings[event.name])}`));
		const notes = page.loaded[i] ? eventNotes(event, page.loaded[i].functions, strings) : [];
		if (notes.length && event.cutAdvice && strings[event.cutAdvice])
			notes.push(['for whole call chains', strings[event.cutAdvice]]);
		parts.push(definitions(notes.length ? notes : [['samples', shownCount(event.samples)],
			['period', shownWeight(Number(event.period), 'period', event)], ['lost', shownCount(event.lost)]]));
	});
	parts.push(element('p', '', `Made by readperf ${strings[run.version]}` +
		(run.filtered ? '; filters have left samples out.' : '.')));
	box.replaceChildren(...parts);
}

/** The command that was recorded. */
function recordedCommand(run, strings) {
	for (let i = 0; i < run.facts.length; i += 2)
		if (strings[run.facts[i]] === 'cmdline')
			return strings[run.facts[i + 1]];
	return 'recording';
}
