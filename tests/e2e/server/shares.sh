#!/bin/bash
# Links that show answers: what they show, to whom, until when; and answers as files of one page.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
cp shop.db other.db
cat >dragoman.yaml <<Y
datasources:
  - {id: shop, url: $PWD/shop.db}
  - {id: other, url: $PWD/other.db}
share: {links: true, max_rows: 3, account_links: 4}
log: {format: json, level: "warn,server=info"}
Y

as() {
    local key=$1
    shift
    http "$1" "$2" "${3-}" -H "Authorization: Bearer $key" "${@:4}"
}
# sql KEY SQL [SOURCE]: sets $id
sql() {
    as "$1" POST /api/v1/sql "{\"sql\": \"$2\", \"datasource\": \"${3-shop}\", \"wait\": true}"
    status_is 200
    id=$(field query_id)
}
# share KEY BODY: sets $link and $share
share() {
    as "$1" POST /api/v1/shares "$2"
    status_is 201
    link=$(field path) share=$(field id)
}
# works PATH, gone PATH
works() {
    http GET "$1"
    status_is 200
}
gone() {
    http GET "$1"
    status_is 404
    check "a dead link should say the same as any other" test "$out" = "$dead"
}
# raw LINE...: sends a request as it is, and waits for the end of its reply
raw() (
    trap '' PIPE # the server may close the connection before it has read everything
    exec 7<>"/dev/tcp/${host%:*}/${host##*:}"
    printf "%s${eol-$'\r\n'}" "$@" "" >&7
    timeout 20 cat <&7 >/dev/null
) 2>/dev/null
keyed() { "$dragoman" keys add "$@" 2>/dev/null; }

# --- off by default: nothing is made, and no link is there
"$dragoman" config show 2>/dev/null | grep -q . # reads the file
ann=$(keyed ann)
bob=$(keyed bob)
boss=$(keyed boss --scopes admin)
reader=$(keyed ann --scopes read)
narrow=$(keyed ann --datasource shop)
serve --set share.links=false
as "$ann" GET /api/v1/me
out_lacks share_days
sql "$ann" "SELECT 1 AS n"
as "$ann" POST /api/v1/shares "{\"query_id\": \"$id\"}"
error_is 403 FORBIDDEN
http GET /share/00
status_is 404
dead=$out
serve_ends TERM

serve
as "$ann" GET /api/v1/me
out_has '"share_days":7,"share_max_days":30'

# --- an answer as one object, and as one page
sql "$ann" "SELECT id, '<img src=x>' AS cell FROM customers ORDER BY id LIMIT 5"
as "$ann" GET "/api/v1/ask/$id/kept?chart=none"
status_is 200
out_has '"version":1'
out_has '"row_count":5'
out_lacks '"chart"'
as "$ann" GET "/api/v1/ask/$id/kept?chart=pie"
error_is 400 USAGE
as "$bob" GET "/api/v1/ask/$id/kept"
error_is 404 QUERY_NOT_FOUND
as "$ann" GET "/api/v1/ask/$id/export?format=html"
status_is 200
check "it should be a download" has "$head" 'Content-Disposition: attachment; filename="answer.html"'
out_has "&lt;img src=x&gt;"
out_lacks "<img"
out_lacks "<script"
as "$bob" GET "/api/v1/ask/$id/export?format=html"
error_is 404 QUERY_NOT_FOUND

# --- a link: three rows of five, as they were, for anybody, without a key
share "$ann" "{\"query_id\": \"$id\"}"
check "a token should have 256 bits" test "${#link}" -eq $((7 + 64))
out_has '"kind":"answer"'
works "$link"
out_has "3 rows; the whole result has more"
out_has "&lt;img src=x&gt;"
out_has "This link works until "
for secret in "$PWD" ann "$id" "$share" "<script" "<img"; do
    out_lacks "$secret"
done
for header in "Referrer-Policy: no-referrer" "X-Robots-Tag: noindex" "Cache-Control: no-store" \
    "Content-Security-Policy: default-src 'none'; style-src 'sha256-" "X-Frame-Options: DENY" "nosniff"; do
    check "a link should have $header" has "$head" "$header"
