#!/bin/bash
# Lessons on the command line: taught, listed, exported, imported, removed.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

run sample
status_is 0
run lessons
status_is 0
err_has "no lessons yet"
run lessons add --db shop.db table_mapping Customers PROD_Customers
status_is 0
id=$out
check "it should print the lesson's id" matches "$id" '^lesson-[a-z0-9]+$'
run lessons add --db shop.db --confidence 0.8 column_mapping region customers.country
status_is 0
run lessons list
status_is 0
out_has "PROD_Customers"
out_has "customers.country"
run lessons list --db shop.db --format csv
status_is 0
out_has "$id,shop,table_mapping,Customers,PROD_Customers,1"
run lessons list --db shop.db --json
status_is 0
out_has '"transformation_rule":"add_prefix:PROD_"'
run lessons show "$id"
status_is 0
out_has "schema_name: Customers"
# A rule is offered for the other tables that it explains.
run lessons add --db shop.db table_mapping cut order_cut --rule add_prefix:order_
status_is 0
rule=$out
run lessons show --db shop.db "$rule"
status_is 0
out_has "items means order_items"
run lessons show --db shop.db --json "$rule"
out_has '"offers":[{"schema_name":"items","actual_name":"order_items"}]'
run lessons remove "$rule"
status_is 0
run lessons show lesson-nothing
status_is 50
err_is_friendly

run lessons export --db shop.db
status_is 0
out_has "table_mappings:"
printf '%s\n' "$out" >lessons.yaml
run lessons export --db shop.db --json
status_is 0
printf '%s\n' "$out" >lessons.json
run lessons remove "$id"
status_is 0
run lessons remove "$id"
status_is 50
run lessons import --db shop.db lessons.yaml
status_is 0
err_has "2 lessons kept"
run_with lessons.json lessons import --db shop.db -
status_is 0
run lessons export --db shop.db
check "what was exported comes back" test "$out" = "$(cat lessons.yaml)"

# Another database does not see them.
run sample other.db
run lessons list --db other.db
status_is 0
out_lacks "PROD_Customers"

# What is wrong is said, and changes nothing.
run lessons add --db shop.db query_pattern "clean up" "DELETE FROM customers"
status_is 3
err_is_friendly
run lessons add --db shop.db table_mapping orders "x; DROP TABLE orders"
status_is 47
err_is_friendly
run lessons add --db shop.db proverb a b
status_is 2
err_has "table_mapping"
run lessons add --db shop.db --confidence 7 table_mapping a b
status_is 2
run lessons add --db shop.db table_mapping
status_is 2
err_has "Usage"
run lessons lisst
status_is 2
err_has "list"
run lessons import --db shop.db nothing.yaml
status_is 46
printf 'table_mappings:\n- {schema_name: a, actual_name: b}\n- {schema_nam: c}\n' >bad.yaml
run lessons import --db shop.db bad.yaml
status_is 47
err_has "Line 3"
err_has "schema_name"
run lessons import lessons.yaml
status_is 10
run lessons export --db shop.db
check "nothing should have changed" test "$out" = "$(cat lessons.yaml)"

# A confidence is shown as it was given; what was learned last is taken back by one command.
run lessons add --db shop.db --confidence 0.95 column_mapping turnover orders.total_amount
status_is 0
run lessons list --db shop.db --format csv
out_has "turnover,orders.total_amount,0.95,"
run ask --db shop.db --brain parser "how many customers are there?"
run ask --db shop.db --good last
status_is 0
run lessons list --db shop.db --format csv
out_has "how many customers are there?"
run lessons undo --db shop.db
status_is 0
err_has "Forgotten: how many customers are there?"
run lessons list --db shop.db --format csv
out_lacks "how many customers are there?"
out_has "turnover,orders.total_amount,0.95,"
printf '%s\n' '\undo' >lines
run_with lines chat --db shop.db
err_has "Nothing has been learned yet."

run help lessons
status_is 0
for word in list show add remove undo export import; do
    out_has "$word"
done
summary
