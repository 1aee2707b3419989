#!/bin/bash
# Asking back: with a form where the client has forms, else with the options as a result.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
unclear='{"name":"ask","arguments":{"question":"revenue"}}'
forms='{"elicitation":{}}'
call_text() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":%s}' "$1" "$unclear"; }
# respond RESULT: answers the server's request in $out.
respond() { say "$(jq -c --argjson result "$1" '{jsonrpc: "2.0", id: .id, result: $result}' <<<"$out")"; }

# The revision of today's clients.
connect --db shop.db
greet $V11 "$forms"
say "$(call_text 1)"
hear_request
is '.method == "elicitation/create" and .params.mode == "form" and (.params.message | length) > 5'
is '.params.requestedSchema | .type == "object" and .required == ["answer"] and (.properties.answer.oneOf | length) > 1'
is '[.params.requestedSchema.properties.answer.oneOf[] | (.const | type) + (.title | type)] | all(. == "stringstring")'
first=$out
respond '{"action":"accept","content":{"answer":"2"}}'
hear 1
is '.result.structuredContent | .rows | length == 1'
# Only the first response counts, and a stranger's counts for nothing.
out=$first
respond '{"action":"accept","content":{"answer":"1"}}'
say '{"jsonrpc":"2.0","id":"ask-0000","result":{"action":"accept","content":{"answer":"1"}}}'
for answer in '{"action":"decline"}' '{"action":"cancel"}' '{"action":"accept"}' '{"action":"accept","content":{"answer":7}}'; do
    say "$(call_text 2)"
    hear_request
    respond "$answer"
    hear 2
    is '.result.structuredContent | .status == "choose" and (.options | length) > 1 and (.next | test("resume"))'
done
say "$(call_text 3)"
hear_request
say "$(jq -c '{jsonrpc: "2.0", id: .id, error: {code: -32603, message: "no forms today"}}' <<<"$out")"
hear 3
is '.result.structuredContent.status == "choose"'
# While it waits other requests are answered; at the end of the input it gets its options.
say "$(call_text 4)"
hear_request
request 5 ping
is '.result == {}'
hang_up
status_is 0
is '.id == 4 and .result.structuredContent.status == "choose"' "$rest"

# The first revision with forms knows choices as enum and enumNames.
connect --db shop.db
greet $V6 "$forms"
say "$(call_text 1)"
hear_request
is '.params.mode == null and (.params.requestedSchema.properties.answer | (.enum | length) > 1 and (.enum | length) == (.enumNames | length))'
# A call that waits can be cancelled: no reply, and the question is over.
say '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
request 2 ping
check "a cancelled call should get no reply" lacks "$notes" '"id":1,'
hang_up
status_is 0
check "nothing more should come" test -z "$rest"

# A client that opens addresses only has no forms.
connect --db shop.db
greet $V11 '{"elicitation":{"url":{}}}'
request 1 tools/call "$unclear"
is '.result.structuredContent.status == "choose"'
is '.result.structuredContent.context | .dialect == "sqlite" and (.tables | length) > 0 and (.tables | length) <= 5 and (.notes | length) > 5'
hang_up

# 2026: the request comes again with the answer, and with a state that is bound to it.
connect --db shop.db
ask26='"name":"ask","arguments":{"question":"revenue"},'
modern 1 tools/call "$ask26"
is '.result.resultType == "complete" and .result.structuredContent.status == "choose"'
modern 2 tools/call "$ask26" "$forms"
is '.result.resultType == "input_required" and .result.inputRequests.answer.method == "elicitation/create" and .result.content == null'
is '.result.inputRequests.answer.params.requestedSchema.properties.answer.oneOf | length > 1'
state=$(jq -r .result.requestState <<<"$out")
answer='"inputResponses":{"answer":{"action":"accept","content":{"answer":"2"}}},'
# Not with another request, not changed, not made up.
modern 3 tools/call "\"name\":\"ask\",\"arguments\":{\"question\":\"turnover\"},$answer\"requestState\":\"$state\"," "$forms"
is '.error.code == -32602'
for bad in "${state%?}x" "$(sed 's/\.[0-9]*\./.9999999999./' <<<"$state")" v1.q-1.1.00 '' v1...; do
    modern 4 tools/call "$ask26$answer\"requestState\":\"$bad\"," "$forms"
    is '.error.code == -32602'
done
# Without an answer it asks again; declined, the options are the result.
modern 5 tools/call "$ask26\"requestState\":\"$state\"," "$forms"
is '.result.resultType == "input_required"'
modern 6 tools/call "$ask26\"inputResponses\":{\"answer\":{\"action\":\"decline\"}},\"requestState\":\"$state\"," "$forms"
is '.result.resultType == "complete" and .result.structuredContent.status == "choose"'
modern 7 tools/call "$ask26$answer\"requestState\":\"$state\"," "$forms"
is '.result.resultType == "complete" and (.result.structuredContent.rows | length) == 1'
# Once.
modern 8 tools/call "$ask26$answer\"requestState\":\"$state\"," "$forms"
is '.result.isError'
hang_up
status_is 0

# What dragoman cannot answer, the host's model may: it gets the tables that matter.
connect --db shop.db
greet $V11
export -n DRAGOMAN_AGENT_BRAIN
tool 1 ask '{"question": "correlate the moon phase with the shipments per carrier"}'
is '.status != "answered"' "$data"
is '[.context.tables[] | test("^shipments\\(")] | any' "$data"
hang_up
summary
