#!/bin/bash
# Questions over HTTP: asked, polled, streamed, stopped, in a conversation, and after a restart.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
script asks <<S
>>> understand
when: Wait for it
delay_ms: 60000
repeat
---
{"intent": "TEXT_TO_SQL", "sql": "SELECT 1"}
<<<
$(best_customers)
$(count_customers)
S
slow=(--set llm.timeout_s=600 --set agent.timeout_s=600)
serve "${model[@]}" "${slow[@]}" --set server.keep_s=3600 --db shop.db

http GET /healthz
status_is 200
out_is '{"status":"ok"}'
http GET /readyz
status_is 200
http GET /api/v1/datasources
status_is 200
out_has '"id":"shop"'
http GET /api/v1/states
status_is 200
out_has '"EVALUATE_TABLES"'

# asked and polled
http POST /api/v1/ask '{"query": "How many customers are there?"}'
status_is 202
id=$(field query_id)
check "a question has an id" test -n "$id"
rest "$id"
status_is 200
out_has '"rows":[[2400]]'
out_has '"sql":"SELECT COUNT(*) AS customers FROM customers'

# streamed after its end: all events again, in order, then closed
http GET "/api/v1/ask/$id/stream"
status_is 200
check "it is an event stream" has "$head" "text/event-stream"
events=$out
for name in status sql rows done; do
    out_has "event: $name"
done
last=$(grep -c '^id: ' <<<"$events")
check "events are numbered from 1 on" test "$(sed -n 's/^id: //p' <<<"$events" | tr '\n' ' ')" = \
    "$(seq -s ' ' 1 "$last") "
check "done is the last" test "$(sed -n 's/^event: //p' <<<"$events" | tail -n 1)" = "done"
http GET "/api/v1/ask/$id/stream" "" -H "Last-Event-ID: $((last - 2))"
check "a stream goes on where it was left" test "$(grep -c '^id: ' <<<"$out")" -eq 2
http GET "/api/v1/ask/$id/stream?last_event_id=$last"
out_lacks "event:"

# stopped after its end, twice
for _ in 1 2; do
    http POST "/api/v1/ask/$id/stop"
    status_is 200
    out_has '"status":"finished"'
done

# stopped at work
http POST /api/v1/ask '{"query": "Wait for it"}'
slow_id=$(field query_id)
http GET "/api/v1/ask/$slow_id"
status_is 200
out_has '"question":"Wait for it"'
out_lacks '"rows"'
: >"$work/stream"
curl -sN -m 60 "$address/api/v1/ask/$slow_id/stream" >"$work/stream" &
streaming=$!
for ((i = 0; i < 200; i++)); do
    grep -q EVALUATE_TABLES "$work/stream" && break
    sleep 0.05
done
http POST "/api/v1/ask/$slow_id/stop"
status_is 200
out_has '"status":"stopped"'
check "the stream should end by itself" wait "$streaming"
out=$(cat "$work/stream")
out_has '"status":"stopped"'
rest "$slow_id"
out_has '"status":"stopped"'

# asked back, and answered in the same conversation
http POST /api/v1/chat/sessions '{"datasource": "shop"}'
status_is 201
session=$(field session_id)
http POST /api/v1/chat "{\"message\": \"best customers\", \"session_id\": \"$session\"}"
status_is 200
out_has '"type":"clarification"'
asked=$(field query_id)
http GET "/api/v1/ask/$asked/stream"
out_has 'event: clarification'
check "a question back ends the stream" test "$(sed -n 's/^event: //p' <<<"$out" | tail -n 1)" = "done"
http POST "/api/v1/ask/$asked/stop"
out_has '"status":"stopped"'
http POST /api/v1/chat "{\"message\": \"How many customers are there?\", \"session_id\": \"$session\"}"
out_has '"rows":[[2400]]'
http GET "/api/v1/chat/sessions/$session"
status_is 200
out_has '"content":"How many customers are there?"'
http GET /api/v1/chat/sessions
out_has "$session"
http POST "/api/v1/chat/sessions/$session/stop"
status_is 200
http POST /api/v1/chat/stream '{"message": "How many customers are there?"}'
status_is 200
out_has 'event: done'

