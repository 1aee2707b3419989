#!/bin/sh
# Minutes of questions, 64 at a time, against a model that answers at once: every answer is
# checked, and memory after the second half must be what it was after the first.
# usage: tests/soak.sh [SECONDS]   (needs a release build; part of make test-long)
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
seconds=${1:-600}
build_tools stub_llm ask_load
start_stub 0
make_sample
load() {
    "$BUILD/ask_load" "$WORK/shop.db" "$STUB" 64 "$1" 'How many customers are there?' \
        "store.folder=$WORK/data" | tee /dev/stderr | awk '{ print $8 }'
}
# Peak memory of a run half as long, then of the whole: a leak grows with the questions.
half=$(load $((seconds / 3)))
whole=$(load $((seconds * 2 / 3)))
echo "soak: peak memory $half MB, after twice the questions $whole MB"
[ "$whole" -le $((half + half / 4 + 8)) ] || { echo "soak: memory grows"; exit 1; }
