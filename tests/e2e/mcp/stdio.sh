#!/bin/bash
# `dragoman mcp` over pipes, as an assistant starts it: the revisions of 2025.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1

connect --db shop.db
greet $V6
is '.result.protocolVersion == "2025-06-18"'
is '.result.serverInfo.name == "dragoman"'
is '.result.capabilities.tools != null'
request 1 ping
is '.result == {}'
request '"a\"b"' ping
request 2 tools/list
is '[.result.tools[].name] | index("ask") != null and index("execute_sql") != null'
is '[.result.tools[] | .annotations.readOnlyHint] | all'
is '[.result.tools[] | .name | test("^[a-z0-9_]+$")] | all'
is '.result.tools | length <= 5'
check "the list of tools should be small" test "$(jq -c .result.tools <<<"$out" | wc -c)" -lt 2500

# A question and SQL; text and structured content are the same data.
tool 3 ask '{"question": "how many customers are there?"}'
is '.status == "answered" and .rows == [[2400]] and .truncated == false' "$data"
is '(.result.content[0].text | fromjson) == .result.structuredContent'
check "no progress without a token" test -z "$notes"
request 4 tools/call '{"name": "ask", "arguments": {"question": "how many customers are there?"}, "_meta": {"progressToken": "t1"}}'
is 'length > 3 and all(.params.progressToken == "t1") and ([.[].params.progress] | . == (unique | sort))' "$(jq -s . <<<"$notes")"
notes=''
tool 5 execute_sql '{"sql": "SELECT id FROM customers WHERE id < 3 ORDER BY id"}'
is '.columns == ["id"] and .rows == [[1], [2]] and .row_count == 2' "$data"
tool 6 execute_sql '{"sql": "DELETE FROM customers"}'
is '.result.isError and .result.structuredContent == null and (.result.content[0].text | test("would change data"))'
tool 7 execute_sql '{"sql": "SELECT nope FROM customers"}'
is '.result.isError and (.result.content[0].text | test("nope"))'

# An unclear question: the options, and how to go on.
tool 8 ask '{"question": "revenue"}'
is '.status == "choose" and (.options | length) > 1 and (.next | test("resume"))' "$data"
asked=$(jq -r .query_id <<<"$data")
tool 9 ask "{\"resume\": \"$asked\", \"option\": 2}"
is '.status != "choose" and (.rows | length) == 1' "$data"
tool 10 ask "{\"resume\": \"$asked\", \"option\": \"1\"}"
is '.result.isError == null'
tool 11 ask '{"resume": "q-nothing", "option": 1}'
is '.result.isError'

# What a model may send that is wrong: told in a result. What a client sends wrong: an error.
tool 12 ask '{}'
is '.result.isError and (.result.content[0].text | test("question"))'
tool 13 ask '{"question": 7.5}'
is '.result.isError'
tool 14 ask '{"question": "how many orders?", "wrong": 1}'
is '.result.isError and (.result.content[0].text | test("wrong"))'
tool 15 nothing '{}'
is '.error.code == -32602'
request 16 tools/call '{"name": "ask", "arguments": []}'
is '.error.code == -32602'
request 17 nothing/there
is '.error.code == -32601'
request 18 tools/list '{"cursor": "x"}'
is '.error.code == -32602'
say 'no JSON'
hear null
is '.error.code == -32700 and .id == null'
say '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'
hear null
is '.error.code == -32600'
say '{"jsonrpc":"2.0","id":19,"method":7}'
hear 19
is '.error.code == -32600'
say '{"jsonrpc":"2.0","id":null,"method":"ping"}'
hear null
is '.error.code == -32600'
say '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'
hear null
say '{"jsonrpc":"1.0","id":20,"method":"ping"}'
hear 20
is '.error.code == -32600'
{ head -c 1100000 /dev/zero | tr '\0' a && echo; } >&"$to"
hear null
is '.error.code == -32700'
say '{"jsonrpc":"2.0","id":99,"result":{}}'
say '{"jsonrpc":"2.0","method":"notifications/unknown"}'
request 21 ping
is '.result == {}'

# The end of the input ends the program, after the answers.
say '{"jsonrpc":"2.0","id":22,"method":"tools/call","params":{"name":"ask","arguments":{"question":"how many orders are there?"}}}'
hang_up
status_is 0
is '.id == 22 and .result.structuredContent.status == "answered"' "$rest"
check "standard error should be empty" test ! -s "$work/mcp.err"

# An unknown version gets the newest of 2025.
connect --db shop.db
greet 2030-01-01
is '.result.protocolVersion == "2025-11-25"'
kill -TERM "$pid"
wait "$pid"
status=$?
status_is 0
exec {to}>&-

# A client that reads nothing and goes away: the program ends.
shown="a client that is gone"
mkfifo in out
"$dragoman" mcp --db shop.db <in >out 2>"$work/mcp.err" &
pid=$!
exec {to}>in {from}<out
for ((i = 0; i < 50; i++)); do
    say "{\"jsonrpc\":\"2.0\",\"id\":$i,\"method\":\"tools/list\"}"
done
exec {from}<&-
wait "$pid"
status=$?
status_is 0
exec {to}>&-

# A client that sends much and reads late: nothing is lost, and what waits for it is bounded.
shown="a client that reads late"
export DRAGOMAN_LOG_LEVEL=error
for ((i = 0; i < 6000; i++)); do
    printf '{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n' $i
done >requests
mkfifo late
"$dragoman" mcp --db shop.db <requests >late 2>"$work/mcp.err" &
pid=$!
exec {from}<late
position() { sed -n 's/^pos:[[:space:]]*//p' "/proc/$pid/fdinfo/0"; }
before=-1
for ((i = 0; i < 400; i++)); do # until it reads no more
    now=$(position)
    [ "$now" -gt 0 ] && [ "$now" = "$before" ] && break
    before=$now
    sleep 0.1
done
check "it should stop reading while its client does not read" test "$(position)" -lt "$(wc -c <requests)"
cat <&"$from" >replies
exec {from}<&-
wait "$pid"
status=$?
status_is 0
check "each request should get its reply" test "$(jq -r .id replies | sort -n | uniq | wc -l)" -eq 6000
check "the replies should be as many" test "$(wc -l <replies)" -eq 6000
summary
