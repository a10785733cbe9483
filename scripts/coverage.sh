#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Lines and branches of src/ that tests reach, by room. Builds everything once more, with counters, and
# runs the suites that are given, or all.
#
#   scripts/coverage.sh [SUITE ...]
#
# build/coverage/uncovered.txt then has every line that nobody reached.

set -eu
cd "$(dirname "$0")/.."

folder=build/coverage
suites=$(echo "$*" | tr ' ' ';')
cmake --preset coverage "-DTARN_ONLY_SUITES=$suites" > "$folder.log"
cmake --build --preset coverage --target tarn_test >> "$folder.log"
# Counters of earlier runs would be added up.
find "$folder" -name '*.gcda' -delete
if [ $# = 0 ]; then
	"$folder/test/tarn_test" | tail -n 1
else
	for suite; do
		"$folder/test/tarn_test" "$suite" | tail -n 1
	done
fi

# All rooms, in the order of the table in docs/architecture.md.
rooms=$(sed -n 's,^| `src/\([a-z]*\)` .*,\1,p' docs/architecture.md | paste -s -d ';')

# A kernel is compiled several times: a line counts if any of its copies was reached.
find "$folder/src" -name '*.gcda' | sort | xargs -n 1 gcov --branch-probabilities --branch-counts --stdout 2> /dev/null |
	awk -v "uncovered=$folder/uncovered.txt" -v "rooms=$rooms" '
	/^ *-: *0:Source:/ {
		sub(/^ *-: *0:Source:/, "")
		wanted = $0 ~ /\/src\/[a-z_0-9]*\/[a-z_0-9]*\.(c|h|inc)$/
		file = $0
		sub(/^.*\/src\//, "", file)
		next
	}
	!wanted { next }
	/^branch/ {
		key = file ":" line ":" $2
		branch[key] += ($3 == "taken" && $4 + 0 > 0)
		next
	}
	/^ *[0-9#=*-]+: *[0-9]+:/ {
		split($0, part, ":")
		count = part[1]
		gsub(/[ *]/, "", count)
		line = part[2] + 0
		if (count == "-" || line == 0) next
		lines[file ":" line] += (count ~ /^[0-9]/ && count + 0 > 0)
	}
	END {
		for (key in lines)
		{
			split(key, part, ":")
			r = part[1]
			sub(/\/.*$/, "", r)
			lineCount[r] += 1
			lineReached[r] += (lines[key] > 0)
			if (lines[key] == 0) print part[1] ":" part[2] | ("sort -t: -k1,1 -k2,2n > " uncovered)
		}
		for (key in branch)
		{
			split(key, part, ":")
			r = part[1]
			sub(/\/.*$/, "", r)
			branchCount[r] += 1
			branchReached[r] += (branch[key] > 0)
		}
		printf "%-20s %8s %8s %10s %8s\n", "room", "lines", "reached", "branches", "reached"
		n = split(rooms, order, ";")
		for (i = 1; i <= n; i++)
		{
			r = order[i]
			printf "%-20s %8d %7.1f%% %10d %7.1f%%\n", r, lineCount[r], 100 * lineReached[r] / (lineCount[r] + !lineCount[r]), branchCount[r], 100 * branchReached[r] / (branchCount[r] + !branchCount[r])
			ls += lineCount[r]; lr += lineReached[r]; bs += branchCount[r]; br += branchReached[r]
		}
		printf "%-20s %8d %7.1f%% %10d %7.1f%%\n", "all", ls, 100 * lr / (ls + !ls), bs, 100 * br / (bs + !bs)
	}'
