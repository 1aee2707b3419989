#!/bin/bash
# What is done on one of three replicas is there on the others: a stream that is taken up elsewhere, answers to questions
# back, lessons, saved queries, corrections, descriptions, settings, keys, the end of sessions, what is removed.
# usage: replicas_shared.sh PROGRAM FOLDER_OF_HELPERS POSTGRES_SERVER
# shellcheck source-path=SCRIPTDIR source=three.sh
. "$(dirname "$0")/three.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
echo "datasources: [{id: shop, url: $PWD/shop.db}]" >dragoman.yaml
export DRAGOMAN_KEY
DRAGOMAN_KEY=$(printf '5a%.0s' {1..32})
script model <<S
$(count_customers "slowly" 1000)
$(first_customer 500)
$(best_customers)
$(count_customers)
S
three --set share.links=true --set session.timeout_s=60 --set session.cleanup_s=1

# soon TRIES METHOD PATH WHAT [BODY]: until the reply holds this; a try is a twentieth of a second
soon() {
    local tries
    for ((tries = 0; tries < $1; tries++)); do
        http "$2" "$3" "${5-}"
        has "$out" "$4" && break
        sleep 0.05
    done
    out_has "$4"
}
ids() { sed -n 's/^id: //p'; }
# taken_up NAME ADDRESS ID LAST: the rest of a stream, read to its end
taken_up() {
    curl -sN -m 300 -H "Last-Event-ID: $4" "$2/api/v1/ask/$3/stream" >"$work/$1.events"
    out=$(cat "$work/$1.events") shown="stream of $2 after $4"
}

# --- a stream that is taken up elsewhere, in the middle: no event is lost, none comes twice
to "${at[0]}"
ask "How many customers are there, slowly?"
stream whole "${at[0]}" "$id"
curl -sN -m 300 "${at[0]}/api/v1/ask/$id/stream" >"$work/all.events" &
begun=$!
waits_for "two events should come" eval '[ "$(ids <"$work/all.events" | wc -l)" -ge 2 ]'
kill $begun
wait $begun
# whole events alone: each ends with an empty line
awk -v RS= -v ORS='\n\n' -v whole="$(tail -c 2 "$work/all.events" | tr '\n' .)" \
    'NR > 1 { print held } { held = $0 } END { if (whole == "..") print held }' "$work/all.events" >"$work/begun.events"
last=$(ids <"$work/begun.events" | tail -n 1)
check "the stream should have begun" test "${last:-0}" -ge 2
taken_up elsewhere "${at[1]}" "$id" "$last"
out_has "event: done"
streamed whole "event: done"
check "both parts should be the whole" test "$(cat "$work/begun.events" "$work/elsewhere.events" | ids | tr '\n' ' ')" = \
    "$(ids <"$work/whole.events" | tr '\n' ' ')"
names() { sed -n 's/^event: //p' "$@" | tr '\n' ' '; }
check "and say the same" test "$(names "$work/begun.events" "$work/elsewhere.events")" = "$(names "$work/whole.events")"
# after its end: from every event, on every replica; nothing twice, nothing left out
all=$(ids <"$work/whole.events")
for n in 0 1 2; do
    for last in 0 1 3 "$(tail -n 2 <<<"$all" | head -n 1)" "$(tail -n 1 <<<"$all")"; do
        taken_up late "${at[$n]}" "$id" "$last"
        check "replica $n should go on after $last" test "$(ids <"$work/late.events" | tr '\n' ' ')" = \
            "$(awk -v last="$last" '$1 > last' <<<"$all" | tr '\n' ' ')"
    done
    for last in x -1 99999999999999999999 ''; do # no number: everything
        taken_up odd "${at[$n]}" "$id" "$last"
        check "replica $n should send everything after '$last'" test "$(ids <"$work/odd.events")" = "$all"
    done
done

# --- a question back is answered through another one, and streamed through a third
to "${at[0]}"
http POST /api/v1/chat/sessions '{}'
session=$(field session_id)
ask "Who are the best customers?" "$session"
rest "$id"
out_has '"type":"clarification"'
taken_up asked "${at[2]}" "$id" 0
out_has "event: clarification"
last=$(ids <"$work/asked.events" | tail -n 1)
to "${at[1]}"
http POST "/api/v1/ask/$id/answer" '{"text": "Most money"}'
status_is 202
check "the same question should go on" test "$(field query_id)" = "$id"
taken_up answered "${at[2]}" "$id" "$last"
out_has "event: done"
out_lacks "event: clarification"
check "its events should come after those before" test "$(ids <"$work/answered.events" | head -n 1)" -gt "$last"
check "and none of them twice" test "$(ids <"$work/answered.events" | sort -n | uniq -d)" = ""
to "${at[0]}"
rest "$id"
out_has '"rows":[[1]]'
http POST "/api/v1/ask/$id/answer" '{"text": "Most orders"}'
error_is 409 NOT_WAITING
to "${at[2]}"
http GET "/api/v1/chat/sessions/$session"
out_has "Most money"
taken_up again "${at[0]}" "$id" "$last"
check "its answerer and the others should count alike" test "$(ids <"$work/again.events")" = "$(ids <"$work/answered.events")"

