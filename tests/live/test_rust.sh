#!/bin/sh
# A Rust program, with both ways of mangling: functions, lines and inlined functions.
. "$(dirname "$0")/live.sh"
need_perf
command -v rustc >/dev/null || skip "rustc is not installed"

# Where rustup has put the compiler, the user's own home says; the tests' is an empty one.
compile_rust() {
	HOME=$(getent passwd "$(id -u)" | cut -d : -f 6) rustc -O -g "$@" -o work work.rs >rustc.log 2>&1
}

cat >work.rs <<'RS'
use std::collections::{BTreeMap, HashMap};

trait Op {
    fn run(&self, x: u64) -> u64;
}
struct Add(u64);
struct Mul(u64);
impl Op for Add {
    fn run(&self, x: u64) -> u64 {
        x.wrapping_add(self.0)
    }
}
impl Op for Mul {
    fn run(&self, x: u64) -> u64 {
        x.wrapping_mul(self.0) ^ x >> 7
    }
}

fn words(seed: u64) -> Vec<String> {
    let mut state = seed;
    (0..20000)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            format!("word{}", (state >> 33) % 3000)
        })
        .collect()
}

fn main() {
    let mut total = 0u64;
    for round in 0..60 {
        let list = words(round);
        let mut hashed: HashMap<&str, u64> = HashMap::new();
        let mut ordered = BTreeMap::new();
        for word in &list {
            *hashed.entry(word).or_insert(0) += 1;
            *ordered.entry(word.len()).or_insert(0u64) += 1;
        }
        let mut counts: Vec<_> = hashed.into_iter().collect();
        counts.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(b.0)));
        let ops: Vec<Box<dyn Op>> = (0..100)
            .map(|i| if i % 2 == 0 { Box::new(Add(i)) as Box<dyn Op> } else { Box::new(Mul(i)) })
            .collect();
        for word in &list {
            total = ops.iter().fold(total + word.len() as u64, |sum, op| op.run(sum));
        }
        total = total.wrapping_add(counts.len() as u64 + ordered.len() as u64);
    }
    println!("{}", total);
}
RS
for mangling in legacy v0; do
	echo "== $mangling"
	compile_rust -C symbol-mangling-version=$mangling || compile_rust ||
		skip "rustc does not work here: $(head -n 1 rustc.log)"
	record -e cpu-clock:u -F 2000 -- ./work
	compare_with_perf report script
	compare_lines_with_perf
	compare_inlined work
done
