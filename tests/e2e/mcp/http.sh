#!/bin/bash
# MCP over HTTP: both eras at /mcp, conversations, streams, headers, keys.
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
forms='{"elicitation":{}}'
: >"$work/stream"
endless='WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT COUNT(*) FROM t'
is() { check "the reply should fulfil $1" test "$(jq -r "$1" <<<"${2:-$out}" 2>/dev/null)" = true; }
# old ID METHOD [PARAMS [CURL ARGUMENT...]]: a request of 2025 in the conversation $talk
old() {
    http POST /mcp "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":${3:-{\}}}" -H "Accept: application/json, text/event-stream" \
        ${talk:+-H "Mcp-Session-Id: $talk"} "${@:4}"
}
greet() { # [CAPABILITIES [CURL ARGUMENT...]]: sets $talk
    talk=''
    old 0 initialize "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":${1:-{\}},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}" "${@:2}"
    talk=$(sed -n 's/^Mcp-Session-Id: //p' <<<"$head")
}
# new_text ID METHOD [FIELDS [CAPABILITIES]]: a request of 2026-07-28
new_text() {
    printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":{%s"_meta":{' "$1" "$2" "${3-}"
    printf '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}}}' "${4:-{\}}"
}
# new ID METHOD FIELDS CAPABILITIES [CURL ARGUMENT...]
new() {
    http POST /mcp "$(new_text "$1" "$2" "${3-}" "${4-}")" -H "MCP-Protocol-Version: 2026-07-28" -H "Mcp-Method: $2" "${@:5}"
}
data() { sed -n 's/^data: //p' <<<"$out"; } # the messages of a stream

serve --db shop.db --set sql.timeout_s=600 --set agent.timeout_s=600

# 2025: initialize opens a conversation.
greet
status_is 200
is '.result.protocolVersion == "2025-11-25" and .result.serverInfo.name == "dragoman"'
check "initialize should return an id" matches "$talk" '^mcp-[a-z0-9]{20,}\.[0-9a-f]+\.[0-9]+\.[0-9a-f]{64}$'
http POST /mcp '{"jsonrpc":"2.0","method":"notifications/initialized"}' -H "Mcp-Session-Id: $talk"
status_is 202
check "a notification has no reply" test -z "$out"
old 1 tools/list
status_is 200
is '.result.tools | length == 4'
check "a quick reply is JSON" has "$head" "Content-Type: application/json"
old 2 tools/call '{"name":"ask","arguments":{"question":"how many customers are there?"}}' -H "MCP-Protocol-Version: 2025-11-25"
is '.result.structuredContent.rows == [[2400]]'
old 3 tools/call '{"name":"ask","arguments":{"question":"how many customers are there?"},"_meta":{"progressToken":"p"}}'
status_is 200
check "progress makes a stream" has "$head" "Content-Type: text/event-stream"
is 'length > 3 and (.[:-1] | all(.method == "notifications/progress")) and (.[-1] | .id == 3 and .result.structuredContent.rows == [[2400]])' "$(data | jq -s .)"
kept=$talk
talk=''
old 4 tools/list
status_is 400
talk=mcp-none
old 5 tools/list
status_is 404
http GET /mcp
status_is 400
http GET /mcp '' -H "Mcp-Session-Id: mcp-none"
status_is 404
http GET /mcp '' -H "MCP-Protocol-Version: 2026-07-28"
status_is 405
http DELETE /mcp
status_is 400
http DELETE /mcp '' -H "Mcp-Session-Id: $kept"
status_is 204
talk=$kept
old 6 tools/list
status_is 404
http DELETE /mcp '' -H "Mcp-Session-Id: $kept"
status_is 404
greet '{}' -H "Mcp-Session-Id: mcp-stale"
status_is 200

# Bad bodies.
for body in 'no JSON' '[]' '7' '{"jsonrpc":"2.0","id":1}' '{"jsonrpc":"2.0","id":{},"method":"ping"}' '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'; do
    http POST /mcp "$body" -H "Mcp-Session-Id: $talk"
    status_is 400
    is '.error.code == -32700 or .error.code == -32600'
