#!/bin/bash
# What is kept and looked at over HTTP: rows, files, charts, saved queries, lessons, datasets, sources.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
mkdir "$work/tmp"
export TMPDIR=$work/tmp
serve --set sql.default_rows=10 --set server.max_upload_mb=1 --db shop.db

# ask SQL: asks it, waits, sets $id
ask() {
    http POST /api/v1/sql "{\"sql\": \"$1\"}"
    status_is 202
    id=$(field query_id)
    rest "$id"
}

# all rows of an answer: pages, the total, files
ask "SELECT id, country, id FROM customers ORDER BY id"
out_has '"truncated":true'
http GET "/api/v1/ask/$id/rows?offset=2398&limit=5"
status_is 200
out_has '"columns":["id","country","id"]'
out_has '"row_count":2,"more":false,"total":2400'
http GET "/api/v1/ask/$id/rows?offset=10&limit=1"
out_has '"more":true,"total":2400'
for query in "offset=0&offset=1" "limit=5&Limit=6" "offset=1&offset=1" "$(printf 'x%d=1&' {1..40})limit=1"; do
    http GET "/api/v1/ask/$id/rows?$query"
    error_is 400 INVALID_DATA
done
http GET "/api/v1/ask/$id/rows?offset=-1"
error_is 400 USAGE
http GET /api/v1/ask/q-none/rows
error_is 404 QUERY_NOT_FOUND
http GET "/api/v1/ask/$id/export"
status_is 200
check "it is CSV to be kept" has "$head" 'filename="answer.csv"'
check "all rows are there" test "$(wc -l <"$work/body")" -eq 2401
check "and nothing says otherwise" lacks "$head" 'Dragoman-Incomplete'
for format in json xlsx; do
    http GET "/api/v1/ask/$id/export?format=$format"
    status_is 200
    check "$format has something in it" test "$(wc -c <"$work/body")" -gt 1000
done
check "a spreadsheet is a package" test "$(head -c 2 "$work/body")" = PK
http GET "/api/v1/ask/$id/export?format=exe"
error_is 400 USAGE
http GET "/api/v1/ask/q-none/export"
error_is 404 QUERY_NOT_FOUND
ask "SELECT '=1+1' AS cell"
http GET "/api/v1/ask/$id/export"
out_has "'=1+1"
http GET "/api/v1/ask/$id/explain"
status_is 200
out_has '"explanation":'

# drawn
ask "SELECT country, count(*) AS n FROM customers GROUP BY 1 LIMIT 5"
http GET "/api/v1/ask/$id/chart"
status_is 200
out_has '"kind":"bar"'
out_has 'vega-lite/v5.json'
http GET "/api/v1/ask/$id/chart?kind=arc"
out_has '"type":"arc"'
http GET "/api/v1/ask/$id/chart?kind=pie"
error_is 400 USAGE
http GET "/api/v1/ask/$id/chart.svg?title=People%20%3Cb%3E"
status_is 200
check "an SVG has its type" grep -qi '^content-type: image/svg+xml' "$work/head"
check "an SVG may load and run nothing" grep -qi "^content-security-policy: default-src 'none'.*sandbox" "$work/head"
out_has '<title>People &lt;b&gt;</title>'
out_has '<rect class="dgm-f0"'
http GET "/api/v1/ask/$id/chart.svg?kind=arc"
out_has '<path class="dgm-f0"'
http GET "/api/v1/ask/$id/chart.svg?kind=scatter"
error_is 400 INVALID_DATA
http GET "/api/v1/ask/q-none/chart.svg"
error_is 404 QUERY_NOT_FOUND

# the history
http GET "/api/v1/history?search=group%20by"
status_is 200
out_has '"total":1'
http GET "/api/v1/history?limit=0"
error_is 400 USAGE
http DELETE "/api/v1/history/$id"
status_is 200
http DELETE "/api/v1/history/$id"
error_is 404 QUERY_NOT_FOUND

# saved queries
http POST /api/v1/saved '{"name": "From", "sql": "SELECT count(*) AS n FROM customers WHERE country = :country",
    "parameters": [{"name": "country", "type": "text", "default": "Italy"}]}'
