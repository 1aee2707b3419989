#!/bin/bash
# Whoever loses access loses what is open: streams of changes of both eras, events of questions, conversations, and what runs.
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
endless='WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT COUNT(*) FROM t'
is() { check "the reply should fulfil $1" test "$(jq -r "$1" <<<"${2:-$out}" 2>/dev/null)" = true; }
key_of() { # ARGUMENT...: sets $key and $id
    key=$("$dragoman" keys add "$@" 2>/dev/null)
    id=${key#dgm_} id=${id%%_*}
}
as() { http "$2" "$3" "${4-}" ${1:+-H "Authorization: Bearer $1"} "${@:5}"; } # KEY METHOD PATH BODY CURL ARGUMENT...
greet() { # KEY [CAPABILITIES]: sets $talk
    as "$1" POST /mcp "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":${2:-{\}},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"
    talk=$(sed -n 's/^Mcp-Session-Id: //p' <<<"$head")
}
# opens FILE KEY CURL ARGUMENT...: a stream into a file, by a process $opened; it ends with the status of its reply in FILE.status
opens() {
    : >"$1"
    curl -s -m 250 -N -o "$1" -w '%{http_code}' "$address${*: -1}" ${2:+-H "Authorization: Bearer $2"} "${@:3:$#-3}" >"$1.status" &
    opened=$!
    background+=("$opened")
}
json=(-X POST -H 'Content-Type: application/json')
modern=("${json[@]}" -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: subscriptions/listen' --data-binary
    '{"jsonrpc":"2.0","id":9,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["dragoman://schema/shop"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}')
# subscribes KEY: both streams of changes; sets $old and $new
subscribes() {
    greet "$1"
    as "$1" POST /mcp '{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"dragoman://schema/shop"}}' -H "Mcp-Session-Id: $talk"
    status_is 200
    opens "$work/old" "$1" -H "Mcp-Session-Id: $talk" /mcp
    old=$opened
    opens "$work/new" "$1" "${modern[@]}" /mcp
    new=$opened
    waits_for "a stream of 2025 should open" test -s "$work/old"
    waits_for "a stream of 2026 should open" grep -q acknowledged "$work/new"
}
rename() { python3 -c 'import sqlite3, sys; sqlite3.connect("shop.db").execute("ALTER TABLE customers RENAME COLUMN %s TO %s" % tuple(sys.argv[1:]))' "$@"; }
at_work() { figure_is "$work_name" "$1"; }

# A server without keys: as soon as there is one, what the local user has open ends.
serve --db shop.db --set schema.watch_s=1
subscribes ''
key_of keeper --scopes admin
wait "$old" "$new"
check "without a key nobody should hear more" test "$(cat "$work/old.status")" = 200
as "$key" GET /api/v1/me
status_is 200
serve_ends TERM

keeper=$key
serve --db shop.db --set schema.watch_s=1 --set server.heartbeat_s=1 --set sql.timeout_s=600 --set agent.timeout_s=600
curl -s "$address/metrics" -H "Authorization: Bearer $keeper" >"$work/metrics"
work_name=$(sed -n 's/^dragoman_\([a-z_]*work[a-z_]*\) .*/\1/p' "$work/metrics" | head -n 1)
figure_is() { [ "$(curl -s -m 60 -H "Authorization: Bearer $keeper" "$address/metrics" | sed -n "s/^dragoman_$1 //p")" = "$2" ]; }

# Changes of resources: heard until the key is revoked.
key_of ann
ann=$key ann_id=$id
subscribes "$ann"
rename segment kind
waits_for "the change should be told in 2025" grep -q notifications/resources/updated "$work/old"
waits_for "the change should be told in 2026" grep -q notifications/resources/updated "$work/new"
"$dragoman" keys revoke "$ann_id" >/dev/null 2>&1 # by another process
wait "$old" "$new"
told=$(cat "$work/old" "$work/new" | grep -c resources/updated)
rename kind segment
check "nothing should be told after it" test "$told" = 2
as "$ann" POST /mcp '{"jsonrpc":"2.0","id":2,"method":"ping"}' -H "Mcp-Session-Id: $talk"
status_is 401

# The same when it expires.
as "$keeper" POST /api/v1/keys '{"account":"eve","expires_in_s":8}'
key=$(field key)
subscribes "$key"
wait "$old" "$new"
as "$key" GET /api/v1/me
status_is 401

# Events of a question: with the key that follows it. The question of another key goes on.
key_of carl
first=$key first_id=$id
key_of carl
second=$key second_id=$id
as "$first" POST /api/v1/sql "{\"sql\":\"$endless\"}"
query=$(field query_id)
waits_for "the query should run" at_work 1
opens "$work/one" "$first" "/api/v1/ask/$query/stream"
one=$opened
opens "$work/two" "$second" "/api/v1/ask/$query/stream"
two=$opened
waits_for "events should come" grep -q '^event: status' "$work/one"
waits_for "events should come to the other key" grep -q '^event: status' "$work/two"
"$dragoman" keys revoke "$second_id" >/dev/null 2>&1
wait "$two"
check "its stream should end without the end of the question" lacks "$(cat "$work/two")" "event: done"
check "the stream of the other key should stay" kill -0 "$one"
check "the question should go on" at_work 1
# The key that asked: its question is stopped, too.
as "$keeper" DELETE "/api/v1/keys/$first_id" # by this process
status_is 200
wait "$one"
waits_for "its question should be stopped" at_work 0

# Requests that wait for an answer: they get no rows, whichever way they were asked.
for way in '/api/v1/sql {"sql":"'"$endless"'","wait":true}' \
    '/mcp {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"execute_sql","arguments":{"sql":"'"$endless"'"}}}'; do
    key_of dora
    greet "$key"
    opens "$work/waits" "$key" "${json[@]}" -H "Mcp-Session-Id: $talk" --data-binary "${way#* }" "${way%% *}"
    waits_for "the query should run" at_work 1
    "$dragoman" keys revoke "$id" >/dev/null 2>&1
    wait "$opened"
    waits_for "the query should be stopped" at_work 0
    check "there should be no rows: ${way%% *}" lacks "$(cat "$work/waits")" '"rows":[['
done

# A form that nobody has answered: its stream ends.
key_of fay
greet "$key" '{"elicitation":{}}'
opens "$work/form" "$key" "${json[@]}" -H "Mcp-Session-Id: $talk" --data-binary \
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"revenue"}}}' /mcp
waits_for "the user should be asked" grep -q elicitation/create "$work/form"
"$dragoman" keys revoke "$id" >/dev/null 2>&1
wait "$opened"
check "a form without a user should have no result" lacks "$(cat "$work/form")" structuredContent
as "$keeper" GET /api/v1/me
status_is 200
serve_ends TERM

# A chat page: the stream of its answer ends with an error instead of rows.
count_customers "" 60000 >script
serve --db shop.db --set agent.brain=llm --set llm.provider=scripted --set llm.script="$PWD/script"
key_of gus
opens "$work/chat" "$key" "${json[@]}" --data-binary \
    '{"model":"dragoman","stream":true,"messages":[{"role":"user","content":"how many customers are there?"}]}' /v1/chat/completions
waits_for "the question should run" at_work 1
"$dragoman" keys revoke "$id" >/dev/null 2>&1
wait "$opened"
waits_for "the question should be stopped" at_work 0
check "an error should be the end" has "$(cat "$work/chat")" '"error":'
check "there should be no answer" lacks "$(cat "$work/chat")" 2,400
serve_ends TERM
summary
