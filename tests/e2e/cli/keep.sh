#!/bin/bash
# What is kept between calls: answers, sessions, traces, backups; settings and the sample.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

run sample
status_is 0
check "the default is shop.db" test -s shop.db
run sample
status_is 2
err_has "--force"
run sample --force
status_is 0
run sample other.db
status_is 0
check "it is always the same" cmp -s shop.db other.db
run sample nowhere/deep/shop.db
check "a folder that is not there should fail" test "$status" -ne 0
err_is_friendly

script count < <(reply "SELECT COUNT(*) AS n FROM customers" customers)
run "${model[@]}" ask --db shop.db --json --trace trace.json "How many customers are there?"
status_is 0
id=$(sed 's/.*"query_id":"\([^"]*\)".*/\1/' <<<"$out")
check "a trace should be there" test -s trace.json
run replay trace.json
status_is 0
out_has "INITIALIZING"
out_has "FINISHED"
check "the trace should hold no SQL and no question" test -z "$(grep -i -E 'customers|many' trace.json)"
run "${model[@]}" ask --db shop.db --trace nowhere/trace.json "How many customers are there?"
status_is 46
err_is_friendly
run_with trace.json replay -
status_is 0
"$dragoman" "${model[@]}" ask --db shop.db --json --fresh "How many customers are there?" >answer.json
run replay answer.json
status_is 0
sed 's/"PARSE_INTENT"/"EXECUTE_QUERY"/' trace.json >wrong.json
run replay wrong.json
check "a move that is not in the table should fail" test "$status" -ne 0
err_has "EXECUTE_QUERY"
echo '{' >broken.json
run replay broken.json
check "broken JSON should fail" test "$status" -ne 0
run replay nothing.json
status_is 46

run answer "$id"
status_is 0
out_has "n"
err_has "customers"
run answer --json "$id"
status_is 0
out_has "\"query_id\":\"$id\""
run answer last # of the last question, whichever it was
status_is 0
run answer --json last
status_is 0
out_has "\"query_id\""
run answer --data empty last
status_is 41
err_is_friendly
run answer q-nothing
status_is 41
err_is_friendly

printf 'How many customers are there?\n' >lines
run_with lines "${model[@]}" chat --db shop.db --format csv
status_is 0
run sessions --json
status_is 0
session=$(sed 's/.*"\(session_\)\{0,1\}id":"\([^"]*\)".*/\2/' <<<"$out")
run sessions
status_is 0
out_has "$session"
run sessions "$session"
status_is 0
out_has "How many customers"
run "${model[@]}" ask --db shop.db --session "$session" --json "How many customers are there?"
status_is 0
out_has "\"session_id\":\"$session\""
run "${model[@]}" ask --db shop.db --session s-nothing "How many?"
status_is 40

printf 'town,people\nRome,3\nOslo,1\n' >towns.csv
run dataset add towns.csv
datasets=$status # a build without DuckDB has none
run backup kept.backup
status_is 0
check "a backup should be there" test -s kept.backup
check "in one file" test -z "$(find . -name 'kept.backup?*')"
if [ "$datasets" = 0 ]; then # with the rows of datasets
    run dataset delete towns
    status_is 0
fi
run sessions --delete "$session"
status_is 0
run sessions "$session"
status_is 40
run restore kept.backup # nobody can be asked here
status_is 2
err_has "--yes"
run sessions "$session"
status_is 40
run restore --yes kept.backup
status_is 0
run sessions "$session"
status_is 0
if [ "$datasets" = 0 ]; then
    run dataset preview towns
    status_is 0
    out_has Oslo
    run sql --dataset towns "SELECT sum(people) AS n FROM towns"
    out_has 4
    run backup again.backup # from the restored ones, and into a folder that has none
    status_is 0
    run restore --yes --data anew again.backup
    status_is 0
    run dataset preview --data anew towns
    status_is 0
    out_has Oslo
    run dataset delete towns
    status_is 0
    check "nothing of it should be left" test -z "$(find "$work/data" -name 'towns.duckdb*')"
fi
run restore --yes nothing.backup
check "a missing backup should fail" test "$status" -ne 0
err_is_friendly
run restore --yes trace.json
check "what is no backup should fail" test "$status" -ne 0
err_is_friendly
run sessions "$session"
status_is 0

run --data elsewhere sessions --json
status_is 0
out_is "[]"
check "the data folder is where --data says" test -d elsewhere

run config
status_is 0
out_has "llm.model"
run config --json
status_is 0
check "one JSON object" matches "$out" '^\{.*"llm.model":'
run config llm.modle
status_is 2
err_has "llm.model"
run config reference
status_is 0
out_has "llm.model"

script any < <(printf '>>> *\nrepeat\n---\nfine\n<<<\n')
run "${model[@]}" doctor --db shop.db
status_is 0
out_has "✓"
LC_ALL=C run "${model[@]}" doctor --db shop.db
out_has "ok "
run doctor --db nowhere.db
status_is 1
out_has "✗"
out_has "hint: "
run doctor --json --db nowhere.db
status_is 1
out_has '"ok":false'

run schema --db shop.db
status_is 0
out_has "customers"
run schema --db shop.db customers
status_is 0
out_has "primary"
run schema --db shop.db custmers
status_is 2
err_has "customers"
run schema --db shop.db --json
status_is 0
out_has '"tables":'
run schema --db shop.db --mermaid
status_is 0
out_has "erDiagram"
run states --mermaid
out_has "PARSE_INTENT"
run states --json
out_has "PARSE_INTENT"

summary