done
http POST /mcp '' -H "Mcp-Session-Id: $talk" -H 'Content-Type: application/json'
status_is 400
# The body is JSON, and a client takes both kinds of reply.
ping='{"jsonrpc":"2.0","id":1,"method":"ping"}'
typed() { http POST /mcp '' -H "Mcp-Session-Id: $talk" --data-binary "$ping" "$@"; }
for type in text/plain application/x-www-form-urlencoded 'multipart/form-data; boundary=x' application/json-seq 'text/plain; application/json' \
    'application/json, text/plain' ''; do
    typed -H "Content-Type: $type"
    status_is 415
    is '.error.code == -32600 and (.error.message | test("Content-Type"))'
done
for type in application/json 'Application/JSON; charset=utf-8' 'application/json;charset=utf-8' ' application/json '; do
    typed -H "Content-Type: $type"
    status_is 200
done
for accept in application/json text/event-stream text/html 'application/json, text/event-stream;q=0' 'application/*, text/html' '*/*;q=0' \
    'application/json;q=0, */*' 'application/jsonx, text/event-streamx'; do
    typed -H 'Content-Type: application/json' -H "Accept: $accept"
    status_is 406
    is '.error.code == -32600 and (.error.message | test("Accept"))'
done
for accept in '*/*' 'text/event-stream, application/json' 'application/json;q=0.5,text/*' 'text/html, */*;q=0.1' 'APPLICATION/JSON , Text/Event-Stream'; do
    typed -H 'Content-Type: application/json' -H "Accept: $accept"
    status_is 200
done
typed -H 'Content-Type: application/json' -H 'Accept:' # without the header, any type is accepted
status_is 200
http GET /mcp '' -H "Mcp-Session-Id: $talk" -H 'Accept: application/json'
status_is 406
http POST /mcp '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"a\u0000b"}}}' -H "Mcp-Session-Id: $talk"
status_is 400
is '.error.code == -32700 and (.error.message | test("contains the character .u0000"))'
head -c 3000000 /dev/zero | tr '\0' ' ' >"$work/large"
http POST /mcp "@$work/large"
status_is 413
http POST /mcp '{"jsonrpc":"2.0","id":"ask-1","result":{}}' -H "Mcp-Session-Id: $talk"
status_is 202
old 7 tools/list '{}' -H "Origin: http://evil.example"
status_is 403
old 8 tools/list '{}' -H "Host: evil.example"
status_is 403

# Asking back: the request comes on the stream of the call, the response with a request of its own.
greet "$forms"
curl -s -m 60 -N -X POST "$address/mcp" -H "Mcp-Session-Id: $talk" -H 'Content-Type: application/json' \
    --data-binary '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"revenue"}}}' >"$work/stream" &
asker=$!
waits_for "the user should be asked" grep -q elicitation/create "$work/stream"
asked=$(sed -n 's/^data: //p' "$work/stream" | jq -r 'select(.method == "elicitation/create").id')
choice="{\"jsonrpc\":\"2.0\",\"id\":\"$asked\",\"result\":{\"action\":\"accept\",\"content\":{\"answer\":\"2\"}}}"
mine=$talk
greet "$forms" # another conversation cannot answer
http POST /mcp "$choice" -H "Mcp-Session-Id: $talk"
status_is 202
check "a stranger's answer should count for nothing" kill -0 $asker
http POST /mcp "$choice" -H "Mcp-Session-Id: $mine"
status_is 202
wait $asker
is '.id == 1 and (.result.structuredContent.rows | length) == 1' "$(sed -n 's/^data: //p' "$work/stream" | tail -n 1)"

# A cancel, and the end of a conversation, reach the database; a lost stream of 2025 does not.
at_work() { figure_is questions_at_work "$1"; }
curl -s "$address/metrics" >"$work/metrics"
work_name=$(sed -n 's/^dragoman_\([a-z_]*work[a-z_]*\) .*/\1/p' "$work/metrics" | head -n 1)
at_work() { figure_is "$work_name" "$1"; }
start() { # ID
    curl -s -m 120 -X POST "$address/mcp" -H "Mcp-Session-Id: $mine" -H 'Content-Type: application/json' \
        --data-binary "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"tools/call\",\"params\":{\"name\":\"execute_sql\",\"arguments\":{\"sql\":\"$endless\"}}}" >"$work/started" &
    starter=$!
    waits_for "the query should run" at_work 1
}
start 5
http POST /mcp '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}' -H "Mcp-Session-Id: $mine"
status_is 202
waits_for "a cancel should end the query" at_work 0
wait $starter
check "a cancelled call has no reply" test ! -s "$work/started"
start 6
http DELETE /mcp '' -H "Mcp-Session-Id: $mine"
waits_for "the end of its conversation should end the query" at_work 0
wait $starter

