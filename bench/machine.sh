#!/bin/sh
# What the machine itself costs: questions through the library against a model that answers at
# once. CPU is user + system time of this process, model and SQLite included. Prints one table.
# Repeat: make && bench/machine.sh
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools stub_llm ask_load
start_stub 0
make_sample
load() { "$BUILD/ask_load" "$WORK/shop.db" "$STUB" "$1" 4 'How many customers are there?' \
    "store.folder=$WORK/data" "llm.stream=$2" "understanding.mode=${3:-auto}"; }

echo "model answers at once; 15 tables; every answer checked"
printf '%-9s %9s %9s %9s %9s %9s %9s %9s %9s %9s %6s\n' reply in-flight done q/s "p50 ms" "p99 ms" \
    "CPU ms/q" calls/q "RSS MB" threads wrong
for flights in 1 64; do
    printf '%-9s ' whole; load $flights false
    printf '%-9s ' streamed; load $flights true
done
echo "aim: 0.2 ms of CPU per question in one call. The best peer: 1.45 ms, 775 q/s at 64 in flight, 274 MB."
