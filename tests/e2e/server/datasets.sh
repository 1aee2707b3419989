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
http POST /api/v1/chat '{"message": "how many customers are there?"}' # the only one in the list
out_has '"datasource":"shop"'
http GET /api/v1/datasources
out_lacks "$dataset"
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
serve
as "$ann" POST $base/chat "{\"session_id\": \"$session\", \"message\": \"show all mine whose category is Toys\"}"
out_has '"Jane"'
as "$ann" DELETE "/api/v1/datasets/$mine"
status_is 200
as "$ann" POST $base/chat "{\"session_id\": \"$session\", \"message\": \"show all mine whose category is Toys\"}"
out_has '"status":"error"'
out_lacks '"Jane"'
serve_ends TERM
summary
