#!/bin/bash
# `dragoman mcp`, revision 2026-07-28: each request by itself.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
connect --db shop.db
modern 1 server/discover
is '.result.resultType == "complete" and .result.supportedVersions[0] == "2026-07-28"'
is '.result.ttlMs >= 0 and .result.cacheScope == "public" and .result.capabilities.tools != null'
is '.result._meta["io.modelcontextprotocol/serverInfo"].name == "dragoman"'
modern 2 tools/list
is '.result.resultType == "complete" and .result.ttlMs >= 0 and (.result.tools | length) > 3'
check "the list of tools should be small" test "$(jq -c .result.tools <<<"$out" | wc -c)" -lt 2500
modern 3 tools/call '"name":"ask","arguments":{"question":"how many customers are there?"},'
is '.result.resultType == "complete" and .result.structuredContent.rows == [[2400]]'

# What is of the other era only.
for method in initialize ping logging/setLevel resources/subscribe nothing; do
    modern 4 $method
    is '.error.code == -32601'
done
request 5 server/discover
is '.error.code == -32601'

# What a request must say of itself.
request 6 tools/list '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}'
is '.error.code == -32602'
request 7 tools/list '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01","io.modelcontextprotocol/clientCapabilities":{}}}'
is '.error.code == -32022 and .error.data.requested == "2031-01-01" and (.error.data.supported | index("2026-07-28") != null)'
request 8 tools/list '{"_meta":{"io.modelcontextprotocol/protocolVersion":7,"io.modelcontextprotocol/clientCapabilities":{}}}'
is '.error.code == -32602'

# A conversation of 2025 beside it.
greet $V11
is '.result.protocolVersion == "2025-11-25"'
request 9 tools/list
is '.result.resultType == null and .result.ttlMs == null'
modern 10 tools/list
is '.result.resultType == "complete"'
hang_up
status_is 0
summary
