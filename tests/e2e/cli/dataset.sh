#!/bin/bash
# Datasets on the command line: added, asked, replaced, deleted; whole or not at all.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cat >sales.csv <<END
order_id;customer;city;amount
1;Ada;Bonn;1.012,50
2;Ben;Rome;7,25
3;Cy
END
printf 'city,amount\nOslo,1\nKyiv,2\n' >other.csv

run dataset
status_is 0
err_has "no datasets yet"
run dataset add sales.csv
status_is 0
out_has "sales (2 rows)"
out_has "amount DECIMAL(18,2)"
err_has "sales: 1 row was left out (line 4: 2 cells where 4 are expected)"
run dataset rejects sales --format csv
status_is 0
out_has 'sales,4,,2 cells where 4 are expected,"3;Cy"'
run dataset preview sales --format csv --rows 1
status_is 0
out_has "1,Ada,Bonn,1012.50"
run sql --dataset sales --format csv "SELECT sum(amount) AS total FROM sales"
status_is 0
out_has "1019.75"
run dataset show sales --json
out_has '"schema":{"table_name":"sales","columns":[{"name":"order_id","type":"BIGINT","sample_values":null},{"name":"customer","type":"VARCHAR","sample_values":["Ada","Ben"]}'
out_has '"row_count":2'
out_has '"rejects":[{"table":"sales","line":4,"reason":"2 cells where 4 are expected","text":"3;Cy"}]'
id=$(sed -n 's/.*"id":"\(dataset-[0-9a-f]*\)".*/\1/p' "$work/out")
run dataset preview "$id" --format csv # by its id, too
status_is 0

# The file may go: the rows are ours.
rm sales.csv
run sql --dataset sales --format csv "SELECT count(*) AS n FROM sales"
out_has "2"
# Nothing writes to it.
run sql --dataset sales "DELETE FROM sales"
status_is 27

# A name that is taken, that is wrong, that is not there.
run dataset add other.csv --name sales
status_is 54
err_has "There is a dataset 'sales' already."
run dataset add other.csv --name ../sales
status_is 2
err_has "cannot be the name of a dataset"
run dataset replace nothing other.csv
status_is 53
err_has "Dataset not found"
run sql --dataset ../../sales "SELECT 1"
status_is 53
run ask --dataset nothing "How many are there?"
status_is 53
err_has "Dataset not found"
run dataset delete nothing
status_is 53
run dataset add missing.csv
status_is 10
run dataset add other.csv --set dataset.max_mb=1 --name small
status_is 0
run dataset delete small
status_is 0
run dataset frobnicate
status_is 2

# Replaced: the new rows, and fresh ones.
run dataset replace sales other.csv
status_is 0
run sql --dataset sales --format csv "SELECT city FROM sales ORDER BY 1"
out_has "Kyiv"
run dataset list --format csv
out_has "sales,other.csv,"

# Ended in the middle: the old one is there, and what was begun is cleared away.
awk 'BEGIN { print "id,text"; for (i = 0; i < 600000; i++) print i ",some words about row " i }' >big.csv
folder=$XDG_DATA_HOME/dragoman/datasets/local
"$dragoman" dataset replace sales big.csv >/dev/null 2>&1 &
pid=$!
for _ in $(seq 1 200); do
    ls -d "$folder"/*.part >/dev/null 2>&1 && break
    sleep 0.02
done
kill -9 "$pid"
wait "$pid" 2>/dev/null
check "the import should leave a part behind" test -n "$(ls -d "$folder"/*.part* 2>/dev/null)"
run sql --dataset sales --format csv "SELECT city FROM sales ORDER BY 1"
status_is 0
out_has "Kyiv"
run dataset add other.csv --name another
status_is 0
check "no part should be left" test -z "$(ls -d "$folder"/*.part* 2>/dev/null)"

# Ctrl-C: the same, but said, and nothing is left for the next to clear away.
set -m # background jobs of a script would otherwise ignore SIGINT
for how in "replace sales big.csv" "add big.csv --name fresh"; do
    # shellcheck disable=SC2086
    "$dragoman" dataset $how >"$work/out" 2>"$work/err" </dev/null &
    pid=$!
    shown="dragoman dataset $how (SIGINT)"
    for ((i = 0; i < 2000; i++)); do
        compgen -G "$folder/*.part" >/dev/null && break
        sleep 0.005
    done
    kill -INT $pid
    wait $pid
    status=$?
    out=$(cat "$work/out")
    err=$(cat "$work/err")
    status_is 130
    err_has "The import was stopped."
    check "no part should be left" test -z "$(ls -d "$folder"/*.part* 2>/dev/null)"
done
set +m
run dataset list --format csv
out_has "sales,other.csv,"
out_lacks "fresh"
check "no file of it should be left" test ! -e "$folder/fresh.duckdb"

# No room: said so, and the old one is there.
shown="dragoman dataset replace sales big.csv (no room)"
(
    trap '' XFSZ
    ulimit -f 1500 # blocks of 1024 bytes
    exec "$dragoman" dataset replace sales big.csv
) >"$work/out" 2>"$work/err" </dev/null
status=$?
out=$(cat "$work/out")
err=$(cat "$work/err")
status_is 43
err_has "no room left"
run sql --dataset sales --format csv "SELECT city FROM sales ORDER BY 1"
out_has "Kyiv"
check "no part should be left" test -z "$(ls -d "$folder"/*.part* 2>/dev/null)"

# Several files are one dataset.
printf '[{"city": "Oslo", "country": "Norway"}]' >cities.json
run dataset add other.csv,cities.json --name world
status_is 0
run sql --dataset world --format csv "SELECT country FROM other JOIN cities USING (city)"
out_has "Norway"
run dataset preview world --table cities --format csv
out_has "Oslo,Norway"
run dataset preview world --table none
status_is 22
run dataset delete world
status_is 0
check "its file should be gone" test ! -e "$folder/world.duckdb"
summary
