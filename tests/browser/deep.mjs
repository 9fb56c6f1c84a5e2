// deep.mjs FILE: writes a recording of the demo program with call chains of 40 functions that call each
// other again and again, at times from 5 s to 1395 s.
import {writeFileSync} from 'node:fs';

const BASE = 0x400000n;
const BUILD_ID = '5e97f97092ddfa94e1be1cf5f104844dc4498fc0';
const CALLERS = [0x1220n, 0x1190n, 0x10a0n, 0x1100n]; /* demo_main, work, count_words, make_text */
const LEAVES = [0x1010n, 0x1040n, 0x1290n]; /* hash_word, count_word, compare */
const DEPTH = 40;
const SAMPLES = 140;
const SAMPLE_TYPE = 1n << 16n | 1n << 8n | 1n << 5n | 7n; /* identifier, period, call chain, ip, tid, time */
const USER = 0xfffffffffffffe00n; /* PERF_CONTEXT_USER */
const HEAD = 104;
const ATTR = 144;

/** Numbers of so many bits each, little endian: pairs of both. */
function numbers(...pairs) {
	const bytes = [];
	for (const [bits, number] of pairs)
		for (let shift = 0n; shift < BigInt(bits); shift += 8n)
			bytes.push(Number(BigInt(number) >> shift & 255n));
	return Buffer.from(bytes);
}

const longs = (...all) => numbers(...all.map((number) => [64, number]));

/** Text with zeros up to the next eighth byte. */
const padded = (text) => Buffer.from(text + '\0'.repeat(8 - text.length % 8));

function record(type, misc, ...parts) {
	const body = Buffer.concat(parts);
	return Buffer.concat([numbers([32, type], [16, misc], [16, 8 + body.length]), body]);
}

/** Sample number i: every third one is in another leaf, each fourth one ten callers below the root. */
function sample(i) {
	const depth = i % 4 ? DEPTH : 10;
	const chain = [USER, BASE + LEAVES[i % LEAVES.length]];
	for (let level = depth - 2; level >= 0; level--)
		chain.push(BASE + CALLERS[level % CALLERS.length]);
	const time = 5_000_000_000n + 10_000_000_000n * BigInt(i);
	return record(9, 2, longs(1, chain[1]), numbers([32, 77], [32, 77]), longs(time, 1_000_000, chain.length, ...chain));
}

function records() {
	const mapping = numbers([32, 77], [32, 77], [64, BASE + 0x1000n], [64, 0x1000], [64, 0x1000], [32, 20]);
	const all = [record(3, 0, numbers([32, 77], [32, 77]), padded('deep'), longs(77n << 32n | 77n, 1, 1)),
		record(10, 2 | 1 << 14, mapping, Buffer.from(BUILD_ID, 'hex'), numbers([32, 5], [32, 2]), padded('/opt/demo/demo'),
			longs(77n << 32n | 77n, 1, 1))];
	for (let i = 0; i < SAMPLES; i++)
		all.push(sample(i));
	return Buffer.concat(all);
}

const flags = 1n << 5n | 1n << 6n | 1n << 18n; /* neither kernel nor hypervisor; records have ids of samples */
const attr = Buffer.alloc(ATTR);
Buffer.concat([numbers([32, 1], [32, 128]), longs(0, 1_000_000, SAMPLE_TYPE, 0, flags)]).copy(attr);
const data = records();
const id = longs(1);
longs(HEAD, id.length).copy(attr, 128);
const head = Buffer.alloc(HEAD);
Buffer.from('PERFILE2').copy(head);
longs(HEAD, ATTR, HEAD + id.length, ATTR, HEAD + id.length + ATTR, data.length).copy(head, 8);
writeFileSync(process.argv[2], Buffer.concat([head, id, attr, data]));
