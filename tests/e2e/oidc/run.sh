#!/bin/bash
# Single sign-on with an issuer that is not ours: tokens, people, and everything that is wrong with a token.
# usage: run.sh PROGRAM FOLDER_OF_HELPERS
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

sqlite3 shop.db "CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, buyer TEXT);
    INSERT INTO orders VALUES (1, 'EU', 'Annabel'), (2, 'US', 'Zzyzxville'), (3, 'EU', 'Bertold'), (4, 'EU'' OR ''1''=''1x', 'Quuxman');"
export NODE_OPTIONS=--dns-result-order=ipv4first # "localhost" may be ::1 first, where nobody listens
issuer=http://localhost:$("$here/../../free-port")
cat >dragoman.yaml <<Y
datasources:
  - id: shop
    url: $PWD/shop.db
    policy:
      roles:
        sales:
          rows:
            orders: region = {claim.region}
oidc:
  issuer: $issuer
  audience: https://dragoman.example
  client_id: page
  client_secret: "a secret with +/: and %"
  default_scope: ask
  roles_claim: roles
  keys_retry_s: 1
share: {links: true}
Y

run serve --listen 0.0.0.0:0
check "elsewhere than on loopback it should want its public address" test "$status" -ne 0
err_has "server.public_url"
run serve --listen 0.0.0.0:0 --set server.public_url=http://ask.example.com
check "it should want https for it" test "$status" -ne 0
err_has "is https"

export DRAGOMAN_AGENT_BRAIN=parser
serve --set server.public_url=https://ask.example.com --set store.url=memory:
behind_proxy=$address
serve
http GET /api/v1/me
error_is 401 UNAUTHORIZED
shown="node walk.mjs"
out=$(node "$here/walk.mjs" "$address" "$issuer" "$behind_proxy" 2>&1)
status=$?
echo "$out"
status_is 0

# The operator learns why, and no secret.
for reason in "has expired" "not valid yet" "another audience" "another issuer" "does not fit the issuer's key" \
    "not RS256, ES256 or EdDSA" "no such key" "another browser" "another issuer" "has no name of the issuer"; do
    check "the log should say: $reason" grep -q "single sign-on: refused: .*$reason" "$serve_err"
done
check "the log should hold no token" test "$(grep -c 'eyJ' "$serve_err")" = 0
serve_ends TERM
noted=$(sqlite3 "$XDG_DATA_HOME/dragoman/dragoman.db" "SELECT DISTINCT account || ' ' || action FROM audit")
for action in "robot token used" "ann signed in" "ann signed out" "fay signed out by the issuer" "gus signed out by the issuer"; do
    check "the audit log should say: $action" grep -qxF "$action" <<<"$noted"
done
summary
