#!/bin/bash
# How long a stop takes to reach what is at work: from the call (or the client's leaving) to the end of the query, as
# the database's own list shows it, and to the close of the model's stream. Prints one table.
# Repeat: make && bench/stop.sh
rounds=${ROUNDS:-10}
root=$(realpath "$(dirname "$0")/..")
build=$root/${BUILD:-build}
ninja -C "$build" --quiet dragoman e2e_cli_duckdb e2e_server_speaker || exit 1
set -- "$build/dragoman" "$build/e2e_cli"
# shellcheck source=../tests/e2e/server/stopping.sh
. "$root/tests/e2e/server/stopping.sh"

start_engines
reply "$endless" numbers >"$work/endless.script"
serve --set llm.provider=scripted --set "llm.script=$work/endless.script" --set service.workers=1 \
    --set sql.timeout_s=600 --set agent.timeout_s=600 --set datasource.connections=4 "${sources[@]}"
printf '%-10s %-8s %8s %8s %6s\n' engine by "p50 ms" "max ms" never
row() { # ENGINE WAY
    local all=() never=0 i
    for ((i = 0; i < rounds; i++)); do
        stop_by "$2" "$1"
        if [ -n "$ms" ]; then all+=("$ms"); else never=$((never + 1)); fi
    done
    mapfile -t all < <(printf '%s\n' "${all[@]}" | sort -n)
    printf '%-10s %-8s %8s %8s %6s\n' "$1" "$2" "${all[$((${#all[@]} / 2))]}" "${all[-1]}" $never
}
for engine in "${engines[@]}"; do
    for way in stop delete leave; do
        row "$engine" "$way"
    done
done
serve_ends TERM >/dev/null
"$helpers/e2e_server_speaker" "$work/port" "$work/heard" &
background+=($!)
wait_for_file "$work/port"
serve --set llm.provider=openai --set "llm.url=http://127.0.0.1:$(cat "$work/port")/v1" --set llm.key=k \
    --set llm.timeout_s=600 --set agent.timeout_s=600 --db sqlite.db
for way in stop delete leave; do
    listen_to_model
    row sqlite "$way" | sed 's/^sqlite/model /'
done
echo "aim: 100 ms. A stop includes starting curl; SQLite's and DuckDB's rows include asking and answering the next question."
