#!/bin/bash
# Three processes on one store in a real PostgreSQL, behind a plain round-robin proxy: what one is asked is polled,
# streamed and stopped through the others; killed, paused and ended ones lose nothing, and finish nothing twice.
# usage: replicas.sh PROGRAM FOLDER_OF_HELPERS POSTGRES_SERVER
# shellcheck source-path=SCRIPTDIR source=three.sh
. "$(dirname "$0")/three.sh"
"$dragoman" sample shop.db >/dev/null 2>&1
mkdir allowed
cp shop.db allowed/
echo "datasources: [{id: shop, url: $PWD/shop.db}]" >dragoman.yaml
# What all replicas have: the key that seals added datasources, and what may be added.
DRAGOMAN_KEY=$(printf '5a%.0s' {1..32})
export DRAGOMAN_KEY DRAGOMAN_SOURCES_FOLDERS=$PWD/allowed
script model <<S
$(says "for ever" 90000 <<<'{"sql": "SELECT 1"}')
$(count_customers "slowly" 2500)
$(count_customers "" 700)
S

three

# --- asked here, polled and streamed there, under a conversation that is everybody's
to "${at[0]}"
http POST /api/v1/chat/sessions '{}'
session=$(field session_id)
ask "How many customers are there, slowly?" "$session"
stream there "${at[2]}" "$id"
to "${at[1]}"
http GET "/api/v1/ask/$id"
status_is 200
check "it should be at work, and known as such elsewhere" matches "$(field status)" '^(understanding|searching|planning|generating)$'
to "$proxy"
for i in 1 2 3; do
    http GET "/api/v1/ask/$id"
    status_is 200
done
rest "$id"
out_has '"row_count":1'
streamed there 'id: 1' 'event: status' 'event: sql' 'event: rows' 'event: done' '"row_count":1'
check "events should be counted without a gap" test \
    "$(grep -c '^id: ' <<<"$out")" = "$(sed -n 's/^id: //p' <<<"$out" | tail -n 1)"
first=$(grep '^event: ' <<<"$out")
stream own "${at[0]}" "$id"
streamed own 'event: done'
for n in 0 1 2; do
    to "${at[$n]}"
    http GET "/api/v1/chat/sessions/$session"
    check "the conversation should be everybody's" has "$out" "How many customers are there, slowly?"
done

# --- a datasource that is added to one is everybody's, and gone for everybody when it is removed
to "${at[0]}"
http POST /api/v1/datasources "{\"id\": \"sales\", \"url\": \"$PWD/allowed/shop.db\"}"
check "it should be added" test "$status" -lt 300
# knows N YES|NO: whether replica N lists it, soon
knows() {
    to "${at[$1]}"
    for ((i = 0; i < 100; i++)); do
        http GET /api/v1/datasources
        { has "$out" '"sales"' && [ "$2" = yes ]; } || { lacks "$out" '"sales"' && [ "$2" = no ]; } && break
        sleep 0.1
    done
    check "replica $1 should know of it: $2" "$([ "$2" = yes ] && echo has || echo lacks)" "$out" '"sales"'
}
knows 1 yes
knows 2 yes
http DELETE /api/v1/datasources/sales
check "it should be removed" test "$status" -lt 300
knows 0 no
knows 1 no

# --- stopped through another one, which does not wait for a lease
to "${at[0]}"
ask "How many customers are there, for ever?"
stream stopped "${at[2]}" "$id"
to "${at[1]}"
http POST "/api/v1/ask/$id/stop"
status_is 200
rest "$id"
check "it should be stopped" test "$(field status)" = stopped
streamed stopped '"status":"stopped"'
http POST "/api/v1/ask/$id/stop"
status_is 200
to "${at[2]}"
ask "How many customers are there, for ever?" "$session"
to "${at[1]}"
http POST "/api/v1/chat/sessions/$session/stop"
out_has '"stopped":1'
rest "$id"
check "it should be stopped with its conversation" test "$(field status)" = stopped

# --- killed: another one goes on, and it is finished once
to "${at[0]}"
http POST /api/v1/chat/sessions '{}'
session=$(field session_id)
ask "How many customers are there, slowly?" "$session"
stream killed "${at[1]}" "$id"
waits_for "it should be at work" test -s "$work/killed.events"
kill -9 "${replicas[0]}"
wait "${replicas[0]}" 2>/dev/null
to "$proxy"
rest "$id"
out_has '"row_count":1'
streamed killed 'event: done' '"row_count":1'
check "another one should have taken it over" test "$(sql "SELECT fence FROM questions WHERE id = '$id'")" = 2
check "it should be in the history once" test "$(sql "SELECT count(*) FROM history WHERE id = '$id'")" = 1
check "its conversation should hold it once" test "$(sql "SELECT count(*) FROM messages WHERE session_id = '$session'")" = 2
replica 0

