#!/bin/bash
# Where the question comes from, and questions that are none.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
script count < <(reply "SELECT COUNT(*) AS n FROM customers" customers)
expected=$("$dragoman" sql --db shop.db --format csv "SELECT COUNT(*) AS n FROM customers")

run "${model[@]}" ask --db shop.db --format csv "How many customers are there?"
status_is 0
out_is "$expected"

run "${model[@]}" ask --db shop.db --format csv How many customers are there
status_is 0
out_is "$expected"

echo "How many customers are there?" >question.txt
run_with question.txt "${model[@]}" ask --db shop.db --format csv
status_is 0
out_is "$expected"
run_with question.txt "${model[@]}" ask --db shop.db --format csv -
status_is 0
out_is "$expected"

: >empty.txt
run_with empty.txt "${model[@]}" ask --db shop.db
status_is 18
err_is_friendly
run "${model[@]}" ask --db shop.db "   "
status_is 18

head -c 1048576 /dev/zero | tr '\0' a >large.txt
run_with large.txt "${model[@]}" ask --db shop.db
status_is 16
err_is_friendly
head -c 8388608 /dev/zero | tr '\0' a >huge.txt
run_with huge.txt "${model[@]}" ask --db shop.db
status_is 16

printf 'how many \xff\xfe customers' >bad.txt
run_with bad.txt "${model[@]}" ask --db shop.db
status_is 17
err_is_friendly
printf 'how many\0 customers' >nul.txt
run_with nul.txt "${model[@]}" ask --db shop.db
status_is 17
run "${model[@]}" ask --db shop.db $'how \xc3\x28'
status_is 17

echo "SELECT 6 * 7 AS answer" >query.sql
run_with query.sql sql --db shop.db --format csv
status_is 0
out_is $'answer\n42'
run_with empty.txt sql --db shop.db
status_is 2

# SQL alone, SQL checked but not run, the whole object.
run "${model[@]}" ask --db shop.db --sql-only "How many customers are there?"
status_is 0
check "only the SQL should be printed" matches "$out" '^SELECT [^'$'\n'']*customers[^'$'\n'']*$'
run "${model[@]}" ask --db shop.db --dry-run "How many customers are there?"
status_is 0
out_has "customers"
out_lacks "$(tail -n 1 <<<"$expected")"$'\n'
run "${model[@]}" ask --db shop.db --json "How many customers are there?"
status_is 0
err_is_empty
check "one line of JSON" matches "$out" '^\{"query_id":"[^'$'\n'']*\}$'
out_has '"status":"finished"'
out_has '"rows":[['
run "${model[@]}" ask --db shop.db --explain --fresh "How many customers are there?"
status_is 0
out_has "SQL"
out_has "customers"
out_has "confidence"

# Settings by file, environment and flag.
cat >dragoman.yaml <<YAML
datasources:
  - id: store
    url: shop.db
llm:
  provider: scripted
  script: $work/count.script
YAML
run ask --format csv "How many customers are there?"
status_is 0
out_is "$expected"
run ask --db store --format csv "How many customers are there?"
status_is 0
out_is "$expected"
run ask --db stroe "How many customers are there?"
status_is 10
err_has "Did you mean 'store'?"
# A configured id wins over a file or folder of the same name in the working folder; those need a / or, as a file, a dot.
mkdir store empty
printf 'id\n1\n' >store/evil.csv
run ask --db store --format csv "How many customers are there?"
status_is 0
out_is "$expected"
run schema --db ./store
out_has "evil"
out_lacks "customers"
run schema --db empty
status_is 10
err_has "--db ./empty"
run serve --db empty --db store --listen 127.0.0.1:0
status_is 10
err_has "--db ./empty"
sed 's/id: store/id: store.db/' dragoman.yaml >dotted.yaml
printf 'no database' >store.db
run --config dotted.yaml ask --db store.db --format csv "How many customers are there?"
status_is 0
out_is "$expected"
run --config dotted.yaml schema --db ./store.db
check "the file is none" test "$status" -ne 0
rm -r store empty store.db
cp shop.db other.db
run ask --db other.db --json "How many customers are there?"
status_is 0
out_has '"datasource":"other"'
DRAGOMAN_LLM_MODEL=from-environment run config llm.model
out_is "from-environment"
DRAGOMAN_LLM_MODEL=from-environment run config --set llm.model=from-flag llm.model
out_is "from-flag"

summary
