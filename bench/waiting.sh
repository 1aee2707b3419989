#!/bin/sh
# Many questions waiting for a slow model: memory and threads. Prints one table.
# Repeat: make && bench/waiting.sh
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools stub_llm ask_load
start_stub 2000
make_sample
ulimit -n "$(ulimit -Hn)"

echo "model takes 2,000 ms; in flight all at once; every answer checked"
printf '%9s %9s %9s %9s %9s %9s %9s %9s %9s %6s\n' in-flight done q/s "p50 ms" "p99 ms" "CPU ms/q" \
    calls/q "RSS MB" threads wrong
for flights in 100 1000 5000 10000; do
    "$BUILD/ask_load" "$WORK/shop.db" "$STUB" $flights 4 'How many customers are there?' \
        "store.folder=$WORK/data"
done
echo "aim: 10,000 in less than 150 MB. A peer holds 5,000 in 480 MB."
