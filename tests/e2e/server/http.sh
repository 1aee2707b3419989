# shellcheck shell=bash disable=SC2034,SC2154
# What the tests of the server share: on top of the command line's lib.sh, `serve` starts a
# server on a free port, `http` asks it something.

# shellcheck source=../cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

# serve ARGUMENT...: sets $address, $server; ended with the test. What it says goes to $serve_err.
serve_err=$work/serve.err
serve() {
    : >"$work/serve.out" # what an earlier one said must not be read again
    "$dragoman" serve --listen 127.0.0.1:0 "$@" >"$work/serve.out" 2>"$serve_err" </dev/null &
    server=$!
    background+=("$server")
    for ((i = 0; i < 6000; i++)); do
        grep -q '^Listening on ' "$work/serve.out" && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    address=$(sed -n 's/^Listening on //p' "$work/serve.out")
    host=${address#http://}
    if [ -z "$address" ]; then
        echo "the server did not start:"
        cat "$work/serve.out" "$serve_err"
        exit 1
    fi
}

# family: the numbers of the server's process and of all that it has started, which run engines.
family() {
    local found=$server
    while [ -n "$found" ]; do
        echo "$found"
        found=$(pgrep -P "$(paste -sd, <<<"$found")")
    done
}

# serve_ends SIGNAL: tells it to stop; it must end well.
serve_ends() {
    kill "-$1" "$server"
    wait "$server"
    status=$?
    shown="the server after $1"
    out=$(tr -d '\0' <"$work/serve.out")
    err=$(cat "$serve_err")
    status_is 0
    err_lacks "Sanitizer"
}

# http METHOD PATH [BODY [CURL ARGUMENT...]]: sets $status (HTTP), $out, $head.
http() {
    local method=$1 path=$2 body=${3-}
    shift 2
    [ $# -gt 0 ] && shift
    shown="$method $path $body"
    local send=()
    [ -n "$body" ] && send=(--data-binary "$body" -H 'Content-Type: application/json')
    : >"$work/head" # none is written when there is no reply
    status=$(curl -s -m 300 -o "$work/body" -D "$work/head" -w '%{http_code}' -X "$method" \
        "${send[@]}" "$@" "$address$path" 2>"$work/err")
    head=$(tr -d '\r' <"$work/head")
    out=$(tr -d '\0' <"$work/body")
    err=$(cat "$work/err")
}

# field NAME: of the last reply, a text at any depth.
field() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p' <<<"$out" | head -n 1; }

# error_is STATUS CODE: the last reply is that error, in words.
error_is() {
    status_is "$1"
    out_has "\"code\":\"$2\""
    check "an error should say something" test -n "$(field message)"
}

# rest ID: polls until the question has come to rest.
rest() {
    local until=$((SECONDS + 300))
    while [ $SECONDS -lt $until ]; do
        http GET "/api/v1/ask/$1"
        case $(field status) in finished | failed | stopped) return ;; esac
        sleep 0.05
    done
    fail "question $1 should come to rest"
}

# waits_for WHAT COMMAND...: until the command holds; fails after minutes, which says that it never will.
waits_for() {
    local until=$((SECONDS + 300))
    while [ $SECONDS -lt $until ]; do
        "${@:2}" && return
        sleep 0.05
    done
    fail "$1"
}
# figure_is NAME NUMBER: of /metrics
figure_is() { [ "$(curl -s -m 60 "$address/metrics" | sed -n "s/^dragoman_$1 //p")" = "$2" ]; }

# What the model of several tests says of the sample shop, as blocks of its script. A time is in milliseconds.
# says WHEN TIME: the head of a block, for prompts that hold these words; then its text
says() { printf '>>> understand\n%srepeat\n%s---\n' "${1:+when: $1$'\n'}" "${2:+delay_ms: $2$'\n'}" && cat && echo '<<<'; }
# count_customers [WHEN [TIME]]
count_customers() {
    says "${1-}" "${2-}" <<'J'
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers", "columns": ["id"], "confidence": 0.99}],
 "joins_needed": false, "summary": "Count the customers.", "sql": "SELECT COUNT(*) AS customers FROM customers"}
J
}
# best_customers: asks back; first_customer [TIME]: what comes of one of the answers
best_customers() {
    says "best customers" "" <<'J'
{"intent": "CLARIFICATION_NEEDED",
 "clarification": {"question": "What makes a customer the best?", "options": ["Most money", "Most orders"]}}
J
}
first_customer() {
    says "Most money" "${1-}" <<'J'
{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers", "columns": ["id"], "confidence": 0.99}],
 "joins_needed": false, "summary": "One customer.", "sql": "SELECT id FROM customers ORDER BY id LIMIT 1"}
J
}

# own_postgres SERVER NAME: a PostgreSQL of the test's own, in $pg at $port; "$postgres" stop "$pg" ends it.
own_postgres() {
    postgres=$(realpath "$1")
    pg=$(mktemp -d "/tmp/dragoman-$2-XXXXXX")
    port=$("$here/../../free-port")
    (cd / && "$postgres" start "$pg" "$port" $$)
    case $? in
    0) ;;
    77) rm -rf "$pg" && exit 77 ;;
    *) rm -rf "$pg" && exit 1 ;;
    esac
}
