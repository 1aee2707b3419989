#!/bin/bash
# Files that people send to a server without a database: asked, joined, named, replaced and deleted.
# Everything is done twice: with the built-in parser, and with a model.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

base=/agents/text-to-sql
printf 'region,amount\nnorth,10\nsouth,20\nnorth,5\n' >sales.csv
printf 'region,manager\nnorth,Ann\nsouth,Bob\n' >managers.csv
printf 'region,amount\neast,1\neast,2\n' >eastern.csv
table() { printf '{"name": "%s", "columns": ["region"], "confidence": 0.99}' "$1"; }
says "of sales for each manager" "" <<J >model.script
{"intent": "TEXT_TO_SQL", "tables": [$(table sales.sales), $(table managers.managers)], "joins_needed": true,
 "joins": [{"condition": "sales.sales.region = managers.managers.region", "confidence": 0.99}],
 "summary": "Sales per manager.",
 "sql": "SELECT m.manager, SUM(s.amount) AS total FROM sales.sales s JOIN managers.managers m ON s.region = m.region GROUP BY m.manager ORDER BY 1"}
J
says "amount of sales for each region" "" <<J >>model.script
{"intent": "TEXT_TO_SQL", "tables": [$(table sales)], "joins_needed": false, "summary": "Sales per region.",
 "sql": "SELECT region, SUM(amount) AS total FROM sales GROUP BY region ORDER BY 1"}
J
says "best sales" "" <<J >>model.script
{"intent": "CLARIFICATION_NEEDED",
 "clarification": {"question": "What makes a sale the best?", "options": ["Highest amount", "Newest"]}}
J
says "how many sales" "" <<J >>model.script
{"intent": "TEXT_TO_SQL", "tables": [$(table sales)], "joins_needed": false, "summary": "Count.",
 "sql": "SELECT COUNT(*) AS n FROM sales"}
J

# send FILE PATH [CURL ARGUMENT...]: as a form
send() {
    local file=$1 path=$2
    shift 2
    http POST "$path" "" -F "file=@$file" "$@"
}
ask() { http POST /api/v1/chat "{\"message\": \"$1\"}"; }

# every_status ID: the statuses of a question in the order they were told
every_status() {
    curl -s -m 60 "$address/api/v1/ask/$1/stream" | sed -n 's/^data: .*"status":"\([a-z]*\)".*/\1/p'
}
# forward: the words on standard input never go back
forward() {
    awk '{ n = index("understanding searching planning generating correcting finished failed stopped", $1)
           if (n < last) exit 1
           last = n }'
}

for brain in parser llm; do
    rm -rf "$XDG_DATA_HOME/dragoman"
    serve --set agent.brain=$brain --set llm.provider=scripted --set "llm.script=$PWD/model.script"
    ask "how many sales are there?"
    out_has '"code":"DATASOURCE_NOT_FOUND"'
    send sales.csv /api/v1/datasets
    if [ "$status" = 400 ] && has "$out" DATASOURCE_KIND; then
        summary # a build without DuckDB
        exit
    fi
    status_is 201
    sales=$(field id)

    # the only one is what a question is about; at both interfaces
    ask "how many sales are there?"
    out_has '"rows":[[3]]'
    out_has "\"datasource\":\"$sales\""
    http POST $base/start-session "{\"dataset_id\": \"$sales\"}"
    status_is 200
    session=$(field session_id)
    http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"amount of sales for each region?\"}"
    out_has '"status":"success"'
    out_has '"results":[{"region":"north",'

    # of several the one that the question names, or those that it needs together
    send managers.csv /api/v1/datasets
    status_is 201
    ask "how many sales are there?"
    out_has '"rows":[[3]]'
    out_has "\"datasource\":\"$sales\""
    ask "what is the total amount of sales for each manager?"
    check "sales should be joined with managers" grep -Eq '\["Ann",15\]|\[15,"Ann"\]' <<<"$out"
    out_has 'The question needs managers and sales,'
    http POST /api/v1/chat '{"message": "which tables are there?"}'
    out_has '["managers","managers",2,2,""],["sales","sales",2,3,""]'

    # the form names a dataset; a name that is taken is refused, unless it is to be replaced
    send eastern.csv /api/v1/datasets -F name=sales
    error_is 409 DATASET_EXISTS
    send eastern.csv "/api/v1/datasets?replace=true" -F name=sales
    status_is 201
    out_has "\"id\":\"$sales\""
    ask "how many sales are there?"
    out_has '"rows":[[2]]'
    http PUT "/api/v1/datasets/$sales" @sales.csv -H 'Content-Type: text/csv'
    status_is 200
    out_has "\"id\":\"$sales\",\"name\":\"sales\""
    ask "how many sales are there?"
    out_has '"rows":[[3]]'
    http PUT /api/v1/datasets/sales "" -F file=@eastern.csv
    status_is 200
    http PUT /api/v1/datasets/nothing @sales.csv
    error_is 404 DATASET_NOT_FOUND
    http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"amount of sales for each region?\"}"
    out_has '"region":"east"' # the conversation goes on with the new rows

    # a client that follows a question never sees it go back
    http POST /api/v1/ask '{"query": "what is the total amount of sales for each manager?", "no_cache": true}'
    id=$(field query_id)
    rest "$id"
    check "statuses should be told" test "$(every_status "$id" | wc -l)" -gt 5
    check "no status should go back" forward < <(every_status "$id")

    # deleted: the conversation is there, what it was about is not
    http DELETE "/api/v1/datasets/$sales"
    status_is 200
    http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"amount of sales for each region?\"}"
    error_is 404 DATASET_NOT_FOUND
    out_has '"detail":"Dataset not found"'
    http POST /api/v1/chat "{\"session_id\": \"$session\", \"message\": \"amount of sales for each region?\"}"
    error_is 404 DATASET_NOT_FOUND
    http GET "$base/session/$session"
    status_is 200
    serve_ends TERM
