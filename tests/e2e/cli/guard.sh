#!/bin/bash
# dragoman guard: allowed or not, why, and where.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
for dialect in sqlite duckdb postgres mysql clickhouse bigquery odbc; do
    run guard --dialect $dialect "SELECT 1"
    status_is 0
    out_is "allowed"
    run guard --dialect $dialect "DELETE FROM orders"
    status_is 3
    out_has "write"
    run guard --dialect $dialect "DROP TABLE orders"
    status_is 3
    out_has "refused"
    run guard --dialect $dialect "SELECT 1; DROP TABLE orders"
    status_is 3
done

run guard --dialect sqlite "SELECT * FROM (SELECT"
status_is 3
run guard --dialect sqlite "hello there"
status_is 3
run guard --dialect cobol "SELECT 1"
status_is 2
run guard --dialect sqlite ""
status_is 2
run guard --db shop.db "SELECT COUNT(*) FROM customers"
status_is 0
run guard --db shop.db "SELECT * FROM no_such_table"
status_is 3
run guard --db nowhere.db "SELECT 1"
status_is 10

# The caret stands under the byte that the JSON names, behind wide characters too.
sql="SELECT '日本', 1; DROP TABLE t"
run guard --dialect sqlite --json "$sql"
status_is 3
check "the verdict should be JSON" matches "$out" '"allowed":false.*"position":([0-9]+)'
position=${BASH_REMATCH[1]}
run guard --dialect sqlite "$sql"
status_is 3
before=$(head -c "$position" <<<"$sql")
wide=$(($(tr -cd '日本' <<<"$before" | wc -m)))
caret=$(grep '^ *^$' <<<"$out")
check "the caret should be at its place" test "${#caret}" -eq $((2 + ${#before} + wide + 1))

echo "SELECT 1" >query.sql
run_with query.sql guard --dialect sqlite
status_is 0
out_is "allowed"

summary
