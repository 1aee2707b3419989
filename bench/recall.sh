#!/bin/sh
# Are the right tables kept? Made-up schemas of 100, 1,000 and 10,000 tables; a model that knows which
# tables are right but chooses only among those that it is shown. Prints one table: the share of
# questions with all their tables, of tables, the calls of phases 1 to 3 (on average, at most) and all
# calls, tokens and milliseconds per question.
# Repeat: make && bench/recall.sh [QUESTIONS]
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools recall

printf '%7s %-9s %10s %9s %10s %9s %10s %5s %8s %8s %8s\n' tables mode candidates questions complete kept \
    "calls 1-3" most calls tokens ms
for tables in 100 1000 10000; do
    for mode in auto phased; do
        "$BUILD/recall" "$WORK" $tables "${1:-240}" $mode 24
    done
done
"$BUILD/recall" "$WORK" 10000 "${1:-240}" phased 4
echo "aim: at most 5 calls for phases 1 to 3, all tables kept for 95 of 100 questions."
