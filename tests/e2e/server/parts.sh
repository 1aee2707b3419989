#!/bin/bash
# An answer is changed part by part, under the policy of whoever asks; SQL is checked without running it.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
cat >dragoman.yaml <<'Y'
datasources:
  - id: shop
    url: shop.db
    policy:
      columns: {deny: ["customers.email"]}
      rows: {orders: status != 'refunded'}
      accounts:
        bob: {tables: {allow: [products, orders]}}
        cat: {approval: true}
        dan: {max_rows: 2}
Y
ann=$("$dragoman" keys add ann 2>/dev/null)
bob=$("$dragoman" keys add bob 2>/dev/null)
cat=$("$dragoman" keys add cat 2>/dev/null)
dan=$("$dragoman" keys add dan 2>/dev/null)
serve --set agent.brain=parser
as() { http "$2" "$3" "${4-}" -H "Authorization: Bearer $1"; }
# change KEY ID PARTS: the answer to changed parts
change() {
    as "$1" POST "/api/v1/ask/$2/change" "{\"parts\": $3}"
    status_is 202
    changed=$(field query_id)
    settled "$1" "$changed"
}
settled() {
    local until=$((SECONDS + 60))
    while [ $SECONDS -lt $until ]; do
        as "$1" GET "/api/v1/ask/$2"
        case $(field status) in finished | failed | stopped) return ;; esac
        sleep 0.05
    done
    fail "question $2 should come to rest"
}

# what an answer is made of
as "$ann" POST /api/v1/chat/sessions '{"datasource": "shop"}'
session=$(field session_id)
as "$ann" POST /api/v1/ask "{\"query\": \"total amount of orders by status\", \"session_id\": \"$session\"}"
first=$(field query_id)
settled "$ann" "$first"
as "$ann" GET "/api/v1/ask/$first/parts"
status_is 200
out_has '"fits":true'
out_has '"measures":[{"figure":"sum","column":"orders.total_amount","label":"sum of total amount"}]'
out_has '"columns":[{"column":"orders.status","label":"status"}]'
out_has '"column":"customers.first_name"'
out_lacks 'customers.email'

# changed, and changed again; no model was there. A later question builds on it
change "$ann" "$first" '{"measures": [{"figure": "count", "table": "orders"}], "columns": [{"column": "orders.ordered_at", "by": "year"}]}'
out_has '"question":"Changed: number of orders instead of sum of total amount; by year of ordered at instead of by status"'
out_has "\"session_id\":\"$session\""
out_has 'GROUP BY year ORDER BY year'
out_has '"status":"finished"'
change "$ann" "$changed" '{"measures": [{"figure": "count", "table": "orders"}], "columns": [{"column": "orders.ordered_at", "by": "year"}], "filters": [{"column": "orders.status", "test": "is", "values": ["cancelled"]}]}'
out_has "status = 'cancelled'"
as "$ann" POST /api/v1/ask "{\"query\": \"only in 2024\", \"session_id\": \"$session\"}"
settled "$ann" "$(field query_id)"
out_has "status = 'cancelled'"
out_has "ordered_at >= '2024-01-01'"
as "$ann" GET "/api/v1/chat/sessions/$session"
out_has 'Changed: only where status is cancelled'

# figures are corrected as everywhere: orders are not added up once for each of their items
change "$ann" "$first" '{"measures": [{"figure": "sum", "column": "orders.total_amount"}], "filters": [{"column": "order_items.quantity", "test": "more", "values": ["1"]}]}'
out_has '"status":"finished"'
out_has 'row_of_orders'

# what is not there, or not for this account
as "$ann" POST "/api/v1/ask/$first/change" '{"parts": {"columns": [{"column": "customers.email"}]}}'
error_is 400 INVALID_DATA
as "$ann" POST "/api/v1/ask/$first/change" '{"parts": {"columns": [{"column": "orders.status; DROP TABLE orders"}]}}'
error_is 400 INVALID_DATA
as "$ann" POST "/api/v1/ask/$first/change" '{"parts": {"columns": "orders.status"}}'
error_is 400 INVALID_DATA
as "$ann" POST "/api/v1/ask/$first/change" '{"parts": {"sql": "SELECT 1"}}'
error_is 400 INVALID_DATA
as "$ann" POST "/api/v1/ask/$first/change" '{"parts": {"measures": [{"figure": "sum", "column": "orders.total_amount"}], "columns": [{"column": "orders.status"}], "order": []}}'
error_is 400 INVALID_DATA # nothing was changed
as "$bob" GET "/api/v1/ask/$first/parts"
error_is 404 QUERY_NOT_FOUND
as "$bob" POST "/api/v1/ask/$first/change" '{"parts": {"columns": [{"column": "orders.status"}]}}'
error_is 404 QUERY_NOT_FOUND
as "$ann" GET /api/v1/ask/q-nothing/parts
error_is 404 QUERY_NOT_FOUND
as "$bob" POST /api/v1/ask '{"query": "how many orders are there?"}'
own=$(field query_id)
settled "$bob" "$own"
as "$bob" GET "/api/v1/ask/$own/parts"
out_has '"fits":true'
out_lacks 'customers'
as "$bob" POST "/api/v1/ask/$own/change" '{"parts": {"measures": [{"figure": "count", "table": "customers"}]}}'
error_is 400 INVALID_DATA

