#!/bin/sh
# What plain SQL over HTTP cannot cost less than: libmicrohttpd alone with the same bytes, then with a worker thread, with
# the query, and with the store; beside dragoman. Prints one table; half a minute.
# Repeat: make && bench/floor.sh [--seconds N]
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
SECONDS_EACH=4
FAILED=0
[ "${1:-}" != --seconds ] || SECONDS_EACH=$2
build_tools http_load floor
make_sample
ulimit -n "$(ulimit -Hn)"
SQL='SELECT COUNT(*) AS n FROM customers'
BODY="{\"sql\":\"$SQL\",\"wait\":true}"

# start_server PROGRAM [ARGUMENT]...
start_server() {
    stop_server
    "$@" >"$WORK/server.out" 2>"$WORK/server.err" &
    SERVER_PID=$!
    for _ in $(seq 200); do
        grep -q Listening "$WORK/server.out" && break
        sleep 0.02
    done
    PORT=$(sed -n 's/.*:\([0-9]*\)$/\1/p' "$WORK/server.out")
}
load() {
    "$BUILD/http_load" loop --connections 64 --name "$1" --port "$PORT" --pid "$SERVER_PID" --seconds "$SECONDS_EACH" \
        --method POST --path /api/v1/sql --body "$BODY" --expect '[[2400]]' || FAILED=1
}

echo "client and server share $(nproc) cores; every body is checked"
"$BUILD/http_load" head
start_server "$BUILD/dragoman" serve --db "$WORK/shop.db" --data "$WORK/data" --listen 127.0.0.1:0
"$BUILD/http_load" call "$PORT" POST /api/v1/sql "$BODY" >"$WORK/reply.json"
load 'dragoman, plain SQL'
for way in at-once worker query store; do
    start_server "$BUILD/floor" "$way" "$WORK/reply.json" "$WORK/shop.db" "$SQL" "$WORK/floor-$way"
    load "libmicrohttpd alone: $way"
done
exit $FAILED
