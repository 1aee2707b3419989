#!/bin/bash
# The door /agents/text-to-sql, and questions that go on after they asked back.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
script agents <<S
$(first_customer)
$(best_customers)
>>> understand
when: xylophone
repeat
---
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers", "columns": ["id"], "confidence": 0.99}],
 "joins_needed": false, "summary": "Delete.", "sql": "DELETE FROM customers"}
<<<
>>> understand
when: twice
repeat
---
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers", "columns": ["id"], "confidence": 0.99}],
 "joins_needed": false, "summary": "Twice.", "sql": "SELECT 1 AS n, 2 AS n, NULL AS m FROM customers LIMIT 1"}
<<<
$(count_customers)
S
serve "${model[@]}" --set agent.approval=false --db shop.db
waits=()
base=/agents/text-to-sql

http GET $base/health
status_is 200
out_has '"status":"healthy","service":"text_to_sql_agent"'
out_has '"active_sessions":0'
http POST $base/start-session '{"dataset_id": "nothing"}'
error_is 404 DATASET_NOT_FOUND
out_has '"detail":"Dataset not found"'
http POST $base/start-session '{"dataset_id": "shop"}'
status_is 200
out_has '"table_name":"addresses"'
out_has '"sample_values":["billing","shipping"]'
out_has '"sample_questions":["'
session=$(field session_id)

http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"How many customers are there?\"}"
status_is 200
out_has '"status":"success","message":"Query executed successfully. Found 1 row."'
out_has '"sql_query":"SELECT COUNT(*) AS customers FROM customers'
out_has '"results":[{"customers":2400}],"columns":["customers"],"row_count":1'
http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"how many customers are there, twice\"}"
out_has '"results":[{"n":1,"n_2":2,"m":null}],"columns":["n","n_2","m"]'
http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"a xylophone\"}"
status_is 200
out_has '"status":"error"'
out_has '"error_details":"'
http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"best customers\"}"
out_has '"status":"clarification_needed","message":"What makes a customer the best?"'
http GET $base/health
out_has '"active_sessions":1'
http GET $base/session/$session
status_is 200
out_has '"dataset_id":"shop"'
out_has '"role":"user","content":"How many customers are there?","sql_query":null'
out_has '"role":"assistant"'
http DELETE $base/session/$session
status_is 200
out_has "\"message\":\"Session $session ended successfully\""
for method in GET DELETE; do
    http $method $base/session/$session
    error_is 404 SESSION_NOT_FOUND
    out_has '"detail":"Session not found or expired"'
done
http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"hello\"}"
error_is 404 SESSION_NOT_FOUND
http POST $base/chat '{"message": "hello"}'
error_is 400 INVALID_DATA

# answered: the same question goes on, and its events are counted on
http POST /api/v1/ask '{"query": "best customers"}'
id=$(field query_id)
rest "$id"
out_has '"type":"clarification"'
http GET "/api/v1/ask/$id/stream"
last=$(sed -n 's/^id: //p' <<<"$out" | tail -n 1)
http POST "/api/v1/ask/$id/answer" '{}'
error_is 400 INVALID_DATA
http POST "/api/v1/ask/$id/approve" '{"approved": true}'
error_is 409 NOT_WAITING
http POST "/api/v1/ask/$id/answer" '{"option": 1}'
status_is 202
check "the same question goes on" test "$(field query_id)" = "$id"
rest "$id"
out_has '"rows":[[1]]'
http POST "/api/v1/ask/$id/answer" '{"text": "Most money"}'
error_is 409 NOT_WAITING
# two answers at the same moment: one is taken
http POST /api/v1/ask '{"query": "Who are the best customers?", "new_question": true}'
twice=$(field query_id)
rest "$twice"
for _ in 1 2; do
    curl -s -m 60 -o /dev/null -w '%{http_code}\n' -d '{"text": "Most money"}' "$address/api/v1/ask/$twice/answer" >>"$work/twice" &
    waits+=($!)
done
wait "${waits[@]}"
check "of two answers one is taken" test "$(sort "$work/twice" | tr '\n' ' ')" = "202 409 "
rest "$twice"
out_has '"rows":[[1]]'
http GET "/api/v1/ask/$id/stream" "" -H "Last-Event-ID: $last"
check "events are counted on" test "$(sed -n 's/^id: //p' <<<"$out" | head -n 1)" -eq $((last + 1))
http POST /api/v1/ask '{"query": "How many customers are there?"}'
id=$(field query_id)
rest "$id"
http POST "/api/v1/ask/$id/feedback" '{"good": true}'
status_is 200
out_has '"verdict":"good"'
http POST "/api/v1/ask/$id/feedback" '{}'
error_is 400 INVALID_DATA
http POST /api/v1/ask/q-none/feedback '{"good": true}'
error_is 404 QUERY_NOT_FOUND
http POST "/api/v1/ask/$id/retry"
error_is 409 NOT_WAITING

