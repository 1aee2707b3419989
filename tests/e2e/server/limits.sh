#!/bin/bash
# What happens when there is no room: 503 with Retry-After, or a closed door; clients that do not take their reply, send
# headers without end or hold connections open are cut off, and nobody else notices.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
script slow <<'S'
>>> understand
repeat
delay_ms: 60000
---
{"sql": "SELECT 1"}
<<<
S
slow=("${model[@]}" --set llm.timeout_s=600 --set agent.timeout_s=600 --set server.drain_s=0)

busy_is() { # WHAT: 503, in words, and when to come back
    error_is 503 BUSY
    check "$1 should say when to come back" matches "$head" 'Retry-After: [1-9][0-9]*'
}

# questions at work
serve "${slow[@]}" --set service.max_questions=2 --db shop.db
ids=()
for _ in 1 2; do
    http POST /api/v1/ask '{"query": "How many customers are there?"}'
    status_is 202
    ids+=("$(field query_id)")
done
http POST /api/v1/ask '{"query": "How many customers are there?"}'
busy_is "a question too many"
http POST /api/v1/chat '{"message": "How many customers are there?"}'
busy_is "a message too many"
http POST /api/v1/sql '{"sql": "SELECT 1"}'
busy_is "SQL too much"
http GET /healthz
status_is 200
http GET /metrics
out_has 'dragoman_refused_total 3'
http POST "/api/v1/ask/${ids[0]}/stop"
status_is 200
rest "${ids[0]}"
http POST /api/v1/ask '{"query": "How many customers are there?"}'
status_is 202
serve_ends TERM

# requests that wait for a thread: exports that never end take theirs, one waits, and a further one is told. After their
# first rows they only count: files that grow without end would keep the disk, and whoever needs it, busy
serve "${slow[@]}" --set server.queue=1 --set export.max_rows=1000000000 --set export.max_mb=1000000 --set sql.timeout_s=600 --db shop.db
endless='SELECT c.id AS i FROM orders a, orders b, orders c WHERE (a.id = 1 AND b.id = 1) OR a.id + b.id + c.id < 0'
http POST /api/v1/sql "{\"sql\": \"$endless\"}"
id=$(field query_id)
rest "$id"
clients=()
at_work() { curl -s -m 5 "$address/metrics" | sed -n 's/^dragoman_questions_at_work //p'; }
exports_at_work() { # N: waits until so many are
    for ((i = 0; i < 600; i++)); do
        [ "$(at_work)" = "$1" ] && return
        sleep 0.05
    done
    return 1
}
# they insist: two that come at once may find the one place in the queue taken before a thread has emptied it. Into files:
# before it tries again, curl empties what it has written to, and gives up when it cannot
for n in 1 2 3; do
    curl -s -m 600 --retry 600 --retry-delay 1 -o "export.$n" "$address/api/v1/ask/$id/export?format=csv" &
    clients+=($!)
done
check "exports should be at work" exports_at_work 2
for ((i = 0; i < 100; i++)); do
    http GET "/api/v1/ask/$id/export?format=csv" "" -m 1
    [ "$status" = 503 ] && break
done
busy_is "an export too many"
http GET /api/v1/history
status_is 200 # whoever exports for minutes holds up nobody else
# the clients leave: what they waited for ends
for pid in "${clients[@]}"; do kill -9 "$pid" 2>/dev/null; done
wait "${clients[@]}" 2>/dev/null
check "exports should end when their clients leave" exports_at_work 0
gone() { curl -s "$address/metrics" | sed -n 's/^dragoman_clients_gone_total //p'; }
before=$(gone)
check "and be counted" test "$before" -gt 0
# the same for a page: neither finding its rows nor counting all of them goes on
for offset in 900000000 0; do
    curl -s -m 600 -o /dev/null "$address/api/v1/ask/$id/rows?offset=$offset&limit=10" &
    client=$!
    check "a page from row $offset should be at work" exports_at_work 1
    kill -9 "$client" 2>/dev/null
    wait "$client" 2>/dev/null
    check "and end when its client leaves" exports_at_work 0
done
check "and be counted, too" test "$(gone)" -ge $((before + 2))
serve_ends TERM

# connections: more are closed, and as soon as one leaves there is room
serve --set server.connections=8 --set server.threads=1 --set server.header_timeout_s=4 --set server.idle_timeout_s=4 --db shop.db
port=${host##*:}
hold() { # N: so many connections that say nothing
    local n fd
    for ((n = 0; n < $1; n++)); do
        exec {fd}<>"/dev/tcp/127.0.0.1/$port" && held+=("$fd")
    done
}
held=()
hold 8
http GET /healthz "" -m 1
check "a connection too many is not answered" test "$status" != 200
again=
for ((i = 0; i < 100; i++)); do # those that are silent are cut off
    http GET /healthz "" -m 1
    [ "$status" = 200 ] && again=yes && break
    sleep 0.1
done
check "silent connections should make room" test -n "$again"
for fd in "${held[@]}"; do exec {fd}>&-; done

# headers: too many, too long, a line without end
http GET /healthz "" -H "X-Long: $(head -c 20000 /dev/zero | tr '\0' a)"
check "a long header is refused" test "$status" = 431 -o "$status" = 413 -o "$status" = 400 -o "$status" = 000
flood=()
for ((i = 0; i < 2000; i++)); do flood+=(-H "X-$i: y"); done
http GET /healthz "" "${flood[@]}"
check "many headers are refused" test "$status" = 431 -o "$status" = 413 -o "$status" = 400 -o "$status" = 000
exec {fd}<>"/dev/tcp/127.0.0.1/$port"
head -c 200000 /dev/zero | tr '\0' a >&"$fd" 2>/dev/null
timeout 20 cat <&"$fd" >/dev/null 2>&1 # ends with the connection, whichever way that is closed
check "a request line without end is cut off" test $? -ne 124
exec {fd}>&-
http GET /healthz
status_is 200
serve_ends TERM
summary
