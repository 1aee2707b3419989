#!/bin/bash
# The answer in a sentence: on every interface, in the language that the request asks for.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
{
    says "Most money" "" <<'J'
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers", "columns": ["id"], "confidence": 0.99}], "summary": "All.", "sql": "SELECT COUNT(*) FROM orders"}
J
    best_customers
    says "" "" <<'J'
{"intent": "TEXT_TO_SQL", "tables": [{"name": "orders", "columns": ["channel"], "confidence": 0.99}], "summary": "Orders.",
 "sql": "SELECT channel, COUNT(*) AS orders FROM orders GROUP BY channel"}
J
} >model.script
settings=(--set agent.brain=llm --set llm.provider=scripted --set "llm.script=$PWD/model.script" --set agent.recall=false --db shop.db)
question="orders per channel"
english='online leads with 6,692 orders, 66 % of the total, followed by store (3,508 orders); online is 91 % higher.'
german='online führt mit 6.692 orders, 66 % der Summe, gefolgt von store (3.508 orders); online liegt 91 % höher.'
spanish='online va en cabeza con 6692 orders, el 66 % del total, por delante de store (3508 orders); online está un 91 % por encima.'

# the command line: above a table, and nowhere else
run ask "${settings[@]}" "$question"
check "the sentence comes first" test "$(sed -n 1p <<<"$out")" = "$english"
run ask "${settings[@]}" --set answer.language=es "$question"
check "the setting chooses the language" test "$(sed -n 1p <<<"$out")" = "$spanish"
for other in --quiet "--format csv" "--format json" "--format markdown"; do
    # shellcheck disable=SC2086
    run ask "${settings[@]}" $other "$question"
    out_lacks 'leads'
done
run sql --db shop.db "SELECT COUNT(*) FROM orders"
out_lacks '10,200'

# the server: the field, then the header, then the setting
serve "${settings[@]}"
http POST /api/v1/chat "{\"message\": \"$question\"}"
out_lacks '"session_id"' # it stands alone: docs/http.md
out_has "\"text\":\"$english\""
out_has '"explanation":"Counts rows of orders'
http POST /api/v1/chat "{\"message\": \"$question\"}" -H 'Accept-Language: de-AT,de;q=0.9,en;q=0.5'
out_has "\"text\":\"$german\""
http POST /api/v1/chat "{\"message\": \"$question\", \"language\": \"es\"}" -H 'Accept-Language: de'
out_has "\"text\":\"$spanish\""
http POST /api/v1/chat "{\"message\": \"$question\", \"language\": \"tlh\"}"
out_has "\"text\":\"$english\""
http POST /api/v1/sql '{"sql": "SELECT COUNT(*) FROM orders", "wait": true, "language": "de"}'
out_has '"text":"10.200 orders."'

# a question that asks back stays in its language
http POST /api/v1/ask '{"query": "best customers", "language": "de"}'
id=$(field query_id)
rest "$id"
out_has '"type":"clarification"'
http POST "/api/v1/ask/$id/answer" '{"text": "Most money"}'
status_is 202
answered() { http GET "/api/v1/ask/$id" && grep -q '"type":"rows"' <<<"$out"; }
waits_for "the question should be answered" answered
out_has '"text":"10.200 orders."'

# the other interfaces
http POST /agents/text-to-sql/start-session '{"dataset_id": "shop"}'
session=$(field session_id)
http POST /agents/text-to-sql/chat "{\"session_id\": \"$session\", \"message\": \"$question\"}"
out_has '"message":"Query executed successfully. Found 2 rows."'
out_has "\"text\":\"$english\""
http POST /v1/chat/completions "{\"model\": \"shop\", \"messages\": [{\"role\": \"user\", \"content\": \"$question\"}]}" -H 'Accept-Language: de'
out_has "\"content\":\"$german\\n\\n| channel"
http POST /mcp "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"execute_sql\", \"arguments\":
  {\"sql\": \"SELECT COUNT(*) FROM orders\"}, \"_meta\": {\"io.modelcontextprotocol/protocolVersion\": \"2026-07-28\",
  \"io.modelcontextprotocol/clientCapabilities\": {}}}}" -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' \
    -H 'Mcp-Name: execute_sql' -H 'Accept: application/json, text/event-stream'
out_has '10,200 orders.'
serve_ends TERM
summary
