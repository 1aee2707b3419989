#!/bin/sh
# Many oracles side by side, each on a core and in a folder of its own; their figures summed at the end.
#
#     fleet.sh SECONDS [SQLITE-PROCESSES [DUCKDB-PROCESSES [FIRST-SEED [OUT]]]]
#
# Runs from the folder that tools/oracle-carry made, on any machine with this processor: the loader and the libraries
# lie beside the program. Ends with 1 when an oracle saw something, or did not end by itself.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:?usage: fleet.sh SECONDS [SQLITE [DUCKDB [FIRST-SEED [OUT]]]]}
cores=$(nproc)
sqlite=${2:-$(((cores + 5) / 6))}
duckdb=${3:-$((cores - sqlite))}
seed=${4:-$(date -u +%s)}
out=${5:-$here/out}
mkdir -p "$out"
rm -f "$out"/*.log
[ -e "$here/libduckdb.so" ] || gzip -dc "$here/libduckdb.so.gz" >"$here/libduckdb.so"
started=$(date +%s)
number=0
waiting=
for engine in sqlite duckdb; do
    eval "processes=\$$engine"
    while [ "$processes" -gt 0 ]; do
        "$here/ld-linux-x86-64.so.2" --library-path "$here" "$here/oracle" "$engine" \
            --corpus "$here/attacks/$engine.txt" --seconds "$seconds" --seed $((seed + number)) \
            --core $((number % cores)) >"$out/$engine-$number.log" 2>&1 &
        waiting="$waiting $engine-$number:$!"
        number=$((number + 1))
        processes=$((processes - 1))
    done
done
failed=0
for one in $waiting; do
    status=0
    wait "${one#*:}" || status=$?
    if [ "$status" -ne 0 ]; then
        failed=1
        echo "fleet: ${one%:*}: FAILED with $status"
        tail -n 20 "$out/${one%:*}.log"
    else
        tail -n 1 "$out/${one%:*}.log"
    fi
done
for engine in sqlite duckdb; do
    for log in "$out/$engine"-*.log; do
        [ -e "$log" ] && tail -n 1 "$log"
    done | awk -v engine="$engine" '/^oracle: .* statements, / { # the figures stand before their words
            processes++
            statements += $3; allowed += $5; executed += $10; limited += substr($12, 2)
            unknown += $19; locked += $25
        }
        END {
            printf "fleet: %s: %d processes, %d statements, %d allowed by the guard, %d executed (%d of them ended by a" \
                " limit), %d not known to the engine, %d refused by the engine'"'"'s lock, 0 changes, 0 files, 0 canaries\n",
                engine, processes, statements, allowed, executed, limited, unknown, locked
        }'
done
echo "fleet: first seed $seed, $(($(date +%s) - started)) seconds on $cores cores, $([ $failed = 0 ] && echo nothing was found || echo SOMETHING WAS FOUND)"
exit $failed
