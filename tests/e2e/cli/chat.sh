#!/bin/bash
# A conversation through a pipe.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
count=$("$dragoman" sql --db shop.db --format csv "SELECT COUNT(*) AS n FROM customers" | tail -n 1)

talk() { # ARGUMENT...; the lines come from standard input
    cat >"$work/lines"
    run_with "$work/lines" "$@"
}

script count < <(reply "SELECT COUNT(*) AS n FROM customers" customers)
talk "${model[@]}" chat --db shop.db --format csv <<'L'
How many customers are there?
\sql
\sql SELECT 6 * 7 AS answer
\format json
\sql SELECT 6 * 7 AS answer
L
status_is 0
out_has $'n\n'"$count"
out_has "SELECT COUNT(*)"
out_has $'answer\n42'
out_has '{"answer":42}'
out_lacks "dragoman>"
err_lacks "dragoman>"

talk chat --db shop.db <<'L'
\tables
\schema customers
\help
\db
\quit
\nothing after quit
L
status_is 0
out_has "customers"
out_has "primary"
out_has "\\save FILE"
out_has "shop"
err_is_empty

talk chat --db shop.db <<'L'
\shema
\schema custmers
\explain
\save x.csv
\sql DELETE FROM customers
L
check "the last failure is the status" matches "$status" '^(3|27)$'
err_has "Did you mean \\schema?"
err_has "customers"
err_has "Nothing has been asked yet."

# No model: said once in full, and the rest still works.
talk chat --db shop.db <<'L'
How many customers are there?
How many customers are there now?
\sql SELECT COUNT(*) AS n FROM customers
L
status_is 30
check "the hint should be shown once" test "$(grep -c OPENAI_API_KEY <<<"$err")" -eq 1
err_has "\\sql, \\schema and \\tables work without a model"
out_has "$count"

# A question back is answered by the next line.
script unclear < <(
    cat <<'S'
>>> understand
---
{"intent": "CLARIFICATION_NEEDED", "clarification": {"question": "Which customers?", "options": ["all customers", "active customers"]}}
<<<
S
    reply "SELECT COUNT(*) AS n FROM customers" customers
)
talk "${model[@]}" chat --db shop.db --format csv <<'L'
Something about customers
1
L
err_has "question: "
out_has $'n\n'"$count"

talk "${model[@]}" chat --db shop.db <<'L'
\sql SELECT 1 AS one
\save saved.csv
\save saved.csv
\save saved.json
\save saved.md
L
check "saved rows" test "$(cat saved.csv)" = $'one\n1'
check "saved rows" test "$(cat saved.json)" = $'[\n {"one":1}\n]'
err_has "exists already"

talk chat --db nowhere.db <<'L'
\tables
L
status_is 10

# A word on an answer.
script judged < <({
    reply "SELECT COUNT(*) AS n FROM customers" customers
    reply "SELECT 42 AS n FROM customers LIMIT 1" customers
    reply "SELECT 43 AS n FROM orders LIMIT 1" orders
} | sed '/^repeat$/d')
talk "${model[@]}" chat --brain llm --db shop.db --format csv <<'L'
How many customers does the shop have?
\wrong
\good
\ask orders in all
L
out_has $'n\n'"$count"
err_has "marked as wrong"
out_has $'n\n42'
err_has "Marked as right"
out_has $'n\n43'

summary
