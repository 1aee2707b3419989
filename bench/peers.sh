#!/bin/sh
# dragoman beside what others would run instead, taken in the same way on the same machine: a chain of
# LangChain.js behind a Node server, and dbhub for plain SQL. Prints one table; about three minutes.
# Repeat: make && bench/peers.sh [--seconds N] [--only PATTERN]
set -eu
cd "$(dirname "$0")/.."
if ! command -v npm >/dev/null || ! bench/peers/install; then
    echo "peers: they come from npm, which is not there or could not bring them: nothing is measured"
    exit 0
fi
. bench/common.sh
SECONDS_EACH=5
ONLY='*'
FAILED=0
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) SECONDS_EACH=$2 ;;
    --only) ONLY=$2 ;;
    *) sed -n '2,4s/^# //p' "$0" && exit 2 ;;
    esac
    shift 2
done
build_tools stub_llm http_load serve_time
make_sample
ulimit -n "$(ulimit -Hn)"
SERVERS=0

modules=$PWD/build-peers/node_modules
for node in "$modules"/node-linux-*/bin/node node; do
    [ ! -x "$node" ] || break # the one of this machine's kind is installed
done
NODE_ENV=production
export NODE_ENV
PORT=$((21000 + $$ % 9000))

# Each by the words that start it; {port} and {} are filled in.
dragoman_words() {
    echo "$BUILD/dragoman" serve --db "$WORK/shop.db" --set agent.brain=llm --set understanding.mode=fused \
        --set llm.provider=openai --set "llm.url=$STUB" --set llm.key=none --set server.queue=100000 \
        --set llm.timeout_s=600 --data "$WORK/data-{}" --listen '127.0.0.1:{port}'
}
chain_words() { echo "$node" build-peers/chain.mjs '{port}' "$WORK/shop.db" "$STUB"; }
dbhub_words() {
    echo "$node" "$modules/@bytebase/dbhub/dist/index.js" --transport http --port '{port}' \
        --dsn "sqlite://$WORK/shop.db"
}

# start_server WHO PATH BODY: a fresh one; returns when it answers.
start_server() {
    stop_server
    SERVERS=$((SERVERS + 1))
    PORT=$((PORT + 1))
    # shellcheck disable=SC2046,SC2091
    $("$1_words" | sed "s/{port}/$PORT/; s/{}/$SERVERS/") >"$WORK/server.out" 2>&1 &
    SERVER_PID=$!
    for _ in $(seq 300); do
        "$BUILD/http_load" call "$PORT" POST "$2" "$3" >"$WORK/reply" 2>/dev/null && return
        sleep 0.1
    done
    echo "peers: $1 does not answer" >&2
    exit 1
}

# load CONNECTIONS NAME PATH BODY EXPECT [OPTION VALUE]...: of the server that was started.
load() {
    connections=$1 name=$2 path=$3 body=$4 expect=$5
    shift 5
    "$BUILD/http_load" loop --connections "$connections" --name "$name" --aim '' --peers '' --port "$PORT" \
        --pid "$SERVER_PID" --stub "${STUB_PORT:-0}" --method POST --path "$path" --body "$body" \
        --expect "$expect" "$@" || FAILED=1
}
stub() {
    start_stub "$1"
    STUB_PORT=$(echo "$STUB" | grep -o '[0-9]*/v1' | grep -o '[0-9][0-9]*' | head -1)
}
# at_rest NAME: what the server that was started holds after its first answer and a second of rest.
at_rest() {
    sleep 1
    printf '%-34s %6s %8s %8s %8s %8s %6s %7.1f\n' "$1: at rest" - - - - - - \
        "$(awk '/VmRSS/ {print $2 / 1024}' "/proc/$SERVER_PID/status")"
}

question='{"message":"How many customers are there?","no_cache":true}'
sql='{"sql":"SELECT COUNT(*) AS n FROM customers","wait":true}'
call='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_sql","arguments":{"sql":"SELECT COUNT(*) AS n FROM customers"}}}'
right='[[2400]]'
right_call='\"n\": 2400'

echo "client, stub model and server share $(nproc) cores; every body is checked; calls: of the model, per question"
echo "load of this machine before: $(cut -d' ' -f1 /proc/loadavg); Node $("$node" --version)"
"$BUILD/http_load" head | sed 's/aim .*//'

if wanted zero; then
    stub 0
    for who in dragoman chain; do
        path=/api/v1/chat
        [ $who = dragoman ] || path=/chat
        start_server $who "$path" "$question"
        at_rest $who
        load 64 "$who: ask, model of 0 ms" "$path" "$question" "$right" --warm-up 3 --seconds "$SECONDS_EACH"
        load 1 "$who: ask, model of 0 ms" "$path" "$question" "$right" --seconds "$SECONDS_EACH"
    done
fi
if wanted waiting; then
    stub 500
    for who in dragoman chain; do
        path=/api/v1/chat
        [ $who = dragoman ] || path=/chat
        start_server $who "$path" "$question"
        load 1000 "$who: ask, model of 500 ms" "$path" "$question" "$right" --warm-up 4 --seconds $((SECONDS_EACH + 5))
    done
fi
if wanted sql; then
    stub 0
    start_server dragoman /api/v1/sql "$sql"
    load 64 'dragoman: plain SQL' /api/v1/sql "$sql" "$right" --seconds "$SECONDS_EACH"
    start_server chain /sql "$sql"
    load 64 'Node and SQLite alone: plain SQL' /sql "$sql" "$right" --seconds "$SECONDS_EACH"
    start_server dbhub /mcp "$call"
    at_rest dbhub
    load 64 'dbhub: plain SQL' /mcp "$call" "$right_call" --warm-up 3 --seconds "$SECONDS_EACH"
fi
if wanted start; then
    stub 0
    stop_server
    # shellcheck disable=SC2046
    {
        "$BUILD/serve_time" 7 'dragoman: start, median and most' '' '' /api/v1/chat "$question" "$right" \
            $(dragoman_words | sed 's/data-{}/data-start/')
        "$BUILD/serve_time" 7 'chain: start, median and most' '' '' /chat "$question" "$right" $(chain_words)
        "$BUILD/serve_time" 7 'dbhub: start, median and most' '' '' /mcp "$call" "$right_call" $(dbhub_words)
    } || FAILED=1
fi
exit $FAILED