status_is 201
saved=$(field id)
http POST /api/v1/saved '{"name": "from", "sql": "SELECT 1"}'
error_is 409 SAVED_EXISTS
http POST /api/v1/saved '{"name": "bad", "sql": "DROP TABLE customers"}'
error_is 403 UNSAFE
http POST /api/v1/saved '{"name": "bad"}'
error_is 400 INVALID_DATA
http GET /api/v1/saved
out_has '"saved":[{"id":"'
http POST "/api/v1/saved/$saved/run" '{"parameters": {"country": "Italy'"'"' OR 1=1 --"}}'
status_is 202
rest "$(field query_id)"
out_has '"rows":[[0]]'
http POST "/api/v1/saved/$saved/run"
rest "$(field query_id)"
out_has '"rows":[[166]]'
http POST "/api/v1/saved/$saved/run" '{"parameters": {"city": 1}}'
error_is 400 USAGE
http PATCH "/api/v1/saved/$saved" '{"name": "People from"}'
status_is 200
out_has '"name":"People from"'
http DELETE "/api/v1/saved/$saved"
status_is 200
http GET "/api/v1/saved/$saved"
error_is 404 SAVED_NOT_FOUND

# lessons and taught pairs
http POST /api/v1/lessons '{"kind": "table_mapping", "schema_name": "Buyers", "actual_name": "customers"}'
status_is 201
lesson=$(field id)
http PATCH "/api/v1/lessons/$lesson" '{"enabled": false}'
status_is 200
out_has '"enabled":false'
http PATCH "/api/v1/lessons/$lesson" '{"colour": 1}'
error_is 400 INVALID_DATA
http GET /api/v1/lessons
out_has '"lessons":[{'
http GET /api/v1/lessons/export
out_has "Buyers"
http POST /api/v1/lessons/import "$(printf 'column_mappings:\n- {schema_name: money, actual_name: total_amount}\n')"
status_is 200
out_is '{"imported":1}'
http POST /api/v1/lessons/import "x: 1"
error_is 400 INVALID_DATA
http DELETE "/api/v1/lessons/$lesson"
status_is 200
http POST /api/v1/taught '{"question": "how many are there?", "sql": "SELECT count(*) FROM customers"}'
status_is 201
taught=$(field id)
http GET /api/v1/taught
out_has '"question":"how many are there?"'
http POST /api/v1/taught '{"question": "clean up", "sql": "DELETE FROM customers"}'
error_is 403 UNSAFE
http DELETE "/api/v1/taught/$taught"
status_is 200

# the datasource
http GET /api/v1/datasources/shop/schema
status_is 200
out_has '"tables"'
http GET "/api/v1/datasources/shop/schema?format=mermaid"
out_has erDiagram
http GET /api/v1/datasources/nowhere/schema
error_is 404 DATASOURCE_NOT_FOUND
http GET /api/v1/datasources/shop/suggestions
out_has '"questions":["'
http PUT /api/v1/datasources/shop/dictionary '{"table": "customers", "column": "country", "description": "Where they live",
    "synonyms": ["homeland"]}'
status_is 200
http GET /api/v1/datasources/shop/schema
out_has "Where they live"
http GET /api/v1/datasources/shop/dictionary
out_has '"homeland"'
http PUT /api/v1/datasources/shop/dictionary '{"table": "nowhere", "description": "x"}'
error_is 400 INVALID_DATA
http PUT /api/v1/datasources/shop/dictionary "{\"table\": \"customers\", \"description\": \"$(printf 'x%.0s' {1..3000})\"}"
error_is 400 INVALID_DATA
"$helpers/e2e_cli_database" other.db >/dev/null 2>&1
http POST /api/v1/datasources/shop/refresh
status_is 200
http GET /api/v1/datasources/shop/changes
status_is 200
out_has '"changes":['
http POST /api/v1/datasources/shop/test
status_is 200
out_has '"ok":true'
http POST /api/v1/datasources/test '{"url": "sqlite:///etc/passwd"}'
status_is 200
out_has '"ok":false'
http POST /api/v1/datasources '{"url": "sqlite:///etc/passwd"}'
check "a file that is not allowed is not added" test "$status" -ge 400
out_lacks "root:"
http DELETE /api/v1/datasources/shop
error_is 404 DATASOURCE_NOT_FOUND

# settings
http GET /api/v1/settings
status_is 200
out_has '"agent.brain":"llm"'
http POST /api/v1/settings/test-model
status_is 200
out_has '"ok":false'

