#!/bin/bash
# Requests that two readers could understand in two ways are refused and end their connection, in the clear and in
# TLS; what ordinary clients send is answered.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
serve --set server.hosts="ask.example.com, [2001:db8::1]" --db shop.db

# table: strict_table.h, over raw sockets
table() {
    out=$("$helpers/e2e_server_strict" "${host##*:}" 2>&1)
    status=$?
    shown="the table of requests"
    status_is 0
    out_has ", 0 failures"
}
table

# A refusal says what is wrong, and is JSON.
http GET /healthz "" -H 'Host: localhost' -H 'Content-Length: 1' -H 'Transfer-Encoding: chunked'
error_is 400 INVALID_DATA
out_has "Content-Length and Transfer-Encoding"
check "it should close" has "$head" "Connection: close"

# Names: those of this machine, and those that are listed; any port, in any case.
for name in ask.example.com ASK.example.com:8443 '[2001:db8::1]' '[2001:DB8::1]:80' localhost; do
    http GET /healthz "" -H "Host: $name"
    status_is 200
done
for name in example.com evil.ask.example.com ask.example.com.evil.com 2001:db8::1 '[2001:db8::2]' 'ask.example.com:80x' \
    'ask.example.com, [2001:db8::1]' ''; do
    http GET /healthz "" -H "Host: $name" -H 'X-Name: this one'
    check "Host: $name should be refused" test "$status" -ge 400
done
http GET /healthz "" -H 'Host: ask.example.com' -H 'Origin: https://ask.example.com'
status_is 200
http GET /healthz "" -H 'Host: ask.example.com' -H 'Origin: https://ask.example.com.evil.com'
error_is 403 ACCESS

# curl with all that it has: one connection for several requests, bodies that wait for a 100, chunks, forms.
check "a connection should be used again" test "$(curl -s -o /dev/null -w '%{num_connects}' "$address/healthz")$(
    curl -s -o /dev/null -o /dev/null -w '%{num_connects}' "$address/healthz" "$address/healthz")" = 110
http GET /
status_is 200
out_has "<html"
printf 'id,name\n1,John\n' >names.csv
number=0
for way in '-H Expect:100-continue' '-H Transfer-Encoding:chunked' '-H Transfer-Encoding:chunked -H Expect:100-continue' '--http1.0'; do
    # shellcheck disable=SC2086 # several words
    http POST "/api/v1/ask" '{"query": ""}' $way
    error_is 400 QUESTION_EMPTY
    # shellcheck disable=SC2086
    http POST "/api/v1/datasets?name=names$((++number)).csv" @names.csv $way
    check "a file should be taken ($way), or there is no DuckDB" test "$status" = 201 -o "$(field code)" = DATASOURCE_KIND
done
head -c 60000 /dev/zero | tr '\0' ' ' >large
http POST /api/v1/ask @large -H Transfer-Encoding:chunked
error_is 400 INVALID_DATA
http GET /healthz "" --request-target "$address/healthz"
status_is 200
http GET /healthz "" --request-target "http://evil.example/healthz"
error_is 400 INVALID_DATA
serve_ends TERM

# The same inside TLS: what is checked is what was said, not what went over the wire.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
    -keyout key.pem -out cert.pem >/dev/null 2>&1
serve --set server.tls_cert="$PWD/cert.pem" --set server.tls_key="$PWD/key.pem" --db shop.db
good='GET /healthz HTTP/1.1\r\nHost: localhost\r\n'
# secure BYTES STATUSES: sent with a last request behind them
secure() {
    shown="over TLS: $1"
    out=$(printf '%b' "$1${good}Connection: close\r\n\r\n" |
        timeout 60 openssl s_client -quiet -ign_eof -connect "${address#https://}" 2>"$work/err" | tr -d '\0\r')
    err=$(cat "$work/err")
    check "statuses should be $2" test "$(grep -ao 'HTTP/1.1 [0-9]*' <<<"$out" | cut -d' ' -f2 | paste -sd' ')" = "$2"
}
secure "$good\r\n" "200 200"
secure "${good}X: a\0b\r\n\r\n" 400
secure 'GET /healthz HTTP/1.1\nHost: localhost\n\n' 400
secure "${good}Host: evil.com\r\n\r\n" 400
secure "$good\r\n${good}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab" "200 400"
secure 'POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2;\n{}\r\n0\r\n\r\n' 400
secure 'POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n' "400 200"
http POST /api/v1/ask '{"query": ""}' --cacert cert.pem -H Transfer-Encoding:chunked
error_is 400 QUESTION_EMPTY
serve_ends TERM
summary
