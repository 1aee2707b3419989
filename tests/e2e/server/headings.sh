#!/bin/bash
# Columns that a model's SQL computes and does not name have headings in words, wherever rows go. What a person wrote
# keeps what the engine calls it.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
sql="SELECT status, COUNT(*), SUM(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END), ROUND(AVG(total_amount), 2) FROM orders GROUP BY status"
says "" "" <<J >model.script
{"intent": "TEXT_TO_SQL", "tables": [{"name": "orders", "columns": ["status"], "confidence": 0.99}], "summary": "Orders.", "sql": "$sql"}
J
settings=(--set agent.brain=llm --set llm.provider=scripted --set "llm.script=$PWD/model.script" --set agent.ask=never)
question="How many orders are there for each status, and their average total amount?"
csv=status,count,cancelled,average_total_amount
first_line() { sed -n 1p; }
starts() { check "the first line should be $csv" test "$(first_line <<<"$out" | tr -d '\r')" = "$csv"; }

# the command line: streamed, collected, as a table
run ask "${settings[@]}" --db shop.db --format csv "$question"
status_is 0
starts
run ask "${settings[@]}" --db shop.db --format json "$question"
out_has '"count":'
out_has '"average_total_amount":'
out_lacks 'COUNT('
run ask "${settings[@]}" --db shop.db "$question"
out_has 'cancelled  average_total_amount'
run ask "${settings[@]}" --db shop.db --json "$question"
out_has '"columns":["status","count","cancelled","average_total_amount"]'
out_has 'COUNT(*)' # the SQL is as it was written
run sql --db shop.db --format csv "SELECT COUNT(*) FROM orders"
out_has 'COUNT(*)'

# the server: the answer, further pages, exports; whole, and where the SQL runs again
for rows in 1000 2; do
    rm -rf "$XDG_DATA_HOME/dragoman"
    serve "${settings[@]}" --set sql.default_rows=$rows --db shop.db
    http POST /api/v1/ask "{\"query\": \"$question\"}"
    id=$(field query_id)
    rest "$id"
    out_has '"columns":["status","count","cancelled","average_total_amount"]'
    http GET "/api/v1/ask/$id/rows?offset=1&limit=2"
    out_has '"columns":["status","count","cancelled","average_total_amount"]'
    http GET "/api/v1/ask/$id/export?format=csv"
    starts
    http GET "/api/v1/ask/$id/export?format=json"
    out_has '"average_total_amount":'
    out_lacks 'COUNT('
    http POST /api/v1/sql '{"sql": "SELECT status, COUNT(*) FROM orders GROUP BY status", "wait": true}'
    out_has '"columns":["status","COUNT(*)"]'
    http GET "/api/v1/ask/$(field query_id)/export?format=csv"
    check "own SQL keeps its heading" test "$(first_line <<<"$out" | tr -d '\r')" = "status,COUNT(*)"
    serve_ends TERM
done
summary
