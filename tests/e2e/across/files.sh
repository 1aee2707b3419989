#!/usr/bin/env bash
# Files side by side: each is a table, and a question may need one or both.
# usage: files.sh PROGRAM FOLDER_OF_HELPERS
lib=$(realpath "$(dirname "$0")/../cli/lib.sh")
# shellcheck source=/dev/null
. "$lib"
printf 'id,name,city\n1,Ada,Rome\n2,Bob,Milan\n3,Cleo,Rome\n' >customers.csv
printf 'id,customer_id,total\n10,1,20.5\n11,1,5\n12,2,99\n' >orders.csv
files=(--db customers.csv --db orders.csv)

# one is enough
run ask --json --brain parser --set parser.accept=0 --set parser.ask=0 "${files[@]}" "How many orders are there?"
status_is 0
out_has '"datasource":"orders"'
out_has '"rows":[[3]]'
out_has "'orders' has no SQL engine of its own"

# both are needed
reply "SELECT c.name, sum(o.total) AS total FROM customers.customers c JOIN orders.orders o ON o.customer_id = c.id GROUP BY c.name ORDER BY c.name" \
    customers.customers orders.orders >"$work/replies"
script both <"$work/replies"
run ask --json "${model[@]}" "${files[@]}" "What is the total of orders for each customer?"
status_is 0
out_has '"datasource":"customers,orders"'
out_has '"tables_used":["customers.customers","orders.orders"]'
out_has '"Ada"'
out_has '["Cleo","0.0"]' # each customer was asked for, also one without orders
out_has '"row_count":3'
summary