# deleting a session stops what it is at
http POST /api/v1/ask "{\"query\": \"Wait for it\", \"session_id\": \"$session\"}"
slow_id=$(field query_id)
http DELETE "/api/v1/chat/sessions/$session"
status_is 200
rest "$slow_id"
out_has '"status":"stopped"'
http GET "/api/v1/chat/sessions/$session"
error_is 404 SESSION_NOT_FOUND

# a person's own SQL, guarded
http POST /api/v1/sql '{"sql": "SELECT name FROM products ORDER BY name LIMIT 2"}'
status_is 202
rest "$(field query_id)"
out_has '"row_count":2'
http POST /api/v1/sql '{"sql": "SELECT COUNT(*) FROM products", "wait": true}'
status_is 200
out_has '"status":"finished"'
out_has '"rows":[[234]]'
http POST /api/v1/sql '{"sql": "SELECT nothing FROM products", "wait": true}'
status_is 200
out_has '"status":"failed"'
http POST /api/v1/sql '{"sql": "SELECT 1", "wait": "yes"}'
status_is 400
http POST /api/v1/sql '{"sql": "DELETE FROM products"}'
failed=$(field query_id)
rest "$failed"
out_has '"status":"failed"'

# its stream: the status "failed", then "done"; who has all of it is told that there is no more
failed_stream() {
    http GET "/api/v1/ask/$failed/stream"
    status_is 200
    check "failed comes before done" test "$(grep -E '^(event|data):' <<<"$out" | tail -n 4 | head -n 3 |
        sed 's/.*"status":"\([a-z]*\)".*/\1/' | tr '\n' ' ')" = "event: status failed event: done "
    last=$(sed -n 's/^id: //p' <<<"$out" | tail -n 1)
    http GET "/api/v1/ask/$failed/stream" "" -H "Last-Event-ID: $last"
    status_is 204
    check "nothing more" test -z "$out"
    http GET "/api/v1/ask/$failed/stream?last_event_id=1"
    status_is 200
    out_has 'event: done'
}
failed_stream

# a client that goes away stops what was done for it
curl -s -m 300 -d '{"message": "Wait for it"}' "$address/api/v1/chat" >/dev/null &
leaving=$!
waits_for "the question should be at work" figure_is questions_at_work 1
waits_for "its client should wait" figure_is requests_waiting 1
kill $leaving
wait $leaving
waits_for "nothing should be at work any more" figure_is questions_at_work 0
http GET /metrics
out_has "dragoman_questions_at_work 0"
out_has 'dragoman_schema_looks_total{found="database"} 1'
out_has "dragoman_clients_gone_total 1"

serve_ends TERM

# another process knows the answers, from the store
serve "${model[@]}" "${slow[@]}" --set server.drain_s=0 --db shop.db
http GET "/api/v1/ask/$id"
out_has '"rows":[[2400]]'
http GET "/api/v1/ask/$id/stream"
out_has 'event: done'
failed_stream
http GET "/api/v1/ask/q-doesnotexist"
error_is 404 QUERY_NOT_FOUND

# what is at work at the end is kept as interrupted, and whoever waits is told
http POST /api/v1/ask '{"query": "Wait for it"}'
slow_id=$(field query_id)
curl -s -m 300 -d '{"message": "Wait for it"}' "$address/api/v1/chat" >"$work/chat" &
waiting=$!
waits_for "both questions should be at work" figure_is questions_at_work 2
waits_for "one client should wait" figure_is requests_waiting 1
serve_ends INT
check "whoever waits is answered" wait "$waiting"
out=$(cat "$work/chat")
out_has '"INTERRUPTED"'
serve "${model[@]}" --db shop.db
http GET "/api/v1/ask/$slow_id"
out_has '"INTERRUPTED"'
serve_ends TERM

summary