# --- lessons, taught pairs, saved queries, corrections: at once
to "${at[0]}"
http POST /api/v1/taught '{"question": "the secret number", "sql": "SELECT 4711 AS secret"}'
status_is 201
lesson=$(field id)
to "${at[1]}"
http POST /api/v1/chat '{"message": "the secret number"}'
out_has '4711'
http DELETE "/api/v1/taught/$lesson"
status_is 200
to "${at[2]}"
http GET /api/v1/taught
out_lacks "$lesson"
http POST /api/v1/saved '{"name": "three", "sql": "SELECT 3 AS three"}'
status_is 201
saved=$(field id)
to "${at[0]}"
http POST "/api/v1/saved/$saved/run" '{}'
rest "$(field query_id)"
out_has '[[3]]'
http PATCH "/api/v1/saved/$saved" '{"name": "drei"}'
to "${at[1]}"
http GET /api/v1/saved
out_has '"drei"'
out_lacks '"three"'
ask "How many customers are there?"
rest "$id"
to "${at[2]}"
http POST "/api/v1/ask/$id/feedback" '{"good": false}'
status_is 200
to "${at[0]}"
http GET "/api/v1/ask/$id"
status_is 200
http POST /api/v1/chat '{"message": "How many customers are there?"}'
out_lacks '"brain":"history"'

# --- descriptions and settings: as soon as the others hear of it
to "${at[1]}"
http GET /api/v1/datasources/shop/schema
to "${at[0]}"
http PUT /api/v1/datasources/shop/dictionary '{"table": "customers", "description": "Those who pay our rent"}'
status_is 200
for n in 1 2; do
    to "${at[$n]}"
    http GET /api/v1/datasources/shop/dictionary
    out_has "pay our rent"
    soon 20 GET /api/v1/datasources/shop/schema "pay our rent"
done
http PATCH /api/v1/settings '{"settings": {"agent.recall": false}}'
status_is 200
for n in 0 1; do
    to "${at[$n]}"
    soon 20 GET /api/v1/settings '"agent.recall":"false"'
done

# --- datasets: given to one, asked on all; another takes the place of the first everywhere; gone for all
upload() { # FILE [ARGUMENT...]
    status=$(curl -s -o "$work/body" -w '%{http_code}' -F "file=@$1" "${@:2}" "$address/api/v1/datasets")
    out=$(cat "$work/body")
}
people() { # N: so many there are, whoever is asked
    for n in 0 1 2; do
        to "${at[$n]}"
        http POST /api/v1/sql '{"sql": "SELECT sum(people) AS n FROM towns", "datasource": "towns", "wait": true}'
        out_has "[[$1]]"
    done
}
to "${at[0]}"
printf 'town,people\nRome,3\nOslo,1\n' >towns.csv
upload towns.csv
status_is 201
people 4
to "${at[1]}"
http GET /api/v1/datasets
out_has '"towns"'
http GET /api/v1/datasets/towns/preview
out_has Oslo
to "${at[2]}"
seq 1 150000 | awk 'BEGIN { print "town,people,note" } { printf "T%d,1,%s\n", $1, rand() rand() rand() }' >towns.csv # several parts
http DELETE /api/v1/datasets/towns
status_is 200
upload towns.csv
status_is 201
check "its rows should be more than one part" test "$(stat -c %s "$work/data2/datasets/local/towns.duckdb")" -gt 1048576
people 150000
to "${at[0]}"
http GET /api/v1/datasets/towns/preview?rows=1
out_has '"T1"'
# what lies here in place of one is not taken for it
cp "$work/data0/datasets/local/towns.duckdb" "$work/data1/datasets/local/other"
mv "$work/data1/datasets/local/other" "$work/data1/datasets/local/towns.duckdb"
truncate -s 100000 "$work/data1/datasets/local/towns.duckdb"
people 150000
check "nothing should be left of what was taken" test -z "$(find "$work"/data? -name '*.part*')"
to "${at[1]}"
http DELETE /api/v1/datasets/towns
status_is 200
for n in 0 1 2; do
    to "${at[$n]}"
    http GET /api/v1/datasets/towns/preview
    error_is 404 DATASET_NOT_FOUND
    for ((tries = 0; tries < 200; tries++)); do
        [ -e "$work/data$n/datasets/local/towns.duckdb" ] || break
        sleep 0.05
    done
    check "replica $n should have removed the rows" test -z "$(find "$work/data$n/datasets" -type f)"
