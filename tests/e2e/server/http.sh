# shellcheck shell=bash disable=SC2034,SC2154
# What the tests of the server share: on top of the command line's lib.sh, `serve` starts a
# server on a free port, `http` asks it something.

# shellcheck source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

# serve ARGUMENT...: sets $address, $server; ended with the test.
serve() {
    : >"$work/serve.out" # what an earlier one said must not be read again
    "$dragoman" serve --listen 127.0.0.1:0 "$@" >"$work/serve.out" 2>"$work/serve.err" </dev/null &
    server=$!
    background+=("$server")
    for ((i = 0; i < 600; i++)); do
        grep -q '^Listening on ' "$work/serve.out" && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    address=$(sed -n 's/^Listening on //p' "$work/serve.out")
    host=${address#http://}
    if [ -z "$address" ]; then
        echo "the server did not start:"
        cat "$work/serve.out" "$work/serve.err"
        exit 1
    fi
}

# serve_ends SIGNAL: tells it to stop; it must end well.
serve_ends() {
    kill "-$1" "$server"
    wait "$server"
    status=$?
    shown="the server after $1"
    out=$(cat "$work/serve.out")
    err=$(cat "$work/serve.err")
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
    status=$(curl -s -m 60 -o "$work/body" -D "$work/head" -w '%{http_code}' -X "$method" \
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
    for ((i = 0; i < 600; i++)); do
        http GET "/api/v1/ask/$1"
        case $(field status) in finished | failed | stopped) return ;; esac
        sleep 0.05
    done
    fail "question $1 should come to rest"
}
