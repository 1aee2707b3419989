#!/bin/bash
# A stop reaches what is at work: the query in the database is ended and the model's stream is closed, however the
# question was stopped. Seen where it is at work: pg_stat_activity, PROCESSLIST, the one worker, the model's socket.
# shellcheck source-path=SCRIPTDIR source=stopping.sh
. "$(dirname "$0")/stopping.sh"

start_engines
reply "$endless" numbers >"$work/endless.script"
serve --set llm.provider=scripted --set "llm.script=$work/endless.script" --set service.workers=1 \
    --set sql.timeout_s=600 --set agent.timeout_s=600 --set datasource.connections=4 "${sources[@]}"

for engine in "${engines[@]}"; do
    ways=(stop delete leave)
    [ "$engine" = sqlite ] && ways+=(halt hang_up)
    for way in "${ways[@]}"; do
        stop_by "$way" "$engine"
        status_is 200
        shown="$way in $engine"
        check "$way should end the query in $engine" test -n "$ms"
        echo "  $engine, by $way: ${ms:-never} ms"
        check "the server should be idle after $way in $engine" eval '! busy'
        if [ "$way" = stop ]; then
            rest "$id"
            out_has '"status":"stopped"'
        fi
    done
done
serve_ends TERM

# A query that hears no interrupt is ended all the same, and so is the server while it runs.
if [[ " ${engines[*]} " == *" duckdb "* ]]; then
    { echo i && seq 400000; } >duckdb/many.csv # one table: figures over a product of rows are put right before they run
    reply "SELECT levenshtein(string_agg(i::VARCHAR, ''), string_agg((i + 1)::VARCHAR, '')) AS n FROM many" many >"$work/deaf.script"
    serve --set llm.provider=scripted --set "llm.script=$work/deaf.script" --set service.workers=1 --set server.drain_s=1 \
        --set sql.timeout_s=600 --set agent.timeout_s=600 --db ./duckdb
    for way in stop delete leave; do
        stop_by "$way" duckdb
        check "$way should end what hears nothing" test -n "$ms"
        echo "  what hears nothing, by $way: ${ms:-never} ms"
        check "nothing should be at work after $way" eval '! busy'
    done
    http POST /api/v1/ask '{"query": "How many numbers are there?", "no_cache": true}'
    status_is 202
    for ((i = 0; i < 400; i++)); do
        at_work duckdb && break
        sleep 0.05
    done
    check "the query should be at work" busy
    left=$(family)
    began=$(now_ms)
    serve_ends TERM
    took=$(($(now_ms) - began))
    echo "  the server, while it runs: $took ms"
    check "the server should not wait for it" test $took -lt $((patience_s * 1000))
    for pid in $left; do check "no process should be left" eval "! kill -0 $pid 2>/dev/null"; done
fi

# The model: it begins to speak, and is told that nobody listens any more.
"$helpers/e2e_server_speaker" "$work/port" "$work/heard" &
background+=($!)
wait_for_file "$work/port"
serve --set llm.provider=openai --set "llm.url=http://127.0.0.1:$(cat "$work/port")/v1" --set llm.key=k \
    --set llm.timeout_s=600 --set agent.timeout_s=600 --db sqlite.db
listen_to_model
for way in stop delete leave hang_up; do
    stop_by "$way" sqlite
    check "$way should close the model's stream" test -n "$ms"
    echo "  the model, by $way: ${ms:-never} ms"
done
serve_ends TERM
summary
