#!/bin/bash
# A file that was sent is asked at once, through both doors and after a restart, by its owner alone.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
printf 'id,name,amount,category\n1,John,10,Food\n2,Jane,20,Toys\n3,Bob,7,Food\n' >sales.csv
echo "datasources: [{id: shop, url: $PWD/shop.db}]" >dragoman.yaml
base=/agents/text-to-sql
serve
http POST "/api/v1/datasets?name=sales.csv" "@sales.csv"
if [ "$status" = 400 ] && has "$out" DATASOURCE_KIND; then
    summary # a build without DuckDB
    exit
fi
status_is 201
dataset=$(field id)
http POST $base/start-session "{\"dataset_id\": \"$dataset\"}"
status_is 200
out_has '"table_name":"sales"'
out_has '"row_count":3'
out_has '"sample_values":["Food","Toys"]'
session=$(field session_id)
http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"what is the total amount for each category?\"}"
status_is 200
out_has '"status":"success"'
out_has '"category":"Food"'
http POST /api/v1/chat "{\"message\": \"how many sales are there?\", \"dataset_id\": \"$dataset\"}"
out_has '"rows":[[3]]'
out_has "\"datasource\":\"$dataset\""
http POST /api/v1/chat '{"message": "how many sales are there?", "datasource": "sales"}'
out_has '"rows":[[3]]'
http POST /api/v1/chat '{"message": "how many customers are there?"}' # the one that has them
out_has '"datasource":"shop"'
http GET /api/v1/datasources
out_lacks "$dataset"

# An import ends when its client leaves, or when the dataset is deleted meanwhile; nothing of it is left.
awk 'BEGIN { print "id,text"; for (i = 0; i < 1500000; i++) print i ",some words about row " i }' >big.csv
folder=$XDG_DATA_HOME/dragoman/datasets/local
for way in leave delete; do
    curl -s -m 60 -o "$work/left" -H Expect: --data-binary @big.csv "$address/api/v1/datasets?name=big.csv" &
    client=$!
    for ((i = 0; i < 4000; i++)); do
        compgen -G "$folder/*.part" >/dev/null && break
        sleep 0.005
    done
    check "an import should be at work" test -n "$(compgen -G "$folder/*.part")"
    if [ $way = leave ]; then
        kill -9 $client
    else
        http DELETE /api/v1/datasets/big
        status_is 200
    fi
    wait $client 2>/dev/null
    for ((i = 0; i < 2000; i++)); do
        compgen -G "$folder/*.part*" >/dev/null || break
        sleep 0.01
    done
    shown="$way during an import"
    check "no part should be left" test -z "$(compgen -G "$folder/*.part*")"
    check "and no dataset" test ! -e "$folder/big.duckdb"
done
check "who waited should be told" has "$(cat "$work/left")" '"code":"STOPPED"'
http GET /api/v1/datasets
out_lacks big
http POST /api/v1/chat '{"message": "how many sales are there?", "datasource": "sales"}' # all others stay
out_has '"rows":[[3]]'
rm big.csv
serve_ends TERM

# A small file that holds too much, and one dataset too many: the reply says which setting that is.
serve --set dataset.unpacked_mb=5 --set dataset.account_count=2
yes 'a line of text that is packed very well' | head -n 200000 | gzip >bomb.csv.gz
http POST "/api/v1/datasets?name=bomb.csv" "@bomb.csv.gz" # what it is counts, not its name
error_is 413 RESULT_TOO_LARGE
out_has dataset.unpacked_mb
check "nothing of it should be left" test -z "$(compgen -G "$folder/bomb*")"
http POST "/api/v1/datasets?name=second.csv" "@sales.csv"
status_is 201
http POST "/api/v1/datasets?name=third.csv" "@sales.csv"
error_is 429 QUOTA
out_has dataset.account_count
http DELETE /api/v1/datasets/second
status_is 200
serve_ends TERM

# Another process knows it; others do not.
ann=$("$dragoman" keys add ann 2>/dev/null)
bob=$("$dragoman" keys add bob 2>/dev/null)
narrow=$("$dragoman" keys add ann --datasource shop 2>/dev/null)
as() {
    local key=$1
    shift
    http "$1" "$2" "${3-}" -H "Authorization: Bearer $key" "${@:4}"
}
serve
as "$ann" POST "/api/v1/datasets?name=mine.csv" "@sales.csv"
status_is 201
mine=$(field id)
as "$ann" POST $base/start-session "{\"dataset_id\": \"$mine\"}"
status_is 200
session=$(field session_id)
for who in "$bob" "$narrow"; do
    as "$who" POST $base/start-session "{\"dataset_id\": \"$mine\"}"
    error_is 404 DATASET_NOT_FOUND
    as "$who" GET "/api/v1/datasources/$mine/schema"
    error_is 404 DATASOURCE_NOT_FOUND
    as "$who" POST /api/v1/chat/sessions "{\"datasource\": \"$mine\"}"
    error_is 404 DATASOURCE_NOT_FOUND
    for name in "$mine" mine "$dataset" sales; do
        as "$who" POST /api/v1/chat "{\"message\": \"how many are there?\", \"datasource\": \"$name\"}"
        out_has DATASOURCE_NOT_FOUND
    done
done
as "$ann" POST /api/v1/chat "{\"message\": \"how many are there?\", \"datasource\": \"$dataset\"}"
out_has DATASOURCE_NOT_FOUND # the local person's
serve_ends TERM
serve --set server.sandbox=off # so that an ordinary user may look at its files
as "$ann" POST $base/chat "{\"session_id\": \"$session\", \"message\": \"show all mine whose category is Toys\"}"
out_has '"Jane"'
# Files of datasets that are open.
handles() {
    local pid
    for pid in $(family); do find "/proc/$pid/fd" -lname '*/datasets/*' 2>/dev/null; done | wc -l
}
check "the dataset should be open" test "$(handles)" -gt 0
as "$ann" DELETE "/api/v1/datasets/$mine"
status_is 200
for ((i = 0; i < 100 && $(handles) > 0; i++)); do sleep 0.05; done
check "a dataset that is gone should be closed" test "$(handles)" -eq 0
as "$ann" POST $base/chat "{\"session_id\": \"$session\", \"message\": \"show all mine whose category is Toys\"}"
error_is 404 DATASET_NOT_FOUND
out_lacks '"Jane"'
serve_ends TERM
summary