# 2026: each request by itself, and its headers say what the body says.
new 1 server/discover '' ''
status_is 200
is '.result.supportedVersions[0] == "2026-07-28"'
check "there should be no conversation" lacks "$head" Mcp-Session-Id
new 2 tools/call '"name":"ask","arguments":{"question":"how many customers are there?"},' '' -H 'Mcp-Name: ask'
is '.result.structuredContent.rows == [[2400]]'
new 2 tools/call '"name":"ask","arguments":{"question":"how many customers are there?"},' '' -H 'Mcp-Name: =?base64?YXNr?='
is '.result.structuredContent.rows == [[2400]]'
for name in 'Mcp-Name: other' 'Mcp-Name: =?base64?YXN?=' 'X-Nothing: 1'; do
    new 3 tools/call '"name":"ask","arguments":{"question":"how many customers are there?"},' '' -H "$name"
    status_is 400
    is '.error.code == -32020'
done
http POST /mcp "$(new_text 4 tools/list)" -H "MCP-Protocol-Version: 2026-07-28" -H "Mcp-Method: tools/call"
status_is 400
is '.error.code == -32020'
http POST /mcp "$(new_text 4 tools/list)" -H "MCP-Protocol-Version: 2026-07-28"
is '.error.code == -32020'
http POST /mcp "$(new_text 4 tools/list)" -H "Mcp-Method: tools/list"
is '.error.code == -32020'
http POST /mcp "$(new_text 4 tools/list)" -H "MCP-Protocol-Version: 2025-11-25" -H "Mcp-Method: tools/list"
is '.error.code == -32020'
http POST /mcp '{"jsonrpc":"2.0","id":5,"method":"tools/list"}' -H "MCP-Protocol-Version: 2026-07-28" -H "Mcp-Method: tools/list"
status_is 400
is '.error.code == -32602'
http POST /mcp "$(new_text 6 tools/list | sed s/2026-07-28/2031-01-01/)" -H "MCP-Protocol-Version: 2031-01-01" -H "Mcp-Method: tools/list"
status_is 400
is '.error.code == -32022'
new 7 ping '' ''
status_is 404
is '.error.code == -32601'
new 8 resources/read '"uri":"dragoman://schema/none",' '' -H 'Mcp-Name: dragoman://schema/none'
status_is 200
is '.error.code == -32602'
new 9 tools/call '"name":"ask","arguments":{"question":"revenue"},' "$forms" -H 'Mcp-Name: ask'
is '.result.resultType == "input_required"'
state=$(jq -r .result.requestState <<<"$out")
new 10 tools/call "\"name\":\"ask\",\"arguments\":{\"question\":\"revenue\"},\"inputResponses\":{\"answer\":{\"action\":\"accept\",\"content\":{\"answer\":\"2\"}}},\"requestState\":\"$state\"," "$forms" -H 'Mcp-Name: ask'
is '.result.resultType == "complete" and (.result.structuredContent.rows | length) == 1'
# Closing the stream cancels, with a stream and without one.
for meta in '' '"progressToken":1,'; do
    curl -s -m 120 -X POST "$address/mcp" -H 'Content-Type: application/json' -H "MCP-Protocol-Version: 2026-07-28" \
        -H "Mcp-Method: tools/call" -H "Mcp-Name: execute_sql" \
        --data-binary "$(new_text 11 tools/call "\"name\":\"execute_sql\",\"arguments\":{\"sql\":\"$endless\"}," | sed "s/\"_meta\":{/&$meta/")" >/dev/null &
    starter=$!
    waits_for "the query should run" at_work 1
    kill $starter
    waits_for "a closed stream should end the query" at_work 0
