#!/bin/bash
# Calls run at the same time, and notifications/cancelled reaches the database and the model.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
endless='WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT COUNT(*) FROM t'
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s,"_meta":{"progressToken":%s}}}' "$1" "$2" "$3" "$1"; }
cancel() { say "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":$1,\"reason\":\"test\"}}"; }
# What a process has used of the processor, in ticks: an idle one uses none.
ticks() { awk '{print $14 + $15}' "/proc/$pid/stat"; }
is_idle() {
    local before
    before=$(ticks)
    sleep 0.3
    [ $(($(ticks) - before)) -le 3 ]
}
becomes_idle() {
    local i
    for ((i = 0; i < 100; i++)); do is_idle && return; done
    return 1
}
# hear_note PATTERN: waits for a notification.
hear_note() {
    local line
    while IFS= read -r -t $patience_s line <&"$from"; do
        case $line in *"$1"*) return ;; esac
    done
    fail "there should be a notification with $1"
}

connect --db shop.db --set sql.timeout_s=600 --set agent.timeout_s=600
greet $V11
say "$(call 1 execute_sql "{\"sql\": \"$endless\"}")"
hear_note '"progressToken":1,"progress":'
for ((i = 0; i < 20; i++)); do # others are answered meanwhile
    say "$(call 2 ask '{"question": "how many customers are there?"}')"
    hear 2
    is '.result.structuredContent.rows == [[2400]]'
done
say '{"jsonrpc":"2.0","id":1,"method":"ping"}'
hear 1
is '.error.code == -32600' # the id of a request at work
is '.error.message | test("id")'
cancel 1
check "the query should be ended in the database" becomes_idle
notes=''
request 3 ping
check "a cancelled call should get no reply" lacks "$notes" '"id":1,"result"'
cancel 1
cancel 77
cancel '"x"'
request 4 ping
is '.result == {}'

# Too many at once are refused, and all of them end with the conversation.
for ((i = 100; i < 164; i++)); do say "$(call $i execute_sql "{\"sql\": \"$endless\"}")"; done
say "$(call 164 execute_sql "{\"sql\": \"$endless\"}")"
hear 164
is '.error.code == -32600 and (.error.message | test("Too many"))'
kill -TERM "$pid"
wait "$pid"
status=$?
status_is 0
exec {to}>&-

# The model: it begins to speak, and its stream is closed.
"$helpers/e2e_server_speaker" "$work/port" "$work/heard" &
background+=($!)
wait_for_file "$work/port"
export DRAGOMAN_AGENT_BRAIN=llm
connect --db shop.db --set llm.provider=openai --set "llm.url=http://127.0.0.1:$(cat "$work/port")/v1" --set llm.key=k \
    --set llm.timeout_s=600 --set agent.timeout_s=600
greet $V11
say "$(call 1 ask '{"question": "Which customers spent the most last year?"}')"
for ((i = 0; i < 400; i++)); do grep -q ^called "$work/heard" 2>/dev/null && break; sleep 0.05; done
cancel 1
for ((i = 0; i < 400; i++)); do grep -q ^closed "$work/heard" 2>/dev/null && break; sleep 0.05; done
check "the model's stream should be closed" grep -q ^closed "$work/heard"
hang_up
status_is 0
summary
