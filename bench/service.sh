#!/bin/sh
# The service under load, figure by figure, beside its aims and what was measured of others. Prints one
# table; about four minutes. See bench/README.md.
# Repeat: make && bench/service.sh [--seconds N] [--questions N] [--only PATTERN]
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
SECONDS_EACH=4
QUESTIONS=60000
ONLY='*'
FAILED=0
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) SECONDS_EACH=$2 ;;
    --questions) QUESTIONS=$2 ;;
    --only) ONLY=$2 ;;
    *) sed -n '2,4s/^# //p' "$0" && exit 2 ;;
    esac
    shift 2
done
build_tools stub_llm http_load serve_time
make_sample
ulimit -n "$(ulimit -Hn)"
SERVERS=0

# Everything that is measured here is asked of one server with the settings that a user has, but for
# the brain (the model alone: the parser would answer these by itself) and one fused call.
serve_words() {
    echo serve --db "$WORK/shop.db" --set agent.brain=llm --set understanding.mode=fused \
        --set llm.provider=openai --set "llm.url=$STUB" --set llm.key=none --set server.queue=100000 --set llm.timeout_s=60
}

# start_server: a fresh one, with a store of its own
start_server() {
    stop_server
    SERVERS=$((SERVERS + 1))
    : >"$WORK/server.out"
    # shellcheck disable=SC2046
    "$BUILD/dragoman" $(serve_words) --data "$WORK/data-$SERVERS" --listen 127.0.0.1:0 \
        >"$WORK/server.out" 2>"$WORK/server.err" &
    SERVER_PID=$!
    for _ in $(seq 200); do
        grep -q Listening "$WORK/server.out" && break
        sleep 0.02
    done
    PORT=$(sed -n 's/.*:\([0-9]*\)$/\1/p' "$WORK/server.out")
}

ask() { "$BUILD/http_load" call "$PORT" POST /api/v1/chat "$1" >"$WORK/reply"; }
# load KIND CONNECTIONS NAME AIM PEERS [OPTION VALUE]...
load() {
    kind=$1 connections=$2 name=$3 aim=$4 peers=$5
    shift 5
    "$BUILD/http_load" "$kind" --connections "$connections" --name "$name" --aim "$aim" --peers "$peers" \
        --port "$PORT" --pid "$SERVER_PID" --stub "${STUB_PORT:-0}" "$@" || FAILED=1
}
stub() {
    start_stub "$1" --when 'Which five suppliers have the most reviews?' "$WORK/join.json"
    STUB_PORT=$(echo "$STUB" | grep -o '[0-9]*/v1' | grep -o '[0-9][0-9]*' | head -1)
}

cat >"$WORK/join.json" <<'REPLY'
{"intent":"TEXT_TO_SQL","tables":[{"name":"suppliers","columns":["id","name"],"confidence":0.95,"reason":"asked for"},{"name":"products","columns":["id","supplier_id"],"confidence":0.95,"reason":"between"},{"name":"reviews","columns":["product_id"],"confidence":0.95,"reason":"counted"}],"joins_needed":true,"joins":[{"left":"products.supplier_id","right":"suppliers.id","confidence":1.0},{"left":"reviews.product_id","right":"products.id","confidence":1.0}],"summary":"Count the reviews of each supplier.","plan":["Join suppliers, products and reviews.","Count per supplier.","Keep the first five."],"sql":"SELECT s.name, COUNT(*) AS reviews FROM suppliers s JOIN products p ON p.supplier_id = s.id JOIN reviews r ON r.product_id = p.id GROUP BY s.id, s.name ORDER BY reviews DESC LIMIT 5","explanation":"Counts reviews per supplier."}
REPLY
LIGHT='How many customers are there?'
JOIN='Which five suppliers have the most reviews?'
light="{\"message\":\"$LIGHT\",\"no_cache\":true}"
join="{\"message\":\"$JOIN\",\"no_cache\":true}"
RIGHT='[[2400]]'
RIGHT_JOIN='["Alpenholz",179]'

echo "client, stub model and server share $(nproc) cores; every body is checked; calls: of the model, per question"
"$BUILD/http_load" head

