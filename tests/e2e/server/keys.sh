#!/bin/bash
# Keys over HTTP: who gets in, what is there for whom, and what the logs say of it.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
"$dragoman" sample other.db >/dev/null 2>&1
cat >dragoman.yaml <<Y
datasources:
  - {id: shop, url: $PWD/shop.db}
  - {id: other, url: $PWD/other.db}
log: {format: json, level: "warn,server=info"}
Y

# as KEY METHOD PATH [BODY [CURL ARGUMENT...]]
as() {
    local key=$1
    shift
    http "$1" "$2" "${3-}" -H "Authorization: Bearer $key" "${@:4}"
}

# Without keys: open on this machine, and it says so; nowhere else does it start.
serve
check "it should say that it is open" grep -q "There are no keys" "$work/serve.err"
http GET /api/v1/me
status_is 200
out_has '"open":true'
http GET /api/v1/datasources
status_is 200
# A key that is made now locks the door, without a restart: at once where the server made it
# itself, within a second where another process did.
http POST /api/v1/keys '{"account": "first", "scopes": ["admin"]}'
status_is 201
first=$(field key)
http GET /api/v1/me
error_is 401 UNAUTHORIZED
as "$first" GET /api/v1/me
out_has '"account":"first"'
out_has '"open":false'
serve_ends TERM
"$dragoman" keys revoke "$(cut -d_ -f2 <<<"$first")"
serve
ann=$("$dragoman" keys add ann 2>/dev/null)
for ((i = 0; i < 100; i++)); do
    http GET /api/v1/me
    [ "$status" = 401 ] && break
    sleep 0.05
done
error_is 401 UNAUTHORIZED
check "a browser should be told how" has "$head" "WWW-Authenticate: Bearer"
serve_ends TERM
"$dragoman" keys revoke "$(cut -d_ -f2 <<<"$ann")"
run serve --listen 0.0.0.0:0
check "it should not start without keys where others can reach it" test "$status" -ne 0
err_has "keys add"

ann=$("$dragoman" keys add ann 2>/dev/null)
bob=$("$dragoman" keys add bob --scopes read 2>/dev/null)
admin=$("$dragoman" keys add boss --scopes admin 2>/dev/null)
narrow=$("$dragoman" keys add ann --datasource shop 2>/dev/null)
quick=$("$dragoman" keys add carl --rate 3 2>/dev/null)
serve
check "it should not say that it is open" bash -c "! grep -q 'There are no keys' '$work/serve.err'"

# Open without a key: is it alive, and what can it do.
http GET /healthz
status_is 200
http GET /openapi.json
status_is 200
for path in /api/v1/me /api/v1/datasources /api/v1/chat/sessions /metrics /api/v1/ask/q-1; do
    http GET $path
    error_is 401 UNAUTHORIZED
done
http GET /api/v1/me "" -H "Authorization: Basic YTpi"
error_is 401 UNAUTHORIZED
as "${ann%?}0" GET /api/v1/me
as dgm_ GET /api/v1/me
error_is 401 UNAUTHORIZED
http GET "/api/v1/me?key=$ann"
error_is 400 USAGE
out_has "Authorization: Bearer"
as "$ann" GET "/api/v1/me?x=$ann"
error_is 400 USAGE
as "$ann" GET /api/v1/me
status_is 200
out_has '"account":"ann"'
out_has '"scopes":["read","ask"]'
out_has '"open":false'
check "each reply has the request's id" has "$head" "X-Request-Id: r-"

# Scopes.
as "$bob" GET /api/v1/datasources
status_is 200
as "$bob" POST /api/v1/ask '{"query": "how many customers are there?", "datasource": "shop"}'
error_is 403 FORBIDDEN
as "$ann" POST /api/v1/datasources '{"url": "/etc/passwd"}'
error_is 403 FORBIDDEN
as "$admin" GET /api/v1/me
out_has '"admin"'
as "$admin" DELETE /api/v1/datasources/nothing
error_is 404 DATASOURCE_NOT_FOUND

# Where the datasources are is for administrators; the others see what they need to ask.
for path in datasources datasources/shop/schema datasources/shop/suggestions datasources/shop/dictionary \
    datasources/shop/changes settings history; do
    as "$bob" GET /api/v1/$path
    status_is 200
    out_lacks "$PWD"
