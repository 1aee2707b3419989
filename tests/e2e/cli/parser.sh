#!/bin/bash
# The built-in parser at the command line: nothing is configured, nothing is asked.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
unset DRAGOMAN_AGENT_BRAIN

"$dragoman" sample shop.db >/dev/null 2>&1
count=$("$dragoman" sql --db shop.db --format csv "SELECT COUNT(*) AS n FROM customers" | tail -n 1)

run ask --db shop.db --format csv "how many customers are there?"
status_is 0
check "the count should come" test "$(printf '%s\n' "$out" | tail -n 1)" = "$count"
err_is_empty

run ask --db shop.db --explain "how many customers are there?"
status_is 0
out_has "parser, "
out_has ", sure"
out_has "tokens saved"

run ask --db shop.db --json "how many customers are there?"
out_has '"brain":"parser"'
out_has '"parser_probability":'
out_has '"tokens_saved":'

# Too unsure: the readings are the choices, and the answer goes on in another process.
run --set parser.accept=1 --set parser.ask=1 ask --db shop.db "how many customers are there?"
status_is 4
err_has "question: "
err_has "  1  "
id=$(printf '%s\n' "$err" | grep -o 'q-[a-z0-9]*' | head -n 1)
run ask --db shop.db --format csv --resume "$id" 1
status_is 0
check "the count should come" test "$(printf '%s\n' "$out" | tail -n 1)" = "$count"

# A conversation without a model, as `make chat` begins it.
cat >"$work/lines" <<'L'
hello
how many customers are there?
what tables are there?
delete all customers
L
run_with "$work/lines" chat --db shop.db --format csv
out_has "$count"
out_has "customers"
err_has "would change data"

# Numbered readings: another one is a number away, at the prompt and in a conversation.
doubtful="list the products with a price above 100"
run --set parser.accept=1 --set agent.min_confidence=0 ask --db shop.db --format csv "$doubtful"
status_is 0
first=$(head -n 2 <<<"$out")
err_has "  1  "
err_has "(this answer)"
err_has "dragoman ask --db shop.db --reading N"
run ask --db shop.db --format csv --reading 2
status_is 0
check "another reading should give other rows" test "$(head -n 2 <<<"$out")" != "$first"
run ask --db shop.db --format csv --reading 1
check "the first one should come back" test "$(head -n 2 <<<"$out")" = "$first"
run ask --format csv --reading 2
status_is 0
check "the database is known from the question" test "$(head -n 2 <<<"$out")" != "$first"
run ask --db shop.db --format csv --reading 1
run ask --db shop.db --reading 9
status_is 2
err_has "There is no reading 9"
run ask --db shop.db --reading two
status_is 2
err_is_friendly
run ask --db shop.db --reading 2 "and a question"
status_is 2
printf '%s\n\\2\n\\99\n' "$doubtful" >lines
run_with lines --set parser.accept=1 --set agent.min_confidence=0 chat --db shop.db --format csv
err_has "\\2 chooses the second one"
err_has "There is no reading 99"

# The last question under a name, without its SQL.
run saved add --db shop.db products
status_is 0
out_has "question: $doubtful"
run saved add products_again
status_is 0
out_has "question: $doubtful"
run saved run --db shop.db products
status_is 0
run history
status_is 0
out_has "$doubtful"

run doctor --db shop.db
status_is 0
out_has "parser"
out_has "the built-in parser answers"

# Weights that are none: said plainly, with what to do. (Not the question from above: its
# answer was confirmed by choosing, so it is remembered.)
printf 'not weights' >none.dgw
run --set parser.weights=none.dgw ask --db shop.db "how many orders are there?"
status_is 47
err_has "error: "
run --set parser.weights=missing.dgw ask --db shop.db "how many orders are there?"
status_is 46
err_is_friendly

# What only a model may answer says how to get one.
run ask --db shop.db --brain llm "how many orders are there?"
status_is 30
err_has "OPENAI_API_KEY"
summary
