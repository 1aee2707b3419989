#!/bin/bash
# Queries of DuckDB that run for minutes or take gigabytes within one function: how long each lasts, how much memory the
# processes that run DuckDB hold at most, and which limit ends it. Prints one table.
# Repeat: make && bench/limits.sh   (TIMEOUT_S=20)
set -u
root=$(realpath "$(dirname "$0")/..")
# shellcheck source=common.sh
. "$root/bench/common.sh"
cd "$root" || exit 1
build_tools || exit 1
timeout_s=${TIMEOUT_S:-20}

seq -f 'name%.0f' 0 19999 | sed '1i name' >"$WORK/member.csv"
long="string_agg(name, '')"
ones=$(printf "'1',%.0s" $(seq 33))
names=("list of 3,000 lists" damerau_levenshtein levenshtein "bitstring as text" "doubled text")
queries=(
    "SELECT len(list_transform(range(3000), x -> range(1000000)))"
    "SELECT damerau_levenshtein($long, $long || 'x') FROM member"
    "SELECT levenshtein($long, $long || 'x') FROM member"
    "SELECT length(bitstring('1', 1500000000)::varchar)"
    "SELECT length(list_reduce(['ab',${ones%,}], (x, y) -> x || x))")

# The largest resident size so far of a process of ours that runs DuckDB, in KB.
peak() {
    local largest=0 process size
    for process in $(pgrep -f 'engine-helper'); do
        size=$(awk '/VmHWM/ { print $2 }' "/proc/$process/status" 2>/dev/null)
        [ "${size:-0}" -gt "$largest" ] && largest=$size
    done
    echo "$largest"
}

printf '%-22s %8s %9s  %s\n' "query" "s" "peak MB" "ended by"
for i in "${!queries[@]}"; do
    start=$(date +%s%N)
    "$BUILD/dragoman" --data "$WORK/data" sql --set "sql.timeout_s=$timeout_s" --db "$WORK/member.csv" \
        "${queries[$i]}" >"$WORK/out" 2>&1 &
    most=0
    while kill -0 $! 2>/dev/null; do
        now=$(peak)
        [ "$now" -gt "$most" ] && most=$now
        sleep 0.02
    done
    end=$(date +%s%N)
    printf '%-22s %8.1f %9d  %s\n' "${names[$i]}" "$(((end - start) / 100000000))e-1" $((most / 1024)) \
        "$(sed -n 's/^error: //p' "$WORK/out" | head -n 1)"
done
