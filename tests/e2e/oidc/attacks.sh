#!/bin/bash
# An issuer that means harm, or is broken: its description, its keys, what it gives for a code. Access keys work all the time.
# usage: attacks.sh PROGRAM FOLDER_OF_HELPERS
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

sqlite3 shop.db "CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT); INSERT INTO orders VALUES (1, 'EU');"
export NODE_OPTIONS=--dns-result-order=ipv4first # "localhost" may be ::1 first, where nobody listens
issuer=http://localhost:$("$here/../../free-port")
cat >dragoman.yaml <<Y
datasources: [{id: shop, url: $PWD/shop.db}]
oidc:
  issuer: $issuer
  audience: https://dragoman.example
  client_id: page
  client_secret: s3cr3t-of-the-client
  default_scope: ask
  keys_retry_s: 1
  keys_ttl_s: 1
Y
# an issuer far away is https
for far in http://id.example.com http://127.0.0.1.example.com http://10.0.0.1 http://169.254.169.254 ftp://localhost file:///etc/passwd; do
    run serve --listen 127.0.0.1:0 --set "oidc.issuer=$far"
    check "$far should be refused" test "$status" -ne 0
    err_has "https"
done
key=$("$dragoman" keys add ann 2>/dev/null)
serve --set server.queue=20
shown="node evil.mjs"
out=$(node "$here/evil.mjs" "$address" "$issuer" "$key" 2>&1)
status=$?
echo "$out"
status_is 0
check "the log should hold no token" test "$(grep -cE 'eyJ|s3cr3t' "$serve_err")" = 0
serve_ends TERM
summary