# --- paused: its questions are finished elsewhere, and when it wakes it cannot finish them
to "${at[1]}"
http POST /api/v1/chat/sessions '{}'
session=$(field session_id)
ask "How many customers are there, slowly?" "$session"
stream paused "${at[1]}" "$id"
waits_for "it should be at work" test -s "$work/paused.events"
refused=$(sql "SELECT coalesce(sum(refused), 0) FROM replicas")
kill -STOP "${replicas[1]}"
to "${at[0]}"
rest "$id"
out_has '"row_count":1'
before=$(sql "SELECT fence, state, updated_at, md5(answer), owner FROM questions WHERE id = '$id'")
check "another one should have taken it over" matches "$before" '^2\|FINISHED\|'
kill -CONT "${replicas[1]}"
streamed paused 'event: done' '"row_count":1'
for ((i = 0; i < 100; i++)); do # told with its next sign of life
    [ "$(sql "SELECT coalesce(sum(refused), 0) FROM replicas")" -gt "$refused" ] && break
    sleep 0.1
done
check "what the paused one wrote should be refused, and counted" test \
    "$(sql "SELECT coalesce(sum(refused), 0) FROM replicas")" -gt "$refused"
check "the question should be as the other one left it" test \
    "$before" = "$(sql "SELECT fence, state, updated_at, md5(answer), owner FROM questions WHERE id = '$id'")"
check "its conversation should hold it once" test "$(sql "SELECT count(*) FROM messages WHERE session_id = '$session'")" = 2
to "${at[1]}"
http GET "/api/v1/ask/$id"
out_has '"row_count":1'

# --- each of them killed in turn, with questions on their way: what was acknowledged is answered
to "$proxy"
acknowledged=()
for n in 0 1 2; do
    for i in 1 2 3 4 5 6; do
        http POST /api/v1/ask '{"query": "How many customers are there?", "no_cache": true}'
        [ "$status" = 202 ] && acknowledged+=("$(field query_id)")
    done
    kill -9 "${replicas[$n]}"
    wait "${replicas[$n]}" 2>/dev/null
    "$dragoman" serve --listen "127.0.0.1:${at[$n]##*:}" "${model[@]}" "${shared[@]}" --data "$work/data$n" \
        >"$work/again$n" 2>>"$work/serve$n.err" </dev/null &
    replicas[n]=$!
    background+=($!)
    wait_for_file "$work/again$n"
done
check "questions should have been taken" test "${#acknowledged[@]}" -ge 15
for id in "${acknowledged[@]}"; do
    to "$proxy"
    rest "$id"
    out_has '"row_count":1'
done
check "each should be in the history once" test "$(sql "SELECT count(*), count(DISTINCT id) FROM history" |
    awk -F'|' '$1 == $2')"

# --- ended on purpose: another one goes on at once; its streams end without a word, to be taken up elsewhere
to "${at[2]}"
ask "How many customers are there, slowly?"
stream ended "${at[2]}" "$id"
waits_for "the stream should have begun" grep -q '^event: status' "$work/ended.events"
kill -TERM "${replicas[2]}"
wait "${replicas[2]}"
check "it should end well" test $? -eq 0
streamed ended 'event: status'
out_lacks 'event: done'
to "$proxy"
rest "$id"
out_has '"row_count":1'

# --- a backup of the shared store is a file; what it holds can be brought back
asked=$(sql "SELECT count(*) FROM history")
run backup --set "store.url=$store" "$work/backup.db"
status_is 0
run restore --yes --set "store.url=sqlite:$work/copy.db" "$work/backup.db"
status_is 0
check "the copy should hold the history" test "$(sqlite3 "$work/copy.db" 'SELECT count(*) FROM history')" = "$asked"
for n in 0 1; do
    kill -TERM "${replicas[$n]}"
    wait "${replicas[$n]}"
    check "replica $n should end well" test $? -eq 0
done
sql "SET client_min_messages = warning; DROP SCHEMA dragoman CASCADE"
run restore --yes --set "store.url=$store" "$work/backup.db"
status_is 0
check "the history should be back" test "$(sql 'SELECT count(*) FROM history')" = "$asked"
replica 0
http GET "/api/v1/ask/$id"
out_has '"row_count":1'
serve_ends TERM

# --- said, not suffered, and without the secret
run serve --listen 127.0.0.1:0 --set "store.url=postgres://me:s3cr3t@127.0.0.1:1/none" --db shop.db
check "it should not start" test "$status" -ne 0
err_is_friendly
err_lacks "s3cr3t"
well
: "$first"

summary
