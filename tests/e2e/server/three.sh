# shellcheck shell=bash disable=SC2034,SC2154
# What the tests of replicas share: a PostgreSQL of their own with the store in it, and three
# processes on that store behind a plain round-robin proxy.
# usage of a test: NAME.sh PROGRAM FOLDER_OF_HELPERS POSTGRES_SERVER

# shellcheck source=http.sh
. "$(dirname "${BASH_SOURCE[0]}")/http.sh"
own_postgres "$3" replicas
end_all() {
    for pid in "${replicas[@]}"; do kill -CONT "$pid" && kill -9 "$pid"; done 2>/dev/null
    (cd / && "$postgres" stop "$pg")
    finish
}
replicas=(0 0 0)
trap end_all EXIT
store="postgres://test@/postgres?host=$pg&port=$port"
# what each of them is started with; the lease is longer than a slow machine stalls
shared=(--set "store.url=$store" --set store.lease_ms=2500 --set server.drain_s=0)
# sql TEXT: what the store says, as the replicas do not tell it
sql() { psql -qAt -h "$pg" -p $port -U test -d postgres -c "SET search_path = dragoman" -c "$1"; }

# replica N ARGUMENT...: starts it; it is at ${at[N]}, and what it says in serveN.err
replica() {
    serve_err=$work/serve$1.err
    serve "${model[@]}" "${shared[@]}" --data "$work/data$1" "${@:2}"
    replicas[$1]=$server
    at[$1]=$address
}
# three ARGUMENT...: starts them and the proxy, which is at $proxy
three() {
    at=()
    local n
    for n in 0 1 2; do replica $n "$@"; done
    ports=("${at[@]##*:}")
    "$helpers/e2e_server_round_robin" "${ports[@]}" >"$work/proxy" &
    background+=($!)
    wait_for_file "$work/proxy"
    proxy="http://127.0.0.1:$(sed -n 's/^port //p' "$work/proxy")"
}
to() { address=$1; } # who is asked next
# well: none of them has anything to hide, and no sanitizer has complained
well() {
    check "no secret and no address in the logs" lacks "$(cat "$work"/serve*.err)" "s3cr3t"
    check "no sanitizer has complained" lacks "$(cat "$work"/serve*.err)" "Sanitizer"
}
# ask TEXT [SESSION]: sets $id
ask() {
    http POST /api/v1/ask "{\"query\": \"$1\", \"no_cache\": true${2:+, \"session_id\": \"$2\"}}"
    status_is 202
    id=$(field query_id)
}
# stream NAME ADDRESS ID: in the background, into a file
stream() {
    curl -sN -m 300 "$2/api/v1/ask/$3/stream" >"$work/$1.events" 2>/dev/null &
    streamer=$!
}
streamed() { # NAME WHAT...: it ends, and holds these
    wait "$streamer"
    out=$(cat "$work/$1.events")
    shown="stream $1"
    local what
    for what in "${@:2}"; do out_has "$what"; done
}