done
# An examination tries a write and tells the login and its rights.
for key in "$bob" "$ann"; do
    as "$key" POST /api/v1/datasources/shop/test
    error_is 403 FORBIDDEN
    out_lacks "$PWD"
done
as "$admin" POST /api/v1/datasources/shop/test
status_is 200
as "$bob" GET /api/v1/datasources
out_has '"id":"shop","kind":"sqlite"'
out_lacks '"url"'
as "$admin" GET /api/v1/datasources
out_has "$PWD/shop.db"

# A key that is limited to a datasource does not reach the files of its account.
printf 'city,n\nKiel,1\n' >towns.csv
as "$ann" POST "/api/v1/datasets?dataset=towns" "" -F file=@towns.csv
status_is 201
towns=$(field id)
as "$ann" GET /api/v1/datasets
out_has "$towns"
as "$narrow" GET /api/v1/datasets
status_is 200
out_lacks "$towns"
for path in "$towns" "$towns/preview"; do
    as "$narrow" GET "/api/v1/datasets/$path"
    error_is 404 DATASOURCE_NOT_FOUND
    out_lacks Kiel
done
as "$narrow" PUT "/api/v1/datasets/$towns" "" -F file=@towns.csv
error_is 404 DATASOURCE_NOT_FOUND
as "$narrow" POST "/api/v1/datasets?dataset=towns&replace=true" "" -F file=@towns.csv
error_is 403 FORBIDDEN
as "$narrow" DELETE "/api/v1/datasets/$towns"
error_is 404 DATASOURCE_NOT_FOUND
as "$ann" GET "/api/v1/datasets/$towns/preview"
out_has Kiel
as "$ann" DELETE "/api/v1/datasets/$towns"
status_is 200

# Ownership: another's id is as good as none.
as "$ann" POST /api/v1/chat/sessions '{"datasource": "shop"}'
status_is 201
session=$(field session_id)
as "$ann" POST /api/v1/ask "{\"query\": \"how many customers are there?\", \"session_id\": \"$session\"}"
status_is 202
id=$(field query_id)
for ((i = 0; i < 600; i++)); do
    as "$ann" GET "/api/v1/ask/$id"
    [ "$(field status)" = finished ] && break
    sleep 0.05
done
status_is 200
out_has '"row_count":1'
for call in "GET /api/v1/ask/$id" "GET /api/v1/ask/$id/stream" "GET /api/v1/chat/sessions/$session"; do
    # shellcheck disable=SC2086
    as "$bob" $call
    status_is 404
    # shellcheck disable=SC2086
    as "$admin" $call
    status_is 404
done
for call in "POST /api/v1/ask/$id/stop" "DELETE /api/v1/chat/sessions/$session" \
    "POST /api/v1/chat/sessions/$session/stop"; do
    # shellcheck disable=SC2086
    as "$admin" $call
    status_is 404
done
as "$admin" POST /api/v1/chat "{\"message\": \"and in Rome?\", \"session_id\": \"$session\"}"
error_is 404 SESSION_NOT_FOUND
as "$admin" GET /api/v1/chat/sessions
out_lacks "$session"

# A key for one datasource.
as "$narrow" GET /api/v1/datasources
out_has '"id":"shop"'
out_lacks '"other"'
for path in schema suggestions; do
    as "$narrow" GET /api/v1/datasources/other/$path
    error_is 404 DATASOURCE_NOT_FOUND
    as "$narrow" GET /api/v1/datasources/shop/$path
    status_is 200
done
as "$narrow" POST /api/v1/chat '{"message": "how many customers are there?", "datasource": "other"}'
out_has DATASOURCE_NOT_FOUND
as "$narrow" POST /api/v1/sql '{"sql": "SELECT 1", "datasource": "other"}'
other=$(field query_id)
as "$narrow" POST /api/v1/chat '{"message": "how many customers are there?"}'
status_is 200
out_has '"datasource":"shop"'
as "$narrow" GET "/api/v1/ask/$id" # asked on shop, in ann's session on shop
status_is 200
as "$narrow" POST /api/v1/chat/sessions '{"datasource": "other"}'
error_is 404 DATASOURCE_NOT_FOUND
as "$ann" POST /api/v1/chat '{"message": "how many customers are there?", "datasource": "other"}'
other=$(field query_id)
as "$narrow" GET "/api/v1/ask/$other"
error_is 404 QUERY_NOT_FOUND
# What the account was taught about another datasource is not there for this key.
as "$ann" POST /api/v1/taught '{"question": "the secret", "sql": "SELECT 1", "datasource": "other"}'
lesson=$(field id)
for path in taught lessons history; do
    as "$narrow" GET /api/v1/$path
    status_is 200
    out_lacks "$lesson"
    out_lacks "$other"
    as "$narrow" GET "/api/v1/$path?datasource=other"
    error_is 404 DATASOURCE_NOT_FOUND