done
works "$link"
as "$ann" GET /api/v1/shares
out_has '"opens":2'
out_has '"account":"ann"'
out_lacks "${link#/share/}"
check "the log should not have the token" bash -c "! grep -q '${link#/share/}' '$serve_err'"
check "nor the store" bash -c "! grep -rqa '${link#/share/}' '${XDG_DATA_HOME:-$HOME}' 2>/dev/null"
# nor when the request is refused, whatever its path looks like
token=${link#/share/}
for path in "$link/" "$link/favicon.ico" "/$link" "/SHARE/$token" "/share//$token" "/share%2F$token" "/share%252f$token" \
    "/%73hare/$token" "/x/$token" "/share/./$token" "/share/${token:0:30}"; do
    raw "GET $path HTTP/1.1" "Host: $host" "Connection: close"
done
for method in OPTIONS POST PROPFIND HEAD; do
    raw "$method $link HTTP/1.1" "Host: $host" "Connection: close"
done
raw "GET $link HTTP/1.1" "Host: evil.example" "Connection: close"
raw "GET $link HTTP/1.1" "Connection: close"
raw "GET $link HTTP/1.1" "Host: a" "Host: b" "Connection: close"
raw "GET $link HTTP/1.1" "Host: $host" "Origin: https://evil.example" "Connection: close"
raw "GET $link HTTP/1.1" "Host: $host" "A B: c" "Connection: close"
raw "GET http://$host$link HTTP/1.1" "Host: $host" "Connection: close"
eol=$'\n' raw "GET $link HTTP/1.1" "Host: $host" "Connection: close"
waits_for "the log should have the refused requests" grep -q '"path":"/x/{token}"' "$serve_err"
check "the log should not have the token of a refused request" bash -c "! grep -qi '${token:0:30}' '$serve_err'"
check "but the path" grep -q '"path":"/share/{token}","status":403' "$serve_err"
gone "${link%?}0"
gone "${link%?}"
gone "/share/$(printf 'a%.0s' {1..64})"

# --- it is Ann's: others neither see nor revoke it, but for administrators; reading is not sharing
as "$bob" GET /api/v1/shares
out_has '"shares":[]'
as "$bob" GET "/api/v1/shares?all=true"
out_has '"shares":[]'
as "$bob" DELETE "/api/v1/shares/$share"
error_is 404 NOT_FOUND
as "$bob" POST /api/v1/shares "{\"query_id\": \"$id\"}"
error_is 404 QUERY_NOT_FOUND
as "$reader" POST /api/v1/shares "{\"query_id\": \"$id\"}"
error_is 403 FORBIDDEN
as "$reader" DELETE "/api/v1/shares/$share"
error_is 403 FORBIDDEN
works "$link"
as "$boss" GET "/api/v1/shares?all=true"
out_has "$share"
as "$boss" DELETE "/api/v1/shares/$share"
status_is 200
gone "$link"
as "$boss" DELETE "/api/v1/shares/$share"
error_is 404 NOT_FOUND

# --- what is asked for is checked
for body in '{}' "{\"query_id\": \"$id\", \"session_id\": \"s\"}"; do
    as "$ann" POST /api/v1/shares "$body"
    error_is 400 USAGE
done
as "$ann" POST /api/v1/shares "{\"query_id\": \"$id\", \"expires_in_s\": 2592001}"
error_is 400 INVALID_DATA
as "$ann" POST /api/v1/shares "{\"query_id\": \"$id\", \"expires_in_s\": -1}"
error_is 400 INVALID_DATA
as "$ann" POST /api/v1/shares "{\"query_id\": \"$id\", \"days\": 1}"
status_is 400

# --- it ends with its time
share "$ann" "{\"query_id\": \"$id\", \"expires_in_s\": 2}"
waits_for "the link should expire" eval 'http GET "$link"; [ "$status" = 404 ]'
gone "$link"
as "$ann" GET /api/v1/shares
out_has '"shares":[]'

# --- so many of an account
for ((i = 0; i < 4; i++)); do
    share "$ann" "{\"query_id\": \"$id\"}"
done
as "$ann" POST /api/v1/shares "{\"query_id\": \"$id\"}"
error_is 429 QUOTA
as "$ann" DELETE "/api/v1/shares/$share"
status_is 200
gone "$link"

# --- a key for one datasource neither sees nor revokes the links of others
sql "$ann" "SELECT 3 AS three" other
as "$ann" GET /api/v1/shares
for share in $(grep -o '"id":"[^"]*"' <<<"$out" | cut -d'"' -f4); do
    as "$ann" DELETE "/api/v1/shares/$share"
    status_is 200
done
share "$ann" "{\"query_id\": \"$id\"}"
as "$narrow" GET /api/v1/shares
out_has '"shares":[]'
as "$narrow" DELETE "/api/v1/shares/$share"
error_is 404 NOT_FOUND
works "$link"
sql "$narrow" "SELECT 4 AS four"
share "$narrow" "{\"query_id\": \"$id\"}"
as "$narrow" GET /api/v1/shares
out_has "$share"
out_has '"works":true'
as "$narrow" DELETE "/api/v1/shares/$share"
status_is 200

# --- the links of a key that was revoked are neither listed nor counted, nor are those of a key that expired
leaving=$(keyed ann)
sql "$ann" "SELECT 5 AS five"
share "$ann" "{\"query_id\": \"$id\"}"
for key in "$leaving" "$leaving"; do share "$key" "{\"query_id\": \"$id\"}"; done
as "$ann" POST /api/v1/shares "{\"query_id\": \"$id\"}"
error_is 429 QUOTA
as "$boss" DELETE "/api/v1/keys/$(cut -d_ -f2 <<<"$leaving")"
status_is 200
gone "$link"
as "$ann" GET /api/v1/shares
check "two links should be left" test "$(grep -o '"id"' <<<"$out" | wc -l)" -eq 2
share "$ann" "{\"query_id\": \"$id\"}"
as "$boss" POST /api/v1/keys '{"account": "ann", "expires_in_s": 5}'
status_is 201
share "$(field key)" "{\"query_id\": \"$id\"}"
waits_for "the link of a key that has expired should end" eval 'http GET "$link"; [ "$status" = 404 ]'
share "$ann" "{\"query_id\": \"$id\"}"
as "$ann" GET /api/v1/shares
for share in $(grep -o '"id":"[^"]*"' <<<"$out" | cut -d'"' -f4); do
    as "$ann" DELETE "/api/v1/shares/$share"
    status_is 200
done

# --- a conversation: all its finished answers, each once
as "$ann" POST /api/v1/chat/sessions '{"datasource": "shop"}'
session=$(field session_id)
for question in "how many customers are there?" "how many orders are there?"; do
    as "$ann" POST /api/v1/chat "{\"message\": \"$question\", \"session_id\": \"$session\"}"
    status_is 200
done
as "$bob" POST /api/v1/shares "{\"session_id\": \"$session\"}"
error_is 404 SESSION_NOT_FOUND
share "$ann" "{\"session_id\": \"$session\"}"
out_has '"kind":"conversation"'
works "$link"
out_has '<h2 dir="auto">how many customers are there?</h2>'
out_has '<h2 dir="auto">how many orders are there?</h2>'
check "two answers" test "$(grep -c '<article>' "$work/body")" -eq 2
conversation=$link

# --- it survives a restart, ends with its key, with the datasource, and when links are switched off
serve_ends TERM
serve
works "$conversation"
sql "$bob" "SELECT 7 AS seven" other
share "$bob" "{\"query_id\": \"$id\"}"
of_bob=$link
works "$of_bob"
"$dragoman" keys revoke "$(cut -d_ -f2 <<<"$bob")" >/dev/null 2>&1
waits_for "a link should end with its key" eval 'http GET "$of_bob"; [ "$status" = 404 ]'
gone "$of_bob"
works "$conversation"
as "$boss" PATCH /api/v1/settings '{"settings": {"share.links": false}}'
status_is 200
gone "$conversation"
as "$ann" GET /api/v1/shares
out_has '"works":false'
as "$boss" PATCH /api/v1/settings '{"settings": {"share.links": null}}'
works "$conversation"
serve_ends TERM
sed -i '/id: shop/d' dragoman.yaml
serve
gone "$conversation"
serve_ends TERM

# --- so many links of an address that do not work; the others still do
serve --set share.opens_per_minute=3
sql "$ann" "SELECT 8 AS eight" other
share "$ann" "{\"query_id\": \"$id\"}"
for ((i = 0; i < 5; i++)); do works "$link"; done
for ((i = 0; i < 3; i++)); do http GET "/share/$i"; done
http GET /share/x
error_is 429 RATE_LIMITED
check "it should say when" has "$head" "Retry-After: "
works "$link"
serve_ends TERM

# --- made without a key: as long as none is needed
sed -i 's/^datasources:/datasources:\n  - {id: shop, url: shop.db}/' dragoman.yaml
rm -rf "${XDG_DATA_HOME:?}"/dragoman
serve
http POST /api/v1/sql '{"sql": "SELECT 1 AS one", "datasource": "other", "wait": true}'
http POST /api/v1/shares "{\"query_id\": \"$(field query_id)\"}"
status_is 201
link=$(field path)
works "$link"
keyed first >/dev/null
waits_for "it should end when keys are needed" eval 'http GET "$link"; [ "$status" = 404 ]'
gone "$link"
serve_ends TERM

summary