# described
http GET /openapi.json
status_is 200
out_has '"openapi":"3.1.0"'
out_has '"/agents/text-to-sql/session/{session_id}":{"get":'
serve_ends TERM

# decimals: numbers where no digit is lost, else texts; a text that looks like one stays a text
if [ -x "$helpers/e2e_cli_duckdb" ]; then
    mkdir cells
    printf 'i\n1\n' >cells/numbers.csv
    reply "SELECT CAST(12.50 AS DECIMAL(10,2)) AS price, CAST('1234567890123456.78' AS DECIMAL(20,2)) AS big, '007' AS code FROM numbers" \
        numbers >"$work/decimals.script"
    serve --set llm.provider=scripted --set "llm.script=$work/decimals.script" --set agent.ask=never --db ./cells
    http POST $base/start-session '{"dataset_id": "cells"}'
    http POST $base/chat "{\"session_id\": \"$(field session_id)\", \"message\": \"What are the prices of the numbers?\"}"
    out_has '"results":[{"price":12.50,"big":"1234567890123456.78","code":"007"}]'
    serve_ends TERM
fi

# A reply of the SQL alone would look right: what makes it doubtful stands beside it.
says "banned" "" <<J >marks.script
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers"}], "sql": "SELECT COUNT(*) FROM customers"}
J
says "by country" "" <<J >>marks.script
{"intent": "TEXT_TO_SQL", "assumptions": ["Cancelled orders are left out."],
 "sql": "SELECT c.country, COUNT(*), AVG(o.total_amount * 0 + 90.09) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.status <> 'cancelled' GROUP BY c.country"}
J
says "walruses" "" <<J >>marks.script
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers"}], "sql": "SELECT COUNT(* FROM customers"}
J
cat >>marks.script <<S
>>> diagnose_error
---
{"error_type": "SYNTAX", "root_cause": "A bracket."}
<<<
>>> correct_sql
---
{"sql": "SELECT COUNT(** FROM customers"}
<<<
S
serve --set agent.brain=llm --set llm.provider=scripted --set "llm.script=$PWD/marks.script" --set agent.ask=never --set agent.max_sql_attempts=2 --db shop.db
# alone TEXT: in a conversation of its own
alone() {
    http POST $base/start-session '{"dataset_id": "shop"}'
    http POST $base/chat "{\"session_id\": \"$(field session_id)\", \"message\": \"$1\"}"
}
# the SQL gives "banned" no place: a reply that looks right is marked
alone "How many customers are banned?"
out_has '"status":"success"'
out_has '"query_id":"q-'
out_has '"confidence":{"score":'
out_has '"label":"unsure"'
out_has '"warnings":["'
out_has '"unplaced":[{"word":"banned"'
# what was assumed is said, and no heading is SQL
alone "How many orders are there by country of the customers?"
out_has '"assumptions":["Cancelled orders are left out."]'
out_has '"columns":["country","count","average_total_amount"]'
out_has '"average_total_amount":90.09}'
# every attempt is told
alone "How many walruses among the customers?"
out_has '"status":"error"'
out_has '"attempts":[{"sql":"SELECT COUNT(* FROM customers","error":"'
out_has '{"sql":"SELECT COUNT(** FROM customers","error":"'
serve_ends TERM

# another reading has its number, and is one request away
serve --set agent.brain=parser --set parser.accept=1 --set parser.ask=0 --set agent.min_confidence=0 --db shop.db
alone "How many orders are there?"
out_has '"readings":[{"number":1,"words":"'
out_has '"used":true},{"number":2,"words":"'
http POST "/api/v1/ask/$(field query_id)/reading" '{"reading": 2}'
status_is 202
serve_ends TERM

# expired at this door, kept for the other
serve "${model[@]}" --set session.timeout_s=1 --db shop.db
http POST $base/start-session '{"dataset_id": "shop"}'
session=$(field session_id)
sleep 2.1
http GET $base/session/$session
error_is 404 SESSION_NOT_FOUND
http GET "/api/v1/chat/sessions/$session"
status_is 200
serve_ends TERM
summary
