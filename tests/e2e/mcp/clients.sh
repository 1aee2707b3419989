#!/bin/bash
# The official clients of MCP speak with dragoman: the package of today's programs and the newer one, with the revisions of
# 2025 and with 2026-07-28, over pipes and over HTTP.
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

export DRAGOMAN_AGENT_BRAIN=parser
"$dragoman" sample shop.db >/dev/null 2>&1
serve --db shop.db --data other --set llm.provider=mcp --set agent.brain=llm
host_address=$address host_server=$server
serve --db shop.db
shown="node clients.mjs"
out=$(timeout 500 node "$here/npm/clients.mjs" "$dragoman" "$PWD/shop.db" "$address" "$host_address" 2>&1)
status=$?
echo "$out"
status_is 0
out_has "36 checks, 0 failed"
waits_for "nothing should be left at work" figure_is questions_at_work 0
memory() { awk '/^VmRSS/ {print $2}' "/proc/$server/status"; } # in KB
before=$(memory)
shown="node crowd.mjs"
out=$(timeout 300 node "$here/npm/crowd.mjs" "$address" 2>&1)
status=$?
echo "$out"
status_is 0
limit=65536 err=''
grep -qa '__[at]san_init' "$dragoman" && limit=$((limit * 16)) # which keeps what was freed
grown=$(($(memory) - before))
echo "10,050 conversations: $grown KB"
check "idle conversations should take less than $limit KB" test $grown -lt $limit
serve_ends TERM
server=$host_server
serve_ends TERM
summary
