#!/bin/bash
# The command line of MCP's inspector asks dragoman, over pipes and over HTTP.
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
inspector=$here/npm/node_modules/@modelcontextprotocol/inspector-cli/build/cli.js
serve --db shop.db
is() { check "the reply should fulfil $1" test "$(jq -r "$1" <<<"${2:-$out}" 2>/dev/null)" = true; }
# inspect ARGUMENT...: asks over $way; sets $out, and $data to the structured content.
inspect() {
    local target=("$dragoman" mcp --db "$PWD/shop.db")
    local before=()
    if [ "$way" = http ]; then
        target=("$address/mcp")
        before=(--transport http)
    fi
    shown="inspector ($way) $*"
    out=$(timeout 120 node "$inspector" --cli "${target[@]}" "${before[@]}" "$@" 2>"$work/err")
    status=$?
    err=$(cat "$work/err")
    data=$(jq -c '.structuredContent // empty' <<<"$out" 2>/dev/null)
}
call() { inspect --method tools/call --tool-name "$@"; }

for way in pipe http; do
    inspect --method tools/list
    status_is 0
    is '[.tools[].name] == ["ask", "execute_sql", "search_objects", "explain"]'
    call ask --tool-arg 'question=how many customers are there?'
    is '.status == "answered" and .rows == [[2400]]' "$data"
    id=$(jq -r .query_id <<<"$data")
    call explain --tool-arg "query_id=$id"
    is '.sql != null and (.path | index("FINISHED") != null)' "$data"
    # The inspector's command line has no forms: the options are a result, and the next call chooses.
    call ask --tool-arg question=revenue
    is '.status == "choose" and (.options | length) > 1' "$data"
    id=$(jq -r .query_id <<<"$data")
    call ask --tool-arg "resume=$id" --tool-arg option=2
    is '.rows | length == 1' "$data"
    call execute_sql --tool-arg 'sql=SELECT id FROM customers ORDER BY id LIMIT 2'
    is '.rows == [[1], [2]]' "$data"
    call execute_sql --tool-arg 'sql=DROP TABLE customers'
    is '.isError'
    call search_objects --tool-arg words=customers --tool-arg detail=summary
    is '.objects[0].name == "customers"' "$data"
    inspect --method resources/list
    is '[.resources[].uri] | index("dragoman://schema/shop") != null'
    inspect --method resources/read --uri dragoman://schema/shop
    is '.contents[0].text | test("customers")'
    inspect --method resources/templates/list
    is '.resourceTemplates | length == 3'
    inspect --method prompts/list
    is '[.prompts[].name] | index("answer") != null'
    inspect --method prompts/get --prompt-name answer --prompt-args 'question=Why?'
    is '.messages[0].content.text | test("Why")'
    inspect --method logging/setLevel --log-level debug
    status_is 0
done
serve_ends TERM
summary