done
# A server that ends has replied to those that wait for their users.
greet "$forms"
curl -s -m 60 -N -X POST "$address/mcp" -H "Mcp-Session-Id: $talk" -H 'Content-Type: application/json' \
    --data-binary '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"revenue"}}}' >"$work/stream" &
asker=$!
waits_for "the user should be asked" grep -q elicitation/create "$work/stream"
serve_ends TERM
wait $asker

# Every process with the same store goes on with a conversation, and with a question that waits for its user (2026).
serve --db shop.db
first=$server
greet "$forms"
new 1 tools/call '"name":"ask","arguments":{"question":"revenue"},' "$forms" -H 'Mcp-Name: ask'
state=$(jq -r .result.requestState <<<"$out")
serve --db shop.db
old 1 tools/list
status_is 200
curl -s -m 120 -N -X POST "$address/mcp" -H "Mcp-Session-Id: $talk" -H 'Content-Type: application/json' \
    --data-binary '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","arguments":{"question":"revenue"}}}' >"$work/second" &
asker=$!
: >>"$work/second"
waits_for "it should know what the client is able to do" grep -q elicitation/create "$work/second"
kill $asker
new 2 tools/call "\"name\":\"ask\",\"arguments\":{\"question\":\"revenue\"},\"inputResponses\":{\"answer\":{\"action\":\"accept\",\"content\":{\"answer\":\"2\"}}},\"requestState\":\"$state\"," "$forms" -H 'Mcp-Name: ask'
is '.result.resultType == "complete" and (.result.structuredContent.rows | length) == 1'
kept=$talk
for talk in "${kept%?}x" "${kept/./.f.}" "$kept." "mcp-$(printf 'a%.0s' {1..200})" "$(sed 's/\.[0-9]*\./.9999999999./' <<<"$kept")" ...; do
    old 3 tools/list
    status_is 404
done
talk=$kept
http DELETE /mcp '' -H "Mcp-Session-Id: $talk"
status_is 204
old 4 tools/list
status_is 404
serve_ends TERM
kill -TERM "$first"
wait "$first"

# A conversation that nobody uses ends, with the call that waits for a user who is gone.
serve --db shop.db --set session.timeout_s=8
greet
idle=$talk
greet "$forms"
curl -s -m 60 -N -X POST "$address/mcp" -H "Mcp-Session-Id: $talk" -H 'Content-Type: application/json' \
    --data-binary '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"revenue"}}}' >"$work/stream" &
asker=$!
waits_for "the user should be asked" grep -q elicitation/create "$work/stream"
wait $asker # the server ends the stream
check "a call whose user is gone has no result" bash -c "! grep -q structuredContent '$work/stream'"
old 1 tools/list
status_is 404
talk=$idle
old 1 tools/list
status_is 404
serve_ends TERM

# Keys: as for all of HTTP; a conversation belongs to its key.
ann=$("$dragoman" keys add ann 2>/dev/null)
bob=$("$dragoman" keys add bob 2>/dev/null)
reader=$("$dragoman" keys add carl --scopes read 2>/dev/null)
serve --db shop.db
greet
status_is 401
check "a client should be told how" has "$head" "WWW-Authenticate: Bearer"
greet '{}' -H "Authorization: Bearer $reader"
status_is 403
greet '{}' -H "Authorization: Bearer $ann"
status_is 200
old 1 tools/call '{"name":"ask","arguments":{"question":"how many customers are there?"}}' -H "Authorization: Bearer $ann"
id=$(jq -r .result.structuredContent.query_id <<<"$out")
old 2 tools/list '{}' -H "Authorization: Bearer $bob"
status_is 404
http DELETE /mcp '' -H "Mcp-Session-Id: $talk" -H "Authorization: Bearer $bob"
status_is 404
greet '{}' -H "Authorization: Bearer $bob"
for tool in "explain\",\"arguments\":{\"query_id\":\"$id\"}" "execute_sql\",\"arguments\":{\"query_id\":\"$id\"}" \
    "ask\",\"arguments\":{\"resume\":\"$id\",\"option\":1}"; do
    old 3 tools/call "{\"name\":\"$tool}" -H "Authorization: Bearer $bob"
    is '.result.isError and (.result.content[0].text | test("QUERY_NOT_FOUND"))'
done
serve_ends TERM
summary
