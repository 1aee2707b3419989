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

# What an answer assumed is confirmed by \keep, changed by \change, and taken back by \undo.
assuming() { # WORDS ASSUMPTIONS SQL
    printf '>>> understand\nrepeat\nwhen: %s\n---\n{"intent": "TEXT_TO_SQL", "assumptions": [%s], ' "$1" "$2"
    printf '"sql": "%s", "confidence": 0.9}\n<<<\n' "$3"
}
script assumed < <(
    assuming 'mean those with one order' '' "SELECT 3 AS n FROM customers LIMIT 1"
    assuming "new customers" '"New customers are those of this year."' "SELECT 4 AS n FROM customers LIMIT 1"
    assuming "Include cancelled orders" '"Cancelled orders are left out.", "Today counts."' "SELECT 2 AS n FROM orders LIMIT 1"
    assuming "cancelled orders" '"Cancelled orders are left out.", "Today counts."' "SELECT 1 AS n FROM orders LIMIT 1"
    assuming "customers" '' "SELECT 5 AS n FROM customers LIMIT 1"
)
talk "${model[@]}" --set agent.ask=never chat --db shop.db --format csv <<'L'
\keep
\change 1
How many customers?
\change it is not so
How many orders with cancelled orders?
\change
\change 7
\change 1
How many new customers?
\change
\change those with one order
L
err_has "Nothing has been asked yet."
err_has "The last answer assumed nothing."
err_has "1  Cancelled orders are left out."
err_has "2  Today counts."
err_has "\\keep remembers it; \\change N WORDS says what you mean instead."
err_has "Say which assumption is to be changed."
check "the assumption should be changed" test "$(tr '\n' ' ' <<<"$out")" = "n 5 n 1 n 2 n 4 n 3 "
err_has "Say what you mean instead."

# remembered in a conversation, and by the command line; both are lessons, and both can be forgotten
talk "${model[@]}" --set agent.ask=never chat --db shop.db --format csv <<'L'
How many new customers?
\keep
L
status_is 0
err_has 'Remembered: "How many new customers?" is answered like this from now on.'
run lessons list --db shop.db --format csv
out_has "query_pattern,How many new customers?,SELECT 4 AS n FROM customers LIMIT 1"
talk chat --brain parser --db shop.db --format csv <<'L'
How many new customers?
\keep
\undo
L
out_has $'n\n4'
err_has "Forgotten."
run lessons list --db shop.db --format csv
out_lacks "New customers"
run ask --keep last "How many?"
status_is 2
err_has "takes no question"
run ask "${model[@]}" --set agent.ask=never --brain llm --fresh --no-memory --db shop.db "How many new customers?"
err_has "dragoman ask --db shop.db --keep last remembers it."
run ask --keep last
status_is 0
err_has "Remembered:"
run lessons list --db shop.db --format csv
out_has "query_pattern,How many new customers?"
run ask --keep nothing
err_is_friendly

summary
