#!/bin/bash
# What is not a good request gets its status and its words, and harms nobody.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
serve --set server.max_body_kb=64 --set server.header_timeout_s=1 --set server.body_timeout_s=1 --db shop.db

http GET /nowhere
error_is 404 NOT_FOUND
http DELETE /api/v1/ask
error_is 405 METHOD
check "it says what is allowed" has "$head" "Allow: POST"
http GET /healthz "" -H 'Host: evil.example'
error_is 403 ACCESS
http GET /healthz "" -H 'Host: localhost:1'
status_is 200

http POST /api/v1/ask '{"query": '
error_is 400 INVALID_DATA
http POST /api/v1/ask '[1, 2]'
error_is 400 INVALID_DATA
http POST /api/v1/ask ''
error_is 400 INVALID_DATA
http POST /api/v1/ask '{"query": 7}'
error_is 400 INVALID_DATA
out_has "query"
http POST /api/v1/ask '{"query": "a", "query": "b"}'
error_is 400 INVALID_DATA
http POST /api/v1/ask '{"query": "a", "colour": "red"}'
error_is 400 INVALID_DATA
out_has "colour"
http POST /api/v1/ask '{"query": ""}'
error_is 400 QUESTION_EMPTY
http POST /api/v1/ask '{"query": "a", "brain": "two"}'
error_is 400 USAGE
http POST /api/v1/ask '{"query": "a", "session_id": "sess-none"}'
error_is 404 SESSION_NOT_FOUND
http POST /api/v1/ask '{"query": "a"} trailing'
error_is 400 INVALID_DATA
printf '{"query": "\xff\xfe"}' >"$work/bytes"
http POST /api/v1/ask "@$work/bytes"
error_is 400 INVALID_DATA
http POST /api/v1/ask "$(printf '[%.0s' {1..5000})"
error_is 400 INVALID_DATA
http GET "/api/v1/ask/%ff%fe"
status_is 404
http GET "/api/v1/ask/..%2f..%2fetc%2fpasswd"
status_is 400
http POST /api/v1/ask/q-none/stop
error_is 404 QUERY_NOT_FOUND
http GET /api/v1/ask/q-none/stream
error_is 404 QUERY_NOT_FOUND
http DELETE /api/v1/chat/sessions/sess-none
error_is 404 SESSION_NOT_FOUND

# a page of somebody else's cannot ask in a person's browser
http POST /api/v1/ask '{"query": "a"}' -H 'Origin: https://evil.example'
error_is 403 ACCESS
http POST /api/v1/ask '{"query": ""}' -H "Origin: $address"
error_is 400 QUESTION_EMPTY

# too large: told at once, and told too when the size was not announced
head -c 100000000 /dev/zero >"$work/large"
http POST /api/v1/ask "@$work/large"
error_is 413 BODY_TOO_LARGE
head -c 300000 /dev/zero >"$work/larger"
http POST /api/v1/ask "@$work/larger" -H 'Transfer-Encoding: chunked'
error_is 413 BODY_TOO_LARGE
http GET /healthz "" -H "X-Long: $(head -c 40000 /dev/zero | tr '\0' a)"
check "headers have a limit" test "$status" -ge 400

# slow: a header or a body that drips is cut off
port=${host##*:}
drip() { # FIRST: what is sent at once; then a byte every 0.3 s
    exec 5<>"/dev/tcp/127.0.0.1/$port" || return 1
    printf '%b' "$1" >&5
    for ((i = 0; i < 40; i++)); do
        printf 'a' >&5 2>/dev/null || break
        sleep 0.3
        if IFS= read -r -t 0.01 -u 5 _ || [ $? -le 128 ]; then
            exec 5>&-
            return 0 # the other end closed it
        fi
    done
    exec 5>&-
    return 1
}
shown="a header that drips"
check "a header that drips is cut off" drip 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '
shown="a body that drips"
check "a body that drips is cut off" drip 'POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{'

http GET /healthz
status_is 200
serve_ends TERM

run serve --db shop.db --listen nonsense
status_is 2
run serve --db shop.db --listen 0.0.0.0:0
status_is 19
err_has "keys"
summary
