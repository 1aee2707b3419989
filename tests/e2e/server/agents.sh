#!/bin/bash
# The door /agents/text-to-sql, and questions that go on after they asked back.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
script agents <<'S'
>>> understand
when: Most money
repeat
---
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers", "columns": ["id"], "confidence": 0.99}],
 "joins_needed": false, "summary": "One customer.", "sql": "SELECT id FROM customers ORDER BY id LIMIT 1"}
<<<
>>> understand
when: best customers
repeat
---
{"intent": "CLARIFICATION_NEEDED",
 "clarification": {"question": "What makes a customer the best?", "options": ["Most money", "Most orders"]}}
<<<
>>> understand
when: xylophone
repeat
---
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers", "columns": ["id"], "confidence": 0.99}],
 "joins_needed": false, "summary": "Delete.", "sql": "DELETE FROM customers"}
<<<
>>> understand
when: twins
repeat
---
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers", "columns": ["id"], "confidence": 0.99}],
 "joins_needed": false, "summary": "Twice.", "sql": "SELECT 1 AS n, 2 AS n, NULL AS m FROM customers LIMIT 1"}
<<<
>>> understand
repeat
---
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers", "columns": ["id"], "confidence": 0.99}],
 "joins_needed": false, "summary": "Count the customers.", "sql": "SELECT COUNT(*) AS customers FROM customers"}
<<<
S
serve "${model[@]}" --set agent.approval=false --db shop.db
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
http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"the twins\"}"
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