# cells to choose from, as the account may see them
as "$ann" GET "/api/v1/ask/$first/values?column=orders.status"
status_is 200
out_has '{"value":"completed","count":'
out_lacks 'refunded'
as "$ann" GET "/api/v1/ask/$first/values?column=orders.status&search=canc"
out_has '{"values":[{"value":"cancelled","count":'
as "$ann" GET "/api/v1/ask/$first/values?column=customers.email"
error_is 400 INVALID_DATA
as "$bob" GET "/api/v1/ask/$own/values?column=customers.first_name"
error_is 400 INVALID_DATA

# what is searched for is meant as it stands: it is no pattern
for search in %25 c_n 'c%25d'; do
    as "$ann" GET "/api/v1/ask/$first/values?column=orders.status&search=$search"
    status_is 200
    out_has '"values":[]'
done
for value in '_' '%' 'c_n' 'c%d'; do
    change "$ann" "$first" "{\"columns\": [{\"column\": \"orders.status\"}], \"filters\": [{\"column\": \"orders.status\", \"test\": \"contains\", \"values\": [\"$value\"]}]}"
    out_has '"status":"finished"'
    out_has '"row_count":0'
    as "$ann" GET "/api/v1/ask/$changed/parts"
    out_has "\"test\":\"contains\",\"values\":[\"$value\"]"
done

# under a policy that wants each query approved, or allows few rows
as "$cat" POST /api/v1/sql '{"sql": "SELECT status FROM orders LIMIT 1", "wait": true}'
approved=$(field query_id)
as "$cat" POST "/api/v1/ask/$approved/approve" '{"approved": true}'
settled "$cat" "$approved"
out_has '"status":"finished"'
as "$cat" GET "/api/v1/ask/$approved/values?column=orders.status"
error_is 403 FORBIDDEN
out_has 'a person has to approve'
as "$dan" POST /api/v1/sql '{"sql": "SELECT status FROM orders LIMIT 1", "wait": true}'
few=$(field query_id)
as "$dan" GET "/api/v1/ask/$few/values?column=orders.status"
status_is 200
check "it should be two values" test "$(grep -o '"value":' <<<"$out" | wc -l)" = 2
out_has '"more":true'
as "$dan" GET "/api/v1/ask/$few/values?column=orders.status&search=completed"
out_has '"more":false'

# nobody learns whether a question of somebody else is there
same_of_both() { # METHOD PATH [BODY]
    local id said='' other=''
    for id in "$first" q-nothing; do
        as "$bob" "$1" "/api/v1/ask/$id$2" "${3-}"
        error_is 404 QUERY_NOT_FOUND
        other=$said said=$out
    done
    check "it should say the same of both" test "$said" = "$other"
}
for path in "" /kept /parts "/values?column=orders.status" /rows "/export?format=csv" /chart /chart.svg /stream; do
    same_of_both GET "$path"
done
same_of_both POST /change '{"parts": {"columns": [{"column": "orders.status"}]}}'
same_of_both POST /reading '{"reading": 1}'
same_of_both POST /answer '{"text": "yes"}'
same_of_both POST /approve '{"approved": true}'
same_of_both POST /retry

# what a terminal or an editor would obey is an escape in JSON
as "$ann" POST /api/v1/sql '{"sql": "SELECT char(27) || char(155) || char(8238) || char(8232) AS x", "wait": true}'
id=$(field query_id)
as "$ann" GET "/api/v1/ask/$id/kept"
status_is 200
out_has '\u009b\u202e\u2028'

# an answer that has no parts says so
as "$ann" POST /api/v1/sql '{"sql": "SELECT id FROM orders UNION SELECT id FROM customers", "wait": true}'
as "$ann" GET "/api/v1/ask/$(field query_id)/parts"
status_is 200
out_has '"fits":false'
out_has 'it combines several queries'

# SQL is checked, not run
as "$ann" POST /api/v1/sql/check '{"sql": "SELECT id FROM orders"}'
status_is 200
out_has '"allowed":true'
as "$ann" POST /api/v1/sql/check '{"sql": "SELECT id FROM ordrs"}'
out_has '"allowed":false'
out_has '"position":15'
as "$ann" POST /api/v1/sql/check '{"sql": "SELECT email FROM customers"}'
out_has '"allowed":false'
as "$bob" POST /api/v1/sql/check '{"sql": "SELECT id FROM customers"}'
out_has '"allowed":false'
as "$ann" POST /api/v1/sql/check '{"sql": "DELETE FROM orders"}'
out_has '"write":true'
# not more often than somebody types
refused=0
for _ in $(seq 40); do
    as "$bob" POST /api/v1/sql/check '{"sql": "SELECT 1"}'
    [ "$status" = 429 ] && refused=1 && break
done
check "a flood of checks should be refused" test "$refused" = 1
check "it should say when to come back" grep -qi '^Retry-After:' <<<"$head"
serve_ends TERM
summary
