#!/bin/bash
# kill -9 while questions are in each of their states: after a restart every one is answered or reported as
# interrupted, what was acknowledged is there, and it can be tried again. A full disk and one that cannot be written.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
# Each stage asks the model by itself, and the one in which the question is to be found is slow.
patience=(--set llm.timeout_s=600 --set agent.timeout_s=600)
script first <<'S'
>>> parse_intent
repeat
delay_ms: 60000
---
{"intent": "TEXT_TO_SQL"}
<<<
S
first=("${model[@]}" "${patience[@]}" --set understanding.mode=phased --db shop.db)
script later <<'S'
>>> parse_intent
repeat
---
{"intent": "TEXT_TO_SQL"}
<<<
>>> evaluate_tables
repeat
delay_ms: 60000
---
{"tables": []}
<<<
S
later=("${model[@]}" "${patience[@]}" --set understanding.mode=phased --db shop.db)

# killed_in STATE: asks, waits until the stream says that the state was entered, and kills.
killed_in() {
    http POST /api/v1/chat/sessions '{}'
    session=$(field session_id)
    http POST /api/v1/ask "{\"query\": \"How many customers are there?\", \"session_id\": \"$session\"}"
    status_is 202
    id=$(field query_id)
    if [ "$1" != accepted ]; then
        check "it should come to $1" \
            grep -m 1 -q "\"state\":\"$1\"" < <(exec curl -sN -m 30 "$address/api/v1/ask/$id/stream" 2>/dev/null)
    fi
    kill -9 "$server"
    wait "$server" 2>/dev/null
}

slow=("${first[@]}")
serve "${slow[@]}"
for state in accepted PARSE_INTENT CHECK_FRESHNESS RESOLVE_DATASOURCE RECALL EVALUATE_TABLES; do
    killed_in $state
    [ $state = PARSE_INTENT ] && slow=("${later[@]}")
    serve "${slow[@]}"
    http GET "/api/v1/ask/$id"
    status_is 200
    check "killed in $state: it should be known as failed" test "$(field status)" = failed
    out_has '"code":"INTERRUPTED"'
    http GET "/api/v1/chat/sessions/$session"
    status_is 200
    check "killed in $state: what was said should be there" has "$out" "How many customers are there?"
    http GET "/api/v1/ask/$id/stream"
    check "killed in $state: its stream should end" has "$out" "event: done"
done
# It waits for its user: that is kept, and can be answered after a restart.
serve_ends TERM
script back <<S
$(best_customers)
$(count_customers)
S
serve "${model[@]}" --db shop.db
http POST /api/v1/ask '{"query": "Who are the best customers?"}'
waiting=$(field query_id)
rest "$waiting"
out_has '"type":"clarification"'
http POST /api/v1/ask '{"query": "How many customers are there?"}'
done=$(field query_id)
rest "$done"
out_has '"row_count":1'
# stored FILE ID...: the store in this file has the answers of these; it writes a little later
stored() {
    local known
    known=$(sqlite3 "$1" "SELECT count(*) FROM questions WHERE answer IS NOT NULL AND id IN ('$2', '${3:-}')") &&
        [ "$known" = $(($# - 1)) ]
}
waits_for "both should be in the store" stored "$XDG_DATA_HOME/dragoman/dragoman.db" "$waiting" "$done"
kill -9 "$server"
wait "$server" 2>/dev/null
serve "${model[@]}" --db shop.db
http GET "/api/v1/ask/$waiting"
out_has '"type":"clarification"'
http GET "/api/v1/ask/$done"
out_has '"row_count":1'
# The one that was interrupted can be tried again, from the command line too.
serve_ends TERM
run "${model[@]}" ask --db shop.db --retry "$id" --json
status_is 0
out_has '"row_count":1'

# Told to end: a question that can end in time does, and who waits for it is answered; one that cannot is reported as
# interrupted and can be tried again; no further one is taken.
script drained <<S
>>> understand
when: slowly
repeat
delay_ms: 60000
---
{"sql": "SELECT 1"}
<<<
$(count_customers "" 1000)
S
patient=("${model[@]}" --set llm.timeout_s=600 --set agent.timeout_s=600 --set server.drain_s=12 --db shop.db)
serve "${patient[@]}"
http POST /api/v1/ask '{"query": "Count the customers slowly", "no_cache": true}'
long=$(field query_id)
http POST /api/v1/ask '{"query": "How many customers have we?", "no_cache": true}'
short=$(field query_id)
curl -s -m 300 -o "$work/waited" -d '{"message": "How many customers then?", "no_cache": true}' "$address/api/v1/chat" &
waits=$!
waits_for "its client should wait" figure_is requests_waiting 1
serve_ends TERM
check "who waits should be answered" wait $waits
check "with the answer" has "$(cat "$work/waited")" '"row_count":1'
serve "${patient[@]}"
http GET "/api/v1/ask/$short"
out_has '"row_count":1'
http GET "/api/v1/ask/$long"
out_has '"code":"INTERRUPTED"'
http POST "/api/v1/ask/$long/retry"
status_is 202
http POST "/api/v1/ask/$long/stop"
status_is 200
serve_ends TERM

# A full disk, and one that cannot be written any more: said, not suffered. (Where this test may mount one.)
mkdir disk
if mount -t tmpfs -o size=4m none disk 2>/dev/null; then
    trap 'umount -l "$work/run/disk"; finish' EXIT
    serve "${model[@]}" --db shop.db --data "$PWD/disk/data"
    http POST /api/v1/ask '{"query": "How many customers are there?"}'
    status_is 202
    first=$(field query_id)
    rest "$first"
    waits_for "it should be in the store" stored disk/data/dragoman.db "$first"
    dd if=/dev/zero of=disk/filler bs=64k 2>/dev/null
    for ((i = 0; i < 30; i++)); do
        http POST /api/v1/ask '{"query": "How many customers are there?", "no_cache": true}'
        [ "$status" = 202 ] || break
        sleep 0.05
    done
    error_is 507 DISK_FULL
    http GET "/api/v1/ask/$first"
    status_is 200
    rm disk/filler
    for ((i = 0; i < 100; i++)); do # it is well again as soon as there is room
        http POST /api/v1/ask '{"query": "How many customers are there?"}'
        [ "$status" = 202 ] && break
        sleep 0.05
    done
    status_is 202
    rest "$(field query_id)"
    out_has '"row_count":1'
    serve_ends TERM
    check "the store should be whole" test "$(sqlite3 disk/data/dragoman.db 'PRAGMA integrity_check')" = ok
    mount -o remount,ro disk
    run serve --listen 127.0.0.1:0 "${model[@]}" --db shop.db --data "$PWD/disk/data"
    check "it should not start" test "$status" -ne 0
    err_is_friendly
    err_has "store"
fi

summary
