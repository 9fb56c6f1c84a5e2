#!/bin/sh
# C++ full of templates, optimized, by two compilers and in two versions of DWARF: functions as perf
# has them, source lines as perf has them, inlined functions as llvm-symbolizer has them.
. "$(dirname "$0")/live.sh"
need_perf
command -v g++ >/dev/null || skip "g++ is not installed"

cat >work.cc <<'CC'
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace work {
template <class Key, class Value> struct both {
	std::unordered_map<Key, Value> hashed;
	std::map<Key, Value> ordered;
	void put(const Key &key, Value value) { hashed[key] += value; ordered[key] += value; }
};

static std::vector<std::string> words(unsigned seed)
{
	std::mt19937 random(seed);
	std::vector<std::string> list;

	for (int i = 0; i < 20000; i++)
		list.push_back("word" + std::to_string(random() % 5000));
	return list;
}
}

int main()
{
	double total = 0;

	for (unsigned round = 0; round < 12; round++) {
		std::vector<std::string> list = work::words(round);
		work::both<std::string, int> counts;
		std::vector<int> numbers(200000);

		for (const std::string &word : list)
			counts.put(word, 1);
		std::sort(list.begin(), list.end(), [](const std::string &a, const std::string &b) {
			return a.size() != b.size() ? a.size() < b.size() : a < b;
		});
		std::iota(numbers.begin(), numbers.end(), (int)round);
		std::shuffle(numbers.begin(), numbers.end(), std::mt19937(round));
		std::stable_sort(numbers.begin(), numbers.end(), std::greater<int>());
		total += std::accumulate(numbers.begin(), numbers.end(), 0.0) + counts.ordered.size();
	}
	return total == 0;
}
CC
tried=0
for compiler in 'g++ -gdwarf-5' 'g++ -gdwarf-4' 'clang++ -gdwarf-5'; do
	command -v "${compiler%% *}" >/dev/null || continue
	echo "== $compiler"
	$compiler -O2 -o work work.cc || continue # clang++ may find no library of its own
	record -e cpu-clock:u -F 2000 -- ./work
	compare_with_perf report script
	compare_lines_with_perf
	compare_inlined work
	tried=$((tried + 1))
done
[ $tried -gt 0 ] || skip "no C++ compiler works"
