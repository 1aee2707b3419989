#!/bin/bash
# Single sign-on with three processes on one store: signed in on one, asked on another, signed out everywhere; keys that change on all.
# usage: replicas.sh PROGRAM FOLDER_OF_HELPERS POSTGRES_SERVER
# shellcheck source-path=SCRIPTDIR source=../server/three.sh
. "$(dirname "$0")/../server/three.sh"

sqlite3 shop.db "CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT);
    INSERT INTO orders VALUES (1, 'EU'), (2, 'US'), (3, 'EU');"
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
Y
export DRAGOMAN_KEY
DRAGOMAN_KEY=$(printf '5a%.0s' {1..32})
script model </dev/null
public=http://localhost:$("$here/../../free-port")
three --set "server.public_url=$public"
shown="node replicas.mjs"
out=$(node "$here/replicas.mjs" "$issuer" "$public" "${at[@]}" 2>&1)
status=$?
echo "$out"
status_is 0
well
summary