if wanted quick; then
    stub 0
    start_server
    sleep 0.5
    printf '%-34s %6s %8s %8s %8s %8s %6s %7.1f\n' 'at rest, nothing asked yet' - - - - - - \
        "$(awk '/VmRSS/ {print $2 / 1024}' "/proc/$SERVER_PID/status")" | sed 's/$/       -     0  20 MB                          119-198 MB/'
    ask "$light"
    load loop 64 'GET /healthz' '' '' --path /healthz --expect ok --seconds "$SECONDS_EACH"
    id=$(sed -n 's/.*"query_id":"\([^"]*\)".*/\1/p' "$WORK/reply")
    load loop 64 'poll of a finished question' '' '' --path "/api/v1/ask/$id" --expect "$RIGHT" --seconds "$SECONDS_EACH"
fi
if wanted history; then
    stub 0
    start_server
    ask "{\"message\":\"$LIGHT\"}"
    load loop 64 'ask, answered from history' '' '' --method POST --path /api/v1/chat \
        --body "{\"message\":\"$LIGHT\"}" --expect "$RIGHT" --seconds "$SECONDS_EACH"
fi
if wanted zero; then
    stub 0
    start_server
    ask "$light"
    load loop 64 'ask, model of 0 ms' '>=10000 q/s <=0.2 ms p99<=20' '119-775 q/s, 1.45-10.8 ms' --method POST \
        --path /api/v1/chat --body "$light" --expect "$RIGHT" --seconds "$SECONDS_EACH"
    load loop 1 'ask, model of 0 ms' '' 'p50 1.6-6.1 ms' --method POST \
        --path /api/v1/chat --body "$light" --expect "$RIGHT" --seconds "$SECONDS_EACH"
    load loop 64 'ask with two joins, model of 0 ms' '' '118-543 q/s, 1.9-9.3 ms' --method POST \
        --path /api/v1/chat --body "$join" --expect "$RIGHT_JOIN" --seconds "$SECONDS_EACH"
fi
if wanted sql; then
    stub 0
    start_server
    ask "$light"
    load loop 64 'plain SQL' '>=30000 calls/s' '955-1346 calls/s, 1.0 ms' --method POST --path /api/v1/sql \
        --body '{"sql":"SELECT COUNT(*) AS n FROM customers","wait":true}' --expect "$RIGHT" --seconds "$SECONDS_EACH"
fi
if wanted waiting; then
    stub 500
    start_server
    ask "$light"
    load loop 1000 'ask, model of 500 ms' '>=1900 q/s' '122-684 q/s, 333-1112 MB' --method POST \
        --path /api/v1/chat --body "$light" --expect "$RIGHT" --warm-up 2 --seconds $((SECONDS_EACH + 4))
    start_server
    ask "$light"
    load loop 5000 'ask, model of 500 ms' '>=8500 q/s' '107-801 q/s, 350-1336 MB' --method POST \
        --path /api/v1/chat --body "$light" --expect "$RIGHT" --warm-up 3 --seconds $((SECONDS_EACH + 6))
fi
if wanted held; then
    stub 15000
    start_server
    load once 5000 'held at a model of 15 s' '<=100 MB' '480-1149 MB' --method POST \
        --path /api/v1/chat --body "$light" --expect "$RIGHT"
    start_server
    : >"$WORK/paths"
    for _ in $(seq 100); do
        "$BUILD/http_load" call "$PORT" POST /api/v1/ask "{\"query\":\"$LIGHT\",\"no_cache\":true}" |
            sed -n 's|.*"query_id":"\([^"]*\)".*|/api/v1/ask/\1/stream|p' >>"$WORK/paths"
    done
    load once 10000 'open event streams (SSE)' '' 'not measured' --paths-file "$WORK/paths" --expect "$RIGHT"
fi
if wanted start; then
    stub 0
    stop_server
    # shellcheck disable=SC2046
    "$BUILD/serve_time" 15 'start to first answer: median, most' '<=20 ms' '772-1110 ms' /api/v1/chat "$light" "$RIGHT" \
        "$BUILD/dragoman" $(serve_words) --data "$WORK/start" --listen '127.0.0.1:{port}'
    # shellcheck disable=SC2046
    "$BUILD/serve_time" 5 'the same, first start ever' '' '' /api/v1/chat "$light" "$RIGHT" \
        "$BUILD/dragoman" $(serve_words) --data "$WORK/start-{}" --listen '127.0.0.1:{port}'
fi
if wanted flat; then
    stub 0
    start_server
    ask "$light"
    load loop 64 "$QUESTIONS questions" 'flat' '' --method POST --path /api/v1/chat --body "$light" \
        --expect "$RIGHT" --warm-up 0 --count "$QUESTIONS"
fi
exit $FAILED