done

# "Any database": a question that names none considers the server's database and what people uploaded, and
# joins them. What one alone can answer stays there.
"$helpers/e2e_cli_database" office.db "CREATE TABLE managers (region TEXT PRIMARY KEY, manager TEXT NOT NULL);
INSERT INTO managers VALUES ('north', 'Ann'), ('south', 'Bob'), ('west', 'Cleo');"
says "of sales for each manager" "" <<J >any.script
{"intent": "TEXT_TO_SQL", "tables": [$(table sales.sales), $(table office.managers)], "joins_needed": true,
 "joins": [{"condition": "sales.sales.region = office.managers.region", "confidence": 0.99}],
 "summary": "Sales per manager.",
 "sql": "SELECT m.manager, SUM(s.amount) AS total FROM sales.sales s JOIN office.managers m ON s.region = m.region GROUP BY m.manager ORDER BY 1"}
J
says "how many managers" "" <<J >>any.script
{"intent": "TEXT_TO_SQL", "tables": [$(table managers)], "joins_needed": false, "summary": "Count.",
 "sql": "SELECT COUNT(*) AS n FROM managers"}
J
cat model.script >>any.script
for brain in parser llm; do
    rm -rf "$XDG_DATA_HOME/dragoman"
    serve --db office.db --set agent.brain=$brain --set llm.provider=scripted --set "llm.script=$PWD/any.script"
    send sales.csv /api/v1/datasets
    status_is 201
    sales=$(field id)
    ask "how many managers are there?"
    out_has '"rows":[[3]]'
    out_has '"datasource":"office"'
    ask "how many sales are there?"
    out_has '"rows":[[3]]'
    out_has "\"datasource\":\"$sales\""
    ask "what is the total amount of sales for each manager?"
    check "the dataset should be joined with the database" grep -Eq '\["Ann",15\]|\[15,"Ann"\]' <<<"$out"
    check "the dataset should be joined with the database" grep -Eq '\["Bob",20\]|\[20,"Bob"\]' <<<"$out"
    out_has 'The question needs office and sales,'
    check "both should be used" grep -Eq '"tables_used":\["(office.managers","sales.sales|sales.sales","office.managers)"\]' <<<"$out"
    # in a conversation that is about none of them, too; and where the dataset is named the database is not used
    http POST /api/v1/chat/sessions '{}'
    status_is 201
    any=$(field session_id)
    http POST /api/v1/chat "{\"session_id\": \"$any\", \"message\": \"what is the total amount of sales for each manager?\"}"
    out_has 'The question needs office and sales,'
    http POST /api/v1/chat "{\"datasource\": \"$sales\", \"message\": \"how many sales are there?\"}"
    out_has "\"datasource\":\"$sales\""
    serve_ends TERM
done

# a question back has its options; the number of one is an answer
rm -rf "$XDG_DATA_HOME/dragoman"
says "Highest amount" "" <<J >first.script
{"intent": "TEXT_TO_SQL", "tables": [$(table sales)], "joins_needed": false, "summary": "One.",
 "sql": "SELECT amount FROM sales ORDER BY amount DESC LIMIT 1"}
J
cat model.script >>first.script
serve --set agent.brain=llm --set llm.provider=scripted --set "llm.script=$PWD/first.script"
send sales.csv /api/v1/datasets
http POST $base/start-session "{\"dataset_id\": \"$(field id)\"}"
session=$(field session_id)
http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"show the best sales\"}"
out_has '"status":"clarification_needed","message":"What makes a sale the best?"'
out_has '"options":[{"value":"Highest amount","label":"Highest amount"},{"value":"Newest","label":"Newest"}]'
http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"1\"}"
out_has '"results":[{"amount":20}]'
serve_ends TERM
summary
