#!/bin/bash
# What a key may use is one limit for three replicas together, wherever its requests go: requests per minute, questions
# at once, tokens per day; and what a lost replica had at work counts once, where it goes on.
# usage: replicas_limits.sh PROGRAM FOLDER_OF_HELPERS POSTGRES_SERVER
# shellcheck source-path=SCRIPTDIR source=three.sh
. "$(dirname "$0")/three.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
echo "datasources: [{id: shop, url: $PWD/shop.db}]" >dragoman.yaml
script model <<S
$(says "for ever" 90000 <<<'{"sql": "SELECT 1"}')
$(count_customers)
S
keys() { "$dragoman" keys --set "store.url=$store" "$@" 2>/dev/null; }
# as KEY METHOD PATH [BODY]
as() { http "$2" "$3" "${4-}" -H "Authorization: Bearer $1"; }
# ask_as KEY WHAT: sets $id
ask_as() {
    as "$1" POST /api/v1/ask "{\"query\": \"How many customers are there, $2?\", \"no_cache\": true}"
    id=$(field query_id)
}
# taken_as KEY WHAT: the same, as soon as there is room for it
taken_as() {
    for ((i = 0; i < 100; i++)); do
        ask_as "$1" "$2"
        [ "$status" = 202 ] && break
        sleep 0.05
    done
    status_is 202
}
# at_once KEY COUNT METHOD PATH [BODY]: through the proxy, all at the same time; what they were told, sorted
at_once() {
    local i
    for ((i = 0; i < $2; i++)); do
        curl -s -m 60 -o /dev/null -w '%{http_code}\n' -X "$3" "$proxy$4" -H "Authorization: Bearer $1" \
            ${5:+-H 'Content-Type: application/json' --data-binary "$5"} >"$work/once$i" &
        once[i]=$!
    done
    wait "${once[@]}"
    cat "$work"/once* | sort | uniq -c | tr -s ' \n' ' '
    rm -f "$work"/once*
}

boss=$(keys add boss --scopes admin)
slow=$(keys add ann --rate 4)
many=$(keys add bob --rate 6)
few=$(keys add carl --concurrent 4)
two=$(keys add dora --concurrent 2)
poor=$(keys add emil --daily-tokens 50)
three

# --- requests per minute: all of them through one, or through any
to "${at[0]}"
for i in 1 2 3 4; do
    as "$slow" GET /api/v1/me
    status_is 200
done
for n in 1 2 0 1; do
    to "${at[$n]}"
    as "$slow" GET /api/v1/me
    error_is 429 RATE_LIMITED
    check "it should say when to come again" matches "$head" 'Retry-After: (1?[0-9])'$'\n'
done
began=$(date +%s%N)
told=$(at_once "$many" 24 GET /api/v1/me)
more=$((($(date +%s%N) - began) / 10000000000 + 1)) # 6 per minute are one in 10 s
shown="24 requests at once" out=$told
check "6 of them, and no more than have come back meanwhile, should pass" \
    matches "$told" "^ ($(seq -s '|' 6 $((5 + more)))) 200 "
check "the others should be told to wait" has "$told" " 429"
# a body is not lost while the store is asked, and a refusal comes before it
to "$proxy"
as "$boss" POST /api/v1/sql '{"sql": "SELECT 7 AS seven", "wait": true}'
out_has '[[7]]'
for wrong in "${boss:0:21}$(tr '0-9a-zA-Z' '1-90b-zaB-ZA' <<<"${boss:21}")" "dgm_0123456789abcdef_${boss##*_}"; do
    as "$wrong" POST /api/v1/sql '{"sql": "SELECT 7 AS seven", "wait": true}'
    error_is 401 UNAUTHORIZED
done

# --- questions at once
told=$(at_once "$few" 12 POST /api/v1/ask '{"query": "How many customers are there, for ever?", "no_cache": true}')
shown="12 questions at once" out=$told
check "4 of them should be taken, wherever they came in" test "$told" = " 4 202 8 429 "
to "${at[0]}"
ask_as "$two" "for ever"
status_is 202
first=$id
to "${at[1]}"
ask_as "$two" "for ever"
status_is 202
second=$id
to "${at[2]}"
ask_as "$two" "for ever"
error_is 429 RATE_LIMITED
out_has "2 running questions"
as "$two" POST "/api/v1/ask/$second/stop"
status_is 200
taken_as "$two" "for ever"
as "$two" POST "/api/v1/ask/$id/stop"

# --- the replica of the first one is lost: its question goes on elsewhere and counts there, once
kill -9 "${replicas[0]}"
wait "${replicas[0]}" 2>/dev/null
for ((i = 0; i < 200; i++)); do
    [ "$(sql "SELECT fence FROM questions WHERE id = '$first'")" = 2 ] && break
    sleep 0.05
done
to "${at[1]}"
taken_as "$two" "for ever"
second=$id
to "${at[2]}"
ask_as "$two" "for ever"
error_is 429 RATE_LIMITED
for id in "$first" "$second"; do
    as "$two" POST "/api/v1/ask/$id/stop"
    status_is 200
done
for ((i = 0; i < 100; i++)); do
    [ "$(sql "SELECT sum(questions) FROM key_work JOIN replicas ON name = owner WHERE key = '$(cut -d_ -f2 <<<"$two")'
        AND seen_until > extract(epoch FROM now()) * 1000")" = 0 ] && break
    sleep 0.05
done
told=$(at_once "$two" 6 POST /api/v1/ask '{"query": "How many customers are there, for ever?", "no_cache": true}')
shown="6 questions at once" out=$told
check "nothing should be counted any more" has "$told" " 2 202 "

# --- tokens: what one replica has spent, the next one knows at once
to "${at[2]}"
as "$poor" GET /api/v1/me
status_is 200
to "${at[1]}"
as "$poor" POST /api/v1/chat '{"message": "How many customers are there?", "no_cache": true}'
status_is 200
to "${at[2]}"
ask_as "$poor" "again"
error_is 429 TOKENS_SPENT

well
summary
