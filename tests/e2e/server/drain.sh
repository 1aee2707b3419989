#!/bin/bash
# Told to stop, the server waits for server.drain_s and then ends, also when something at work hears nothing.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
export STUCK_FILE=$work/stuck ASAN_OPTIONS="verify_asan_link_order=0:${ASAN_OPTIONS-}"
drain_s=1
patience_s=20 # until the test gives up

# stop_stuck SIGNAL: asks what never ends, and tells the server to stop meanwhile; sets $status, $ms.
stop_stuck() {
    rm -f "$STUCK_FILE"
    LD_PRELOAD=$helpers/libe2e_server_stuck.so serve --set server.drain_s=$drain_s --db shop.db
    http POST /api/v1/sql '{"sql": "SELECT '"'unstoppable'"' AS word"}'
    status_is 202
    id=$(field query_id)
    wait_for_file "$STUCK_FILE"
    curl -s -m 60 -o "$work/waiting" -d '{"sql": "SELECT '"'unstoppable'"' AS word", "wait": true}' "$address/api/v1/sql" &
    background+=($!)
    local began=${EPOCHREALTIME/[.,]/} i
    kill "-$1" "$server"
    for ((i = 0; i < patience_s * 20; i++)); do
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    local ended=${EPOCHREALTIME/[.,]/}
    ms=$(((ended - began) / 1000))
    kill -9 "$server" 2>/dev/null
    wait "$server"
    status=$?
    shown="a server with a query that never ends, after $1"
    out=$(cat "$work/serve.out")
    err=$(cat "$serve_err")
}

for signal in TERM INT; do
    stop_stuck $signal
    status_is 44
    err_has "could not be stopped"
    check "it should wait for server.drain_s, not end after $ms ms" test "$ms" -ge $((drain_s * 1000))
    # about a second after it; the rest is for a machine that does other things
    check "it should end soon after server.drain_s, not after $ms ms" test "$ms" -lt $(((drain_s + 10) * 1000))
done

# What was at work is not lost: the next server says what became of it.
serve --db shop.db
http GET "/api/v1/ask/$id"
status_is 200
out_has '"code":"INTERRUPTED"'
serve_ends TERM

# Without such a thing it ends as soon as all is done, and well.
began=$SECONDS
serve --set server.drain_s=60 --db shop.db
http POST /api/v1/sql '{"sql": "SELECT 1", "wait": true}'
status_is 200
serve_ends TERM
check "it should not wait for nothing" test $((SECONDS - began)) -lt 50
summary
