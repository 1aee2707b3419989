#!/bin/bash
# The store lets everybody wait: with one thread for all connections, whoever needs nothing of the store is answered all
# the same, keys are judged and what administrators do is written down as soon as it answers again.
# usage: waits.sh PROGRAM FOLDER_OF_HELPERS POSTGRES_SERVER
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"
own_postgres "$3" waits
end_all() {
    (cd / && "$postgres" stop "$pg")
    finish
}
trap end_all EXIT
export DRAGOMAN_STORE_URL="postgres://test@/postgres?host=$pg&port=$port" DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
echo "datasources: [{id: shop, url: $PWD/shop.db}]" >dragoman.yaml
boss=$("$dragoman" keys add boss --scopes admin 2>/dev/null)
ann=$("$dragoman" keys add ann 2>/dev/null)
serve --set server.threads=1
as() { # KEY METHOD PATH
    http "$2" "$3" '' -H "Authorization: Bearer $1"
}

# store_holds TABLE...: nobody else reads or writes these, until store_says SQL... and COMMIT.
mkfifo "$work/held"
store_holds() {
    rm -f "$work/holding"
    psql -qX -h "$pg" -p $port -U test -d postgres <"$work/held" >"$work/psql" 2>&1 &
    background+=($!)
    exec 7>"$work/held"
    store_says "SET search_path = dragoman; BEGIN; LOCK TABLE $1 IN ACCESS EXCLUSIVE MODE;" "\\! echo yes >'$work/holding'"
    wait_for_file "$work/holding"
}
store_says() { printf '%s\n' "$@" >&7; }
store_answers() {
    store_says "$@" "COMMIT;"
    exec 7>&-
}

# later KEY PATH: asks in the background; replied says its status, once it is there
later() {
    curl -s -m 60 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $1" "$address$2" >"$work/later" &
    asking=$!
    sleep 0.3
}
waits() { check "$1 should wait for the store" eval "kill -0 $asking && [ ! -s '$work/later' ]"; }
replied() {
    wait "$asking"
    shown="what had to wait"
    status=$(cat "$work/later")
    status_is "$1"
}
others_are_served() {
    http GET /healthz '' -m 15
    status_is 200
    http GET /nothing '' -m 15
    error_is 404 NOT_FOUND
}

# --- a key that is not known yet
store_holds keys
later "$ann" /api/v1/me
others_are_served
as nonsense GET /api/v1/me
error_is 401 UNAUTHORIZED
waits "an unknown key"
store_answers
replied 200

# --- one that is known, but was looked up too long ago: it may have been revoked, and was
as "$ann" GET /api/v1/me
status_is 200
store_holds keys
sleep 1.2
later "$ann" /api/v1/me
others_are_served
waits "a key that was looked up a second ago"
store_answers "DELETE FROM keys WHERE account = 'ann';"
replied 401

# --- what an administrator does
as "$boss" GET /api/v1/keys
status_is 200
written="SELECT COUNT(*) FROM dragoman.audit WHERE action = 'GET /api/v1/keys' AND account = 'boss'"
told() { psql -qXAt -h "$pg" -p $port -U test -d postgres -c "$written"; }
become() { # HOW MANY
    for ((i = 0; i < 200; i++)); do [ "$(told)" = "$1" ] && break || sleep 0.05; done
    check "it should be in the audit log" test "$(told)" = "$1"
}
become 1
store_holds audit
as "$boss" GET /api/v1/keys
status_is 200
others_are_served
store_answers
become 2
store_holds audit
as "$boss" GET /api/v1/keys
status_is 200
kill -TERM "$server"
sleep 0.3
store_answers
wait "$server"
status=$?
shown="the server that was ended meanwhile"
err=$(cat "$work/serve.err")
status_is 0
err_lacks Sanitizer
become 3

# --- the same with a store in a file, which another process holds
unset DRAGOMAN_STORE_URL
serve --set server.threads=1
store=$XDG_DATA_HOME/dragoman/dragoman.db
told() { sqlite3 "$store" "SELECT COUNT(*) FROM audit WHERE action = 'GET /api/v1/keys'"; }
http GET /api/v1/keys
status_is 200
become 1
rm -f "$work/holding"
sqlite3 "$store" <"$work/held" >/dev/null &
background+=($!)
exec 7>"$work/held"
store_says "BEGIN IMMEDIATE;" ".shell echo yes >'$work/holding'"
wait_for_file "$work/holding"
http GET /api/v1/keys
status_is 200
others_are_served
check "the file should still be held" test "$(told)" = 1
store_answers
become 2
serve_ends TERM
summary
