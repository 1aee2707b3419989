#!/bin/bash
# Results that are too large: what is left out is said, and how to get it.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
python3 -c 'import sqlite3
shop = sqlite3.connect("shop.db")
shop.execute("CREATE TABLE letters (id INTEGER PRIMARY KEY, body TEXT)")
shop.execute("INSERT INTO letters VALUES (1, ?)", ("x" * 40000,))
shop.commit()'
connect --db shop.db
greet $V11

# Many rows: each next call begins where the one before ended, until there are no more.
tool 1 execute_sql '{"sql": "SELECT id, first_name, last_name, email FROM customers ORDER BY id LIMIT 1000"}'
is '.truncated and (.rows | length) == .rows_here and .rows_here < .row_count and (.next | test("offset="))' "$data"
query=$(jq -r .query_id <<<"$data")
seen=$(jq -r '.rows[][0]' <<<"$data")
for ((call = 2; call < 12; call++)); do
    offset=$(sed -n 's/.*offset=\([0-9]*\).*/\1/p' <<<"$(jq -r '.next // ""' <<<"$data")")
    [ -n "$offset" ] || break
    tool $call execute_sql "{\"query_id\": \"$query\", \"offset\": $offset}"
    check "a result should be small" test "${#data}" -lt 25000
    seen+=$'\n'$(jq -r '.rows[][0]' <<<"$data")
done
is '.truncated == false' "$data"
check "all rows should have come, each once" test "$(sort -n <<<"$seen" | uniq | wc -l)" = 1000
check "and no more" test "$(wc -l <<<"$seen")" = 1000

# A row that is too long by itself.
tool 20 execute_sql '{"sql": "SELECT id, body FROM letters"}'
is '.truncated and (.rows | length) == 1 and .rows[0][0] == 1 and (.rows[0][1] | test("… \\[cut\\]$") and length < 600)' "$data"
is '.next | test("SUBSTR")' "$data"

# SQL is whole, or says that it was cut.
sql="SELECT id FROM customers WHERE id IN (0$(printf ', %d' $(seq 700)))"
tool 21 execute_sql "{\"sql\": \"$sql\"}"
is '(.sql | length) > 2500 and (.sql | test("700\\)"))' "$data"
sql="SELECT id FROM customers WHERE id IN (0$(printf ', %d' $(seq 2400)))"
tool 22 execute_sql "{\"sql\": \"$sql\"}"
is '(.sql | length) < 8100 and (.sql | test("… \\[cut\\]$"))' "$data"
hang_up
status_is 0
summary
