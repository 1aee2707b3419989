#!/bin/bash
# search_objects and explain.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
connect --db shop.db
greet $V11
tool 1 search_objects '{}'
is '(.objects | length) == 15 and .truncated == false and ([.objects[].kind] | all(. == "table"))' "$data"
tool 2 search_objects '{"words": "orders"}'
is '.objects[0].name == "orders" and .objects[0].kind == "table" and .objects[0].datasource == "shop"' "$data"
is '.objects[0].columns == null' "$data"
tool 3 search_objects '{"words": "shipping status of orders", "detail": "summary"}'
is '[.objects[] | select(.kind == "table" and .name == "orders") | .columns | index("status") != null] | any' "$data"
tool 4 search_objects '{"words": "wholesale"}'
is '[.objects[] | select(.kind == "value") | .name] | index("customers.segment = '"'wholesale'"'") != null' "$data"
tool 5 search_objects '{"words": "order", "detail": "full"}'
is '.truncated and (.total > (.objects | length)) and (.next | length) > 5' "$data"
is '[.objects[] | .table // "" | test("customer_id INTEGER -> customers.id")] | any' "$data"
tool 6 search_objects '{"words": "xyzzy"}'
is '.objects == [] and .total == 0' "$data"
tool 7 search_objects '{"datasource": "nothing"}'
is '.result.isError'
tool 8 search_objects '{"detail": "everything"}'
is '.result.isError and (.result.content[0].text | test("names"))'

tool 10 ask '{"question": "how many customers are there?"}'
id=$(jq -r .query_id <<<"$data")
tool 11 explain "{\"query_id\": \"$id\"}"
is '.sql != null and .tables_used == ["customers"] and (.path | index("FINISHED") != null) and .confidence.label == "sure" and .brain == "parser"' "$data"
tool 12 explain '{"query_id": "q-nothing"}'
is '.result.isError'
tool 13 explain '{}'
is '.result.isError'

# A result has a size; what is left out is said, and can be had.
tool 20 execute_sql '{"sql": "SELECT id, first_name, last_name, email FROM customers ORDER BY id"}'
is '.truncated and .rows_here < .row_count and (.rows | length) == .rows_here' "$data"
check "a result should not be large" test ${#data} -lt 25000
here=$(jq .rows_here <<<"$data")
is '.next | test("offset='"$here"'")' "$data"
id=$(jq -r .query_id <<<"$data")
tool 21 execute_sql "{\"query_id\": \"$id\", \"offset\": $here}"
is ".offset == $here and .rows[0][0] == $here + 1" "$data"
tool 22 execute_sql "{\"query_id\": \"$id\", \"offset\": 999999}"
is '.rows == [] and .truncated == false' "$data"
tool 23 execute_sql '{"sql": "SELECT group_concat(email, '"'é'"') AS wide FROM customers"}'
is '.truncated and (.rows | length) == 1 and (.rows[0][0] | test("cut"))' "$data"
hang_up
status_is 0
summary
