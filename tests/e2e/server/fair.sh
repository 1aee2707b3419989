#!/bin/bash
# One account cannot keep the others waiting: while its queries that never end hold all the threads it may have, and more
# of them wait, others are answered; so it is with pages and exports. Whatever of it waits can be stopped.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
seq 0 999 | sed '1s/.*/i/' >list.csv
echo "datasources: [{id: shop, url: $PWD/shop.db}, {id: list, url: $PWD/list.csv}]" >dragoman.yaml
ann=$("$dragoman" keys add ann 2>/dev/null)
bob=$("$dragoman" keys add bob 2>/dev/null)
carl=$("$dragoman" keys add carl 2>/dev/null)
boss=$("$dragoman" keys add boss --scopes admin 2>/dev/null)
as() { # KEY METHOD PATH [BODY [CURL ARGUMENT...]]
    http "$2" "$3" "${4-}" -H "Authorization: Bearer $1" "${@:5}"
}
endless='SELECT COUNT(*) AS n FROM orders a, orders b, orders c, orders d WHERE a.id + b.id + c.id + d.id < 0'
patience=(--set sql.timeout_s=600 --set agent.timeout_s=600 --set server.drain_s=0)

# becomes KEY ID STATE: waits until a question is there
becomes() {
    for ((i = 0; i < 600; i++)); do
        as "$1" GET "/api/v1/ask/$2"
        [ "$(field state)" = "$3" ] && return
        sleep 0.05
    done
    return 1
}
# flood KEY COUNT [DATASOURCE SQL]: so much SQL that never ends; sets $ids
flood() {
    ids=()
    for ((n = 0; n < $2; n++)); do
        as "$1" POST /api/v1/sql "{\"datasource\": \"${3-shop}\", \"sql\": \"${4-$endless}\"}"
        status_is 202
        ids+=("$(field query_id)")
    done
}
# reach_the_database KEY COUNT: so many of $ids do, and no more; the others wait
reach_the_database() {
    local count one
    for ((i = 0; i < 100; i++)); do
        count=0
        for one in "${ids[@]}"; do
            as "$1" GET "/api/v1/ask/$one"
            [ "$(field state)" = EXECUTE_QUERY ] && count=$((count + 1))
        done
        [ $count = "$2" ] && return
        sleep 0.05
    done
    return 1
}
# answered KEY PATH BODY: a question that is cheap comes to rest; says how long that took
answered() {
    local began=${EPOCHREALTIME/[.,]/}
    as "$1" POST "$2" "$3"
    status_is 202
    check "it should be answered: $3" becomes "$1" "$(field query_id)" FINISHED
    echo "  $2: $(((${EPOCHREALTIME/[.,]/} - began) / 1000)) ms"
}

# --- questions and SQL
serve "${patience[@]}" --set service.workers=4
flood "$ann" 10
check "one account should have four threads" reach_the_database "$ann" 4
answered "$bob" /api/v1/sql '{"datasource": "shop", "sql": "SELECT COUNT(*) AS n FROM customers"}'
answered "$bob" /api/v1/ask '{"datasource": "shop", "query": "How many customers are there?"}'
answered "$carl" /api/v1/ask '{"datasource": "shop", "query": "How many customers are there?"}'
check "the first account should still have its threads" reach_the_database "$ann" 4

# a question that waits is stopped: it does not wait for those before it
last=${ids[-1]}
check "the last one should wait" becomes "$ann" "$last" INITIALIZING
as "$ann" POST "/api/v1/ask/$last/stop"
status_is 200
check "it should be stopped" becomes "$ann" "$last" STOPPED
check "and nobody else" reach_the_database "$ann" 4

# two that ask without end share the threads; a third one comes in all the same
anns=("${ids[@]}")
flood "$bob" 6
check "a second account should have a thread at once" reach_the_database "$bob" 1
for one in "${anns[@]:0:4}"; do as "$ann" POST "/api/v1/ask/$one/stop"; done
check "and as many as the first one, in the end" reach_the_database "$bob" 2
ids=("${anns[@]}")
check "which has the others" reach_the_database "$ann" 2
answered "$carl" /api/v1/sql '{"datasource": "shop", "sql": "SELECT COUNT(*) AS n FROM customers"}'
serve_ends TERM

# --- one DuckDB, which runs a few queries at a time; more threads than those
serve "${patience[@]}" --set service.workers=40
as "$bob" POST /api/v1/sql '{"datasource": "list", "sql": "SELECT COUNT(*) AS n FROM list", "wait": true}'
if [ "$status" = 200 ]; then # else a build without DuckDB
    many=$(($(nproc) > 1 ? $(nproc) * 2 : 4)) # queries of one account at once
    flood "$ann" $((many + 4)) list 'SELECT COUNT(*) AS n FROM list a, list b, list c, list d WHERE a.i + b.i + c.i + d.i < 0'
    check "one account should have all its places" reach_the_database "$ann" "$many"
    answered "$bob" /api/v1/sql '{"datasource": "list", "sql": "SELECT COUNT(*) AS n FROM list"}'
    answered "$bob" /api/v1/sql '{"datasource": "shop", "sql": "SELECT COUNT(*) AS n FROM customers"}'
fi
serve_ends TERM

# --- pages and exports, which have threads of their own
at_work() { # N: waits until so many are
    for ((i = 0; i < 200; i++)); do
        as "$boss" GET /metrics
        [ "$(sed -n 's/^dragoman_questions_at_work //p' <<<"$out")" = "$1" ] && return
        sleep 0.05
    done
    return 1
}
leave() {
    for pid in "${clients[@]}"; do kill -9 "$pid" 2>/dev/null; done
    wait "${clients[@]}" 2>/dev/null
    check "all should end when their clients leave" at_work 0
}
many='SELECT c.id AS i FROM orders a, orders b, orders c WHERE (a.id = 1 AND b.id = 1) OR a.id + b.id + c.id < 0'
serve "${patience[@]}" --set service.workers=40 --set export.max_rows=1000000000 --set export.max_mb=1000000
declare -A of
for key in "$ann" "$bob"; do
    sql=$many
    [ "$key" = "$bob" ] && sql='SELECT id FROM customers ORDER BY id LIMIT 5'
    as "$key" POST /api/v1/sql "{\"datasource\": \"shop\", \"sql\": \"$sql\"}"
    of[$key]=$(field query_id)
    check "the first page should be there" becomes "$key" "${of[$key]}" FINISHED
done
most=$(($(nproc) > 2 ? $(nproc) * 2 : 4)) # threads of the server for one account
for part in "rows?offset=900000000&limit=10" "export?format=csv"; do
    clients=()
    for ((n = 0; n < most + 4; n++)); do
        curl -s -m 600 -o /dev/null -H "Authorization: Bearer $ann" "$address/api/v1/ask/${of[$ann]}/$part" &
        clients+=($!)
    done
    case $part in rows*) at=$most ;; *) at=2 ;; esac
    check "$at of the first account should be at work: $part" at_work "$at"
    as "$bob" GET "/api/v1/ask/${of[$bob]}/${part/900000000/0}" "" -m 20
    status_is 200
    as "$bob" GET /api/v1/history "" -m 20
    status_is 200
    check "which still are: $part" at_work "$at"
    leave
done
serve_ends TERM
summary
