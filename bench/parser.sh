#!/bin/sh
# The built-in parser on one core: CPU milliseconds per question, by the number of tables, and
# where they go. Prints one table. Given a question file and its folder of databases, those too.
# Repeat: make && bench/parser.sh [QUESTIONS.json DATABASES]
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools parser_time
WEIGHTS=${WEIGHTS:-models/parser.dgw}

echo "medians of the parts; all = parser + running the candidates; CPU ms of one core"
printf '%-12s %9s %6s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n' tables questions items features \
    encode decode rest run "p50" "p99" "all p50" "all p99" open prepare "MB added"
for tables in 5 20 50 1000; do
    "$BUILD/parser_time" "$WEIGHTS" $tables 180
done
[ $# -lt 2 ] || "$BUILD/parser_time" "$WEIGHTS" "$1" "$2"
echo "aim: p50 40 ms and p99 150 ms with 5 to 50 tables, 300 ms with 1,000; 80 MB."
