#!/bin/bash
# Settings that change while it runs: kept over a restart and over SIGHUP, followed by another process on the same store;
# what is not allowed changes nothing. Descriptions are shared in the same way, conversations have titles and pages.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
script asks <<S
$(count_customers)
S
export DRAGOMAN_AGENT_TIMEOUT_S=77
serve "${model[@]}" --set llm.hosts=models.example,localhost --db shop.db
setting() { # KEY: its value now
    http GET /api/v1/settings
    sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p' <<<"$out"
}
change() { http PATCH /api/v1/settings "{\"settings\": $1}"; }

http GET /api/v1/settings
status_is 200
out_has '"changeable":["agent.brain"'
out_has '"changed":[]'
change '{"agent.brain": "parser", "llm.send_rows": false, "agent.timeout_s": 50}'
status_is 200
out_has '"agent.brain":"parser"'
out_has '"llm.send_rows":"false"'
out_has '"changed":["agent.brain","agent.timeout_s","llm.send_rows"]'
http POST /api/v1/ask '{"query": "How many customers are there?"}'
rest "$(field query_id)"
out_has '"brain":"parser"'

# what is refused changes nothing, not even what stands beside it
refused() { # STATUS CODE BODY
    change "$3"
    error_is "$1" "$2"
}
refused 400 INVALID_DATA '{"agent.brain": "two"}'
refused 400 INVALID_DATA '{"server.listen": "0.0.0.0:1"}'
refused 400 INVALID_DATA '{"store.url": "memory:"}'
refused 400 INVALID_DATA '{"llm.key": "sk-a-key-itself"}'
refused 400 INVALID_DATA '{"llm.key": "${HOME}"}'
refused 400 INVALID_DATA '{"llm.url": "ftp://models.example"}'
refused 400 INVALID_DATA '{"llm.url": "http://me:secret@models.example", "llm.key": ""}'
refused 400 INVALID_DATA '{"llm.url": "http://models.example/v1"}'
refused 403 FORBIDDEN '{"llm.url": "http://evil.example/v1", "llm.key": ""}'
refused 403 FORBIDDEN '{"llm.url": "http://localhost.evil.example/v1", "llm.key": ""}'
refused 400 INVALID_DATA '{"agent.brain": ["llm"]}'
refused 400 INVALID_DATA '{"agent.brain": "llm", "agent.timeout_s": "soon"}'
refused 400 INVALID_DATA '{"agent.timeout_s": -4}'
refused 400 INVALID_DATA '{"sql.timeout_s": 100000}'
http PATCH /api/v1/settings '{"agent.brain": "llm"}'
error_is 400 INVALID_DATA
http PATCH /api/v1/settings '{"settings": 7}'
error_is 400 INVALID_DATA
check "nothing has changed" test "$(setting agent.brain)/$(setting agent.timeout_s)" = parser/50

# a model elsewhere, with a key that only the server knows
change '{"llm.provider": "openai", "llm.url": "http://localhost:1/v1", "llm.key": "${MY_API_KEY}", "llm.model": "small"}'
status_is 200
out_lacks 'MY_API_KEY'
change '{"llm.provider": null, "llm.url": null, "llm.key": null, "llm.model": null}'
status_is 200
check "the configured one is back" test "$(setting llm.provider)" = scripted

# SIGHUP: what was changed stays above it; a file that is not valid changes nothing
printf 'agent:\n  min_confidence: 0.25\n' >dragoman.yaml
kill -HUP "$server"
for ((i = 0; i < 100; i++)); do
    [ "$(setting agent.min_confidence)" = 0.25 ] && break
    sleep 0.05
done
check "the file was read again" test "$(setting agent.min_confidence)" = 0.25
check "and the change is still above it" test "$(setting agent.brain)" = parser
printf 'agent:\n  min_confidence: 0.75\n  brains: two\n' >dragoman.yaml
kill -HUP "$server"
for ((i = 0; i < 100; i++)); do
    grep -q "configuration is unchanged" "$work/serve.err" && break
    sleep 0.05
done
check "it says so" has "$(cat "$work/serve.err")" "configuration is unchanged"
check "nothing has changed" test "$(setting agent.min_confidence)/$(setting agent.brain)" = 0.25/parser
rm dragoman.yaml