done
as "$narrow" POST /api/v1/taught '{"question": "a", "sql": "SELECT 1", "datasource": "other"}'
error_is 404 DATASOURCE_NOT_FOUND
as "$narrow" POST /api/v1/taught '{"question": "a", "sql": "SELECT 1"}'
status_is 201
out_has '"datasource":"shop"'
as "$narrow" PATCH "/api/v1/lessons/$lesson" '{"enabled": false}'
error_is 404 LESSON_NOT_FOUND
out_lacks other
as "$narrow" DELETE "/api/v1/lessons/$lesson"
error_is 404 LESSON_NOT_FOUND
out_lacks other
as "$ann" DELETE "/api/v1/lessons/$lesson"
status_is 200

# Keys over HTTP: an admin's business, and no way up for a key that is for less.
for call in "GET /api/v1/keys" "DELETE /api/v1/keys/none"; do
    # shellcheck disable=SC2086
    http $call
    error_is 401 UNAUTHORIZED
    # shellcheck disable=SC2086
    as "$ann" $call
    error_is 403 FORBIDDEN
done
# Reading a schema anew costs the database: once a minute, but for administrators.
as "$ann" POST /api/v1/datasources/shop/refresh
status_is 200
as "$ann" POST /api/v1/datasources/shop/refresh
error_is 429 RATE_LIMITED
out_has "less than a minute ago"
as "$admin" POST /api/v1/datasources/shop/refresh
status_is 200
as "$bob" POST /api/v1/datasources/shop/refresh
status_is 403
as "$ann" POST /api/v1/keys '{"account": "ann", "scopes": ["admin"]}'
error_is 403 FORBIDDEN
as "$admin" POST /api/v1/keys '{"account": "dora", "label": "for the report", "scopes": ["read"],
    "datasources": ["shop"], "rate_per_minute": 60, "expires_in_s": 3600}'
status_is 201
dora=$(field key)
check "the key should be shown" matches "$dora" '^dgm_[A-Za-z0-9]+_[A-Za-z0-9_-]+$'
as "$dora" GET /api/v1/me
out_has '"account":"dora"'
out_has '"scopes":["read"]'
out_has '"datasources":"shop"'
as "$admin" GET /api/v1/keys
status_is 200
out_has '"label":"for the report"'
out_has '"rate_per_minute":60'
out_lacks "${dora##*_}"
out_lacks '"key"'
for body in '{}' '{"account": "no such name!"}' '{"account": "dora", "scopes": ["root"]}' \
    '{"account": "dora", "scopes": ["read,admin"]}' '{"account": "dora", "scopes": [1]}' \
    '{"account": "dora", "scopes": "read"}' '{"account": "dora", "datasources": ["nowhere"]}' \
    '{"account": "dora", "expires_in_s": -1}' '{"account": "local"}' '{"account": "dora", "rank": 1}'; do
    as "$admin" POST /api/v1/keys "$body"
    check "'$body' should be refused, not $status" matches "$status" '^4'
done
as "$admin" POST /api/v1/keys '{"account": "part", "scopes": ["admin"], "datasources": ["shop"]}'
part=$(field key)
for call in "GET /api/v1/keys" "DELETE /api/v1/keys/$(cut -d_ -f2 <<<"$dora")"; do
    # shellcheck disable=SC2086
    as "$part" $call
    error_is 403 FORBIDDEN
done
as "$part" POST /api/v1/keys '{"account": "part", "scopes": ["admin"]}'
error_is 403 FORBIDDEN
# Nor datasources, which would be there for everybody: the reply is the same for ids that exist and that do not.
for id in other none; do
    as "$part" POST /api/v1/datasources "{\"id\": \"$id\", \"url\": \"$PWD/shop.db\"}"
    error_is 403 FORBIDDEN
    out_has '"A key for certain datasources cannot add, try or remove datasources."'
    as "$part" DELETE /api/v1/datasources/$id
    error_is 403 FORBIDDEN