# files that people bring
printf 'id,name,amount\n1,Ada,1.5\n2,Ben,2.5\n' >sales.csv
http POST "/api/v1/datasets?name=sales.csv" "@sales.csv"
if [ "$status" = 400 ] && has "$out" DATASOURCE_KIND; then
    summary # a build without DuckDB
    exit
fi
status_is 201
out_has '"name":"sales"'
http POST "/api/v1/datasets?name=sales.csv" "@sales.csv"
error_is 409 DATASET_EXISTS
http GET "/api/v1/datasets/sales/preview?rows=1"
out_has '"row_count":1'
shown="a form"
status=$(curl -s -o "$work/body" -w '%{http_code}' -F "other=x" -F "file=@sales.csv;filename=../../etc/passwd.csv" \
    "$address/api/v1/datasets")
out=$(cat "$work/body")
status_is 201
out_has '"name":"passwd"'
out_lacks ".."
for name in ../../etc/passwd /etc/passwd.db .csv a.sqlite ""; do
    http POST "/api/v1/datasets?name=$name" "@sales.csv"
    error_is 400 INVALID_DATA
done
shown="a form without a file"
status=$(curl -s -o "$work/body" -w '%{http_code}' -F "other=x" "$address/api/v1/datasets")
out=$(cat "$work/body")
error_is 400 INVALID_DATA
shown="a form that is cut off"
printf -- '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n1,2\n' >"$work/cut"
for boundary in x "" "$(printf 'y%.0s' {1..100})"; do
    status=$(curl -s -o "$work/body" -w '%{http_code}' --data-binary "@$work/cut" \
        -H "Content-Type: multipart/form-data; boundary=$boundary" "$address/api/v1/datasets")
    out=$(cat "$work/body")
    error_is 400 INVALID_DATA
done
http POST "/api/v1/datasets?name=a.csv"
error_is 400 INVALID_DATA
head -c 3000000 /dev/zero | tr '\0' 'a' >large.csv
http POST "/api/v1/datasets?name=large.csv" "@large.csv"
error_is 413 BODY_TOO_LARGE
out_has server.max_upload_mb
http POST "/api/v1/datasets?name=large.csv" "@large.csv" -H 'Transfer-Encoding: chunked'
error_is 413 BODY_TOO_LARGE
# a spreadsheet whose sheet unpacks to two gigabytes: it is told so, and not unpacked
if command -v python3 >/dev/null; then
    python3 - bomb.xlsx <<'P'
import struct, sys, zipfile
main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{rel}"><sheets>'
               '<sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>')
    z.writestr("xl/_rels/workbook.xml.rels", f'<Relationships><Relationship Id="rId1" Type="{rel}/worksheet" '
               'Target="worksheets/sheet1.xml"/></Relationships>')
    z.writestr("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData/></worksheet>' + " " * 500000)
data = bytearray(open(sys.argv[1], "rb").read())
at = data.rfind(b"PK\x01\x02")  # the sheet's entry in the directory
data[at + 24 : at + 28] = struct.pack("<I", 2**31 - 1)
open(sys.argv[1], "wb").write(data)
P
    http POST "/api/v1/datasets?name=bomb.xlsx" "@bomb.xlsx"
    check "a bomb is refused" test "$status" -ge 400
    check "and says why" has "$out" '"code"'
fi
gzip -k sales.csv
http POST "/api/v1/datasets?name=packed.csv.gz" "@sales.csv.gz"
status_is 201
http DELETE /api/v1/datasets/sales
status_is 200
http GET /api/v1/datasets/sales
error_is 404 DATASET_NOT_FOUND
http GET "/api/v1/datasets/..%2f..%2fetc%2fpasswd"
status_is 400

http GET /openapi.json
status_is 200
out_has '/api/v1/saved/{id}/run'
check "nothing is left behind" test -z "$(ls "$work/tmp")"
serve_ends TERM

# a file that lacks rows says so
serve --set export.max_rows=40 --db shop.db
ask "SELECT id FROM customers"
for format in csv json; do
    http GET "/api/v1/ask/$id/export?format=$format"
    status_is 200
    check "its name should tell" has "$head" "filename=\"answer-incomplete.$format\""
    check "and a header" has "$head" 'Dragoman-Incomplete: true'
done
serve_ends TERM
summary