# another process on the same store follows; descriptions are shared as well
first=$server first_address=$address
serve "${model[@]}" --db shop.db
check "another process has it too" test "$(setting agent.brain)/$(setting agent.timeout_s)" = parser/50
change '{"agent.brain": "llm"}'
second_address=$address
address=$first_address
for ((i = 0; i < 200; i++)); do
    [ "$(setting agent.brain)" = llm ] && break
    sleep 0.05
done
check "the first one follows" test "$(setting agent.brain)" = llm
http PUT /api/v1/datasources/shop/dictionary '{"table": "customers", "description": "People who buy"}'
status_is 200
address=$second_address
http PUT /api/v1/datasources/shop/dictionary '{"table": "customers", "column": "country", "description": "Where they live"}'
status_is 200
http GET /api/v1/datasources/shop/dictionary
out_has "People who buy"
out_has "Where they live"
check "descriptions are in the store" test "$(sqlite3 "$XDG_DATA_HOME/dragoman/dragoman.db" \
    "SELECT COUNT(*) FROM records WHERE kind = 'dictionary'")" = 2
serve_ends TERM
server=$first
kill "$server"
wait "$server"

# after a restart; then back to what is configured. Files of ours that are gone come back from the store.
rm -rf "$XDG_DATA_HOME/dragoman/dictionaries"
serve "${model[@]}" --db shop.db
check "it is kept" test "$(setting agent.brain)/$(setting agent.timeout_s)/$(setting llm.send_rows)" = llm/50/false
for ((i = 0; i < 100; i++)); do
    [ -d "$XDG_DATA_HOME/dragoman/dictionaries" ] && break
    sleep 0.05
done
http GET "/api/v1/datasources/shop/schema?format=json"
out_has "People who buy"
change '{"agent.timeout_s": null, "llm.send_rows": null, "agent.brain": null}'
check "as configured" test "$(setting agent.timeout_s)/$(setting llm.send_rows)" = 77/true

# conversations: titles and pages
http POST /api/v1/chat/sessions '{"title": "Sales"}'
status_is 201
out_has '"title":"Sales"'
session=$(field session_id)
http PATCH "/api/v1/chat/sessions/$session" '{"title": "Übersicht"}'
status_is 200
out_has '"title":"Übersicht"'
http PATCH "/api/v1/chat/sessions/$session" '{"title": ""}'
error_is 400 INVALID_DATA
http PATCH "/api/v1/chat/sessions/sess-none" '{"title": "x"}'
error_is 404 SESSION_NOT_FOUND
http POST /api/v1/chat/sessions "{\"title\": \"$(printf 'x%.0s' {1..500})\"}"
error_is 400 INVALID_DATA
for _ in 1 2; do http POST /api/v1/chat/sessions '{}'; done
http GET "/api/v1/chat/sessions?limit=2"
out_has '"total":3'
check "a page of two" test "$(grep -o session_id <<<"$out" | wc -l)" = 2
http GET "/api/v1/chat/sessions?limit=2&offset=2"
check "and the rest" test "$(grep -o session_id <<<"$out" | wc -l)" = 1
http GET "/api/v1/chat/sessions?limit=none"
error_is 400 USAGE
serve_ends TERM

# with keys: an admin may, others may not, nor may one who is kept to a datasource
printf 'datasources:\n  shop: shop.db\n' >dragoman.yaml # which a key can be kept to
admin=$("$dragoman" keys add boss --scopes read,ask,admin 2>/dev/null)
asker=$("$dragoman" keys add asker --scopes read,ask 2>/dev/null)
narrow=$("$dragoman" keys add narrow --scopes read,ask,admin --datasource shop 2>/dev/null)
serve "${model[@]}" --db shop.db
http PATCH /api/v1/settings '{"settings": {"agent.recall": false}}'
error_is 401 UNAUTHORIZED
for key in "$asker" "$narrow"; do
    http PATCH /api/v1/settings '{"settings": {"agent.recall": false}}' -H "Authorization: Bearer $key"
    error_is 403 FORBIDDEN
done
http PATCH /api/v1/settings '{"settings": {"llm.url": "https://models.example/v1", "llm.key": "${X_API_KEY}"}}' -H "Authorization: Bearer $admin"
status_is 200
serve_ends TERM
summary
