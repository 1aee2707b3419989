#!/bin/bash
# The OpenAI-compatible interface as the usual clients see it: openai, LangChain and the AI SDK.
# usage: run.sh PROGRAM FOLDER_OF_HELPERS
# shellcheck source-path=SCRIPTDIR source=../server/http.sh
. "$(dirname "$0")/../server/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
script openai <<S
$(says "Wait for it" 60000 <<<'{"intent": "TEXT_TO_SQL", "sql": "SELECT 1"}')
$(first_customer)
$(best_customers)
$(says "go wrong" "" <<<'{"intent": "TEXT_TO_SQL", "tables": [{"name": "customers"}], "sql": "SELECT nothing FROM customers"}')
$(count_customers)
S
printf 'datasources:\n  - {id: shop, url: %s}\n' "$PWD/shop.db" >dragoman.yaml
key=$("$dragoman" keys add ann 2>/dev/null)
serve "${model[@]}" --set llm.timeout_s=600 --set agent.timeout_s=600
export OPENAI_BASE_URL=$address/v1 OPENAI_API_KEY=$key LANGCHAIN_TRACING_V2=false
for client in openai langchain ai; do
    shown="node $client.mjs"
    out=$(timeout 120 node "$here/$client.mjs" 2>&1)
    status=$?
    echo "$out"
    status_is 0
done
http GET /metrics "" -H "Authorization: Bearer $key"
out_has "dragoman_questions_at_work 0"
serve_ends TERM
summary