done
as "$part" POST /api/v1/datasources/test "{\"url\": \"$PWD/shop.db\"}"
error_is 403 FORBIDDEN
as "$admin" GET /api/v1/datasources/none/schema
error_is 404 DATASOURCE_NOT_FOUND
for key in "$dora" "$part"; do
    as "$admin" DELETE "/api/v1/keys/$(cut -d_ -f2 <<<"$key")"
    status_is 200
    as "$key" GET /api/v1/me
    error_is 401 UNAUTHORIZED
done
as "$admin" DELETE /api/v1/keys/none
status_is 404

# Too many requests.
for ((i = 0; i < 5; i++)); do
    as "$quick" GET /api/v1/me
done
error_is 429 RATE_LIMITED
check "when to come again" matches "$head" 'Retry-After: (1?[0-9]|20)'

# Revoked is revoked, within a second.
"$dragoman" keys revoke "$(cut -d_ -f2 <<<"$ann")"
for ((i = 0; i < 40; i++)); do
    as "$ann" GET /api/v1/me
    [ "$status" = 401 ] && break
    sleep 0.05
done
error_is 401 UNAUTHORIZED

# A foreign page, and a name that is not ours.
as "$bob" GET /api/v1/me "" -H "Host: evil.example"
status_is 403
as "$bob" GET /api/v1/me "" -H "Origin: http://evil.example"
status_is 403

# The configuration is read again; one that is not valid changes nothing.
sed -i 's/id: other/id: third/' dragoman.yaml
kill -HUP "$server"
for ((i = 0; i < 100; i++)); do
    as "$bob" GET /api/v1/datasources
    has "$out" '"id":"third"' && break
    sleep 0.05
done
out_has '"id":"third"'
out_lacks '"id":"other"'
cp dragoman.yaml good.yaml
echo "nonsense: [" >>dragoman.yaml
kill -HUP "$server"
for ((i = 0; i < 100; i++)); do
    grep -q "configuration is unchanged" "$work/serve.err" && break
    sleep 0.05
done
check "it should say so" grep -q "configuration is unchanged" "$work/serve.err"
as "$bob" GET /api/v1/datasources
out_has '"id":"third"'
cp good.yaml dragoman.yaml

serve_ends TERM
# The log: a JSON object per line, who and what, and no secret.
lines=$(grep '^{' "$work/serve.err")
check "requests are in the log" grep -q '"method":"POST","path":"/api/v1/ask","status":202' <<<"$lines"
check "who asked is in the log" grep -q '"account":"ann"' <<<"$lines"
for key in "$ann" "$bob" "$admin" "$narrow" "$quick" "$dora"; do
    check "no secret is in the log" bash -c "! grep -q '${key##*_}' '$work/serve.err'"
done
check "what follows a ? is not in the log" bash -c "! grep -qF '?' <<<'$lines'"

# What admins did, or tried to, is written down.
check "the audit log should know" has "$(sqlite3 "$XDG_DATA_HOME/dragoman/dragoman.db" \
    "SELECT account, action, detail FROM audit")" "boss|DELETE /api/v1/datasources/{id}|/api/v1/datasources/nothing status=404 key="

# HTTPS, where a certificate is given.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
    -keyout key.pem -out cert.pem >/dev/null 2>&1
serve --set server.tls_cert="$PWD/cert.pem" --set server.tls_key="$PWD/key.pem"
check "the address should say so" has "$address" https://127.0.0.1
as "$bob" GET /api/v1/me "" --cacert cert.pem
status_is 200
as "$bob" GET /api/v1/me
check "an unknown certificate should not be trusted" test "$status" = 000
serve_ends TERM
run serve --listen 127.0.0.1:0 --set server.tls_cert="$PWD/cert.pem" --set server.tls_key="$PWD/dragoman.yaml"
check "a bad key should be told" test "$status" -ne 0
err_has "tls_cert"
run serve --listen 127.0.0.1:0 --set server.tls_cert="$PWD/cert.pem"
check "both files are needed" test "$status" -ne 0

summary
