#!/bin/bash
# Streams of conversations of 2025 over HTTP: one that is lost is gone on with (Last-Event-ID), and one for what belongs to no
# request: changes of resources.
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
is() { check "the reply should fulfil $1" test "$(jq -r "$1" <<<"${2:-$out}" 2>/dev/null)" = true; }
old() { http POST /mcp "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":${3:-{\}}}" ${talk:+-H "Mcp-Session-Id: $talk"} "${@:4}"; }
greet() { # VERSION [CAPABILITIES]: sets $talk
    talk=''
    old 0 initialize "{\"protocolVersion\":\"$1\",\"capabilities\":${2:-{\}},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}"
    talk=$(sed -n 's/^Mcp-Session-Id: //p' <<<"$head")
}
# listens FILE CURL ARGUMENT...: a stream into a file, by a process $listener
listens() {
    : >"$1"
    curl -s -m 120 -N -o "$1" "$address/mcp" -H "Mcp-Session-Id: $talk" "${@:2}" &
    listener=$!
    background+=("$listener")
}
ends() { kill "$1" 2>/dev/null && wait "$1" 2>/dev/null; }
event_ids() { sed -n 's/^id: //p' "$1"; }
messages() { sed -n 's/^data: \({.*\)/\1/p' "$1"; }
at_most() { [ "$(curl -s -m 60 "$address/metrics" | sed -n "s/^dragoman_$1 //p")" -le "$2" ]; }
serve --db shop.db --set schema.watch_s=1 --set server.heartbeat_s=1 --set agent.timeout_s=600

# A stream is lost while the user is asked; the client comes again, answers, and gets the rest.
greet 2025-11-25 '{"elicitation":{}}'
ask='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"revenue"}}}'
listens "$work/first" -X POST -H 'Content-Type: application/json' --data-binary "$ask"
waits_for "the user should be asked" grep -q elicitation/create "$work/first"
check "a stream should begin with an id and no data" test "$(sed -n 2p "$work/first")" = "data: "
is '.method == "elicitation/create"' "$(messages "$work/first")"
start=$(event_ids "$work/first" | head -n 1)
last=$(event_ids "$work/first" | tail -n 1)
ends $listener
listens "$work/second" -H "Last-Event-ID: $last"
asked=$(messages "$work/first" | jq -r .id)
http POST /mcp "{\"jsonrpc\":\"2.0\",\"id\":\"$asked\",\"result\":{\"action\":\"accept\",\"content\":{\"answer\":\"2\"}}}" -H "Mcp-Session-Id: $talk"
status_is 202
wait $listener
is '.id == 1 and (.result.structuredContent.rows | length) == 1' "$(messages "$work/second" | tail -n 1)"
check "what was received should not come again" lacks "$(cat "$work/second")" elicitation/create
# Once more from the beginning, after its end.
http GET /mcp '' -H "Mcp-Session-Id: $talk" -H "Last-Event-ID: $start"
status_is 200
is 'length == 2 and .[0].method == "elicitation/create" and .[1].id == 1' "$(sed -n 's/^data: \({.*\)/\1/p' <<<"$out" | jq -s .)"
# Another connection takes a stream over: the first one ends.
listens "$work/third" -X POST -H 'Content-Type: application/json' --data-binary "${ask/\"id\":1/\"id\":2}"
waits_for "the user should be asked again" grep -q elicitation/create "$work/third"
holder=$listener
listens "$work/fourth" -H "Last-Event-ID: $(event_ids "$work/third" | head -n 1)"
wait $holder
waits_for "the new connection should have it all" grep -q elicitation/create "$work/fourth"
ends $listener
# Not for another conversation, and not made up: these open a stream of changes.
keeper=$talk
greet 2025-11-25
for id in "$start" s-nothing/1 "${start%/*}/x" "${start%/*}/-1" / ''; do
    listens "$work/other" -H "Last-Event-ID: $id"
    waits_for "a stream should open" test -s "$work/other"
    check "another conversation's messages should not come" lacks "$(cat "$work/other")" data:
    ends $listener
done
http DELETE /mcp '' -H "Mcp-Session-Id: $keeper"
status_is 204

# Clients of 2025-06-18 do not know an event without data.
greet 2025-06-18 '{"elicitation":{}}'
listens "$work/sixth" -X POST -H 'Content-Type: application/json' --data-binary "$ask"
waits_for "the user should be asked" grep -q elicitation/create "$work/sixth"
check "no event without data" lacks "$(cat "$work/sixth")" $'data: \n'
ends $listener

# What belongs to no request.
greet 2025-11-25
old 1 resources/subscribe '{"uri":"dragoman://schema/shop"}'
status_is 200
listens "$work/changes"
waits_for "a stream should open" test -s "$work/changes"
python3 -c 'import sqlite3; sqlite3.connect("shop.db").execute("ALTER TABLE customers RENAME COLUMN segment TO kind")'
waits_for "the change should be told" grep -q notifications/resources/updated "$work/changes"
is '.params.uri == "dragoman://schema/shop"' "$(messages "$work/changes" | head -n 1)"
# A second one replaces it.
holder=$listener
listens "$work/again"
wait $holder
waits_for "a stream should open" test -s "$work/again"
http DELETE /mcp '' -H "Mcp-Session-Id: $talk"
status_is 204
wait $listener
check "it should end with its conversation" test $? -eq 0

# A flood of streams, half of them left open by clients that read nothing: one of each conversation stays, and none at the end.
greet 2025-11-25
readers=()
for ((i = 0; i < 60; i++)); do
    if ((i % 2)); then
        exec {socket}<>"/dev/tcp/${host%:*}/${host##*:}"
        printf 'GET /mcp HTTP/1.1\r\nHost: %s\r\nMcp-Session-Id: %s\r\nLast-Event-ID: %s\r\n\r\n' "$host" "$talk" "$start" >&$socket
        readers+=($socket)
    else
        curl -s -m 0.2 -N "$address/mcp" -H "Mcp-Session-Id: $talk" >/dev/null
    fi
done
old 2 ping
is '.result == {}'
waits_for "one stream of a conversation should stay" at_most streams 1
for socket in "${readers[@]}"; do exec {socket}>&-; done
waits_for "no stream should stay" at_most streams 0

# Streams do not keep the server from ending.
greet 2025-11-25
listens "$work/left"
curl -s -m 120 -N -o "$work/listen" "$address/mcp" -H 'Content-Type: application/json' -H 'MCP-Protocol-Version: 2026-07-28' \
    -H 'Mcp-Method: subscriptions/listen' --data-binary \
    '{"jsonrpc":"2.0","id":9,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}' &
: >>"$work/listen"
waits_for "the subscription should be acknowledged" grep -q acknowledged "$work/listen"
serve_ends TERM
is '.id == 9 and .result.resultType == "complete"' "$(messages "$work/listen" | tail -n 1)"
summary
