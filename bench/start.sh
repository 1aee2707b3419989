#!/bin/sh
# How quickly the program starts, and what one question holds. Prints one table.
# Repeat: make && bench/start.sh
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools stub_llm start_time
start_stub 0
make_sample

echo "wall time of the whole program, $(nproc) cores, median and 90th percentile of 200 runs"
printf '%-34s %10s %10s %10s\n' command "median ms" "p90 ms" "peak RSS MB"
"$BUILD/start_time" 200 version "$BUILD/dragoman" version
"$BUILD/start_time" 200 help "$BUILD/dragoman" help
"$BUILD/start_time" 200 'guard' "$BUILD/dragoman" guard --dialect sqlite 'SELECT 1'
"$BUILD/start_time" 50 'schema (SQLite, cached)' "$BUILD/dragoman" schema --db "$WORK/shop.db" --data "$WORK/data"
"$BUILD/start_time" 50 'sql (SQLite)' "$BUILD/dragoman" sql --db "$WORK/shop.db" --data "$WORK/data" \
    'SELECT COUNT(*) FROM orders'
"$BUILD/start_time" 50 'ask (SQLite, 1 LLM call)' "$BUILD/dragoman" ask --fresh --db "$WORK/shop.db" \
    --data "$WORK/data" --brain llm --set llm.provider=openai --set "llm.url=$STUB" --set llm.key=none \
    'How many customers are there?'
"$BUILD/start_time" 20 'ask (SQLite, built-in parser)' "$BUILD/dragoman" ask --fresh --db "$WORK/shop.db" \
    --data "$WORK/data" --brain parser 'How many customers are there?'
echo "aim: version 5 ms, ask 15 MB. A peer starts in 786 ms to 1,110 ms and rests at 119 MB to 198 MB."