done

# --- the other door's sessions: used through any, over for all of them at the same time
base=/agents/text-to-sql
to "${at[0]}"
http POST $base/start-session '{"dataset_id": "shop"}'
session=$(field session_id)
passes() { sql "UPDATE sessions SET last_activity = last_activity - $1 WHERE id = '$session'"; } # so many seconds
for n in 1 2 0; do
    passes 40
    to "${at[$n]}"
    http POST $base/chat "{\"session_id\": \"$session\", \"message\": \"How many customers are there?\"}"
    out_has '"status":"success"' # together longer than its time: each use counts for all
done
passes 61
for n in 0 1 2; do
    to "${at[$n]}"
    http GET "$base/session/$session"
    error_is 404 SESSION_NOT_FOUND
    http GET "/api/v1/chat/sessions/$session"
    status_is 200
done

# --- the history: forgotten on one is forgotten; what is too old goes
to "${at[0]}"
http GET /api/v1/history
check "there should be a history" has "$out" "$id"
http DELETE "/api/v1/history/$id"
status_is 200
to "${at[1]}"
http GET /api/v1/history
out_lacks "$id"
http DELETE /api/v1/history/all
status_is 200
to "${at[2]}"
http GET /api/v1/history
out_has '"total":0'
check "nothing of it should be in the store" test "$(sql "SELECT count(*) FROM history")" = 0
to "${at[0]}"
ask "How many customers are there?"
rest "$id"
left="SELECT (SELECT count(*) FROM history) + (SELECT count(*) FROM questions) + (SELECT count(*) FROM sessions)"
for ((i = 0; i < 600; i++)); do # the next clean-up of any of them
    # each time: what a busy replica writes only now is as old as the rest
    sql "UPDATE history SET at = 1; UPDATE sessions SET last_activity = 1; UPDATE questions SET expires_at = 1" >/dev/null
    [ "$(sql "$left + (SELECT count(*) FROM messages)")" = 0 ] && break
    sleep 0.1
done
for table in history questions sessions messages; do
    check "old $table should go" test "$(sql "SELECT count(*) FROM $table")" = 0
done
to "${at[1]}"
http GET "/api/v1/ask/$id"
error_is 404 QUERY_NOT_FOUND

# --- keys: the first one closes every door, each works everywhere at once, and is refused everywhere when it is revoked
as() { http "$2" "$3" "${4-}" -H "Authorization: Bearer $1"; }
to "${at[0]}"
http POST /api/v1/keys '{"account": "boss", "scopes": ["admin"]}'
status_is 201
boss=$(field key)
for n in 0 1 2; do
    to "${at[$n]}"
    soon 40 GET /api/v1/me UNAUTHORIZED # a replica looks once in a second
    as "$boss" GET /api/v1/me
    status_is 200
done
as "$boss" POST /api/v1/keys '{"account": "ann"}'
ann=$(field key)
for n in 0 1 2; do
    to "${at[$n]}"
    as "$ann" GET /api/v1/me
    status_is 200
done
# --- links: made on one, there on all at once, counted together, and gone everywhere when revoked or without their key
to "${at[0]}"
as "$ann" POST /api/v1/sql '{"sql": "SELECT 1 AS one", "wait": true}'
status_is 200
as "$ann" POST /api/v1/shares "{\"query_id\": \"$(field query_id)\"}"
status_is 201
first_link=$(field path) first_share=$(field id)
as "$ann" POST /api/v1/shares "{\"query_id\": \"$(field subject)\"}"
second_link=$(field path)
for n in 0 1 2; do
    to "${at[$n]}"
    http GET "$first_link"
    status_is 200
    out_has "<h1"
done
as "$ann" GET /api/v1/shares
out_has '"opens":3'
as "$ann" DELETE "/api/v1/shares/$first_share"
status_is 200
for n in 0 1 2; do
    to "${at[$n]}"
    http GET "$first_link"
    status_is 404
done
to "${at[1]}"
as "$boss" DELETE "/api/v1/keys/$(cut -d_ -f2 <<<"$ann")"
status_is 200
for n in 0 1 2; do
    to "${at[$n]}"
    for ((i = 0; i < 20; i++)); do
        as "$ann" GET /api/v1/me
        [ "$status" = 401 ] && break
        sleep 0.02
    done
    error_is 401 UNAUTHORIZED
    http GET "$second_link"
    status_is 404
done

well
summary
