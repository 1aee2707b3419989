#!/bin/bash
# The HTTP interface against its own description: /openapi.json keeps to OpenAPI 3.1, and every route to it.
# usage: run.sh PROGRAM FOLDER_OF_HELPERS
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
cp shop.db other.db
cp shop.db third.db
script contract <<S
$(first_customer)
$(best_customers)
$(count_customers)
S
export DRAGOMAN_SOURCES_FOLDERS=$PWD CONTRACT_FOLDER=$PWD
serve "${model[@]}" --set share.links=true --db shop.db --db other.db
http GET /theme.js
[ "$status" = 200 ] && export CONTRACT_PAGE=yes
shown="node walk.mjs"
out=$(node "$here/walk.mjs" "$address" 2>&1)
status=$?
echo "$out"
status_is 0
serve_ends TERM
summary
