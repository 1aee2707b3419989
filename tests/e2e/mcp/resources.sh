#!/bin/bash
# Resources, prompts and completion.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
cat >dragoman.yaml <<Y
datasources:
  - {id: shop, url: $PWD/shop.db}
  - {id: shopping, url: $PWD/shop.db}
Y
connect
greet $V11
is '.result.capabilities | .resources != null and .prompts != null and .completions != null'
request 1 resources/list
is '[.result.resources[].uri] | index("dragoman://schema/shop") != null and index("dragoman://lessons/shopping") != null'
request 2 resources/templates/list
is '[.result.resourceTemplates[].uriTemplate] | index("dragoman://schema/{datasource}") != null'
request 3 resources/read '{"uri":"dragoman://schema/shop"}'
is '.result.contents[0] | .uri == "dragoman://schema/shop" and .mimeType == "text/plain" and (.text | test("customers"))'
request 4 resources/read '{"uri":"dragoman://lessons/shop"}'
is '.result.contents[0].text | type == "string"'
for uri in dragoman://schema/nothing dragoman://schema/ dragoman://schema dragoman://other/shop file:///etc/passwd dragoman://saved/s-1 '' \
    dragoman://schema/../shop; do
    request 5 resources/read "{\"uri\":\"$uri\"}"
    is '.error.code == -32002 and .error.data.uri == "'"$uri"'"'
    modern 6 resources/read "\"uri\":\"$uri\","
    is '.error.code == -32602 and .error.data.uri == "'"$uri"'"'
done
request 7 resources/read
is '.error.code == -32602'
modern 8 resources/read '"uri":"dragoman://schema/shop",'
is '.result | .resultType == "complete" and .cacheScope == "private" and .ttlMs >= 0'
for list in resources/list resources/templates/list prompts/list; do
    modern 9 $list
    is '.result.ttlMs >= 0 and .result.cacheScope != null'
    request 10 $list '{"cursor":"1"}'
    is '.error.code == -32602'
done

request 11 prompts/list
is '.result.prompts | length > 2 and (map(.name) | index("answer") != null)'
request 12 prompts/get '{"name":"answer","arguments":{"question":"What of {datasource}?"}}'
is '.result.messages[0] | .role == "user" and (.content.text | test("What of \\{datasource\\}\\?"))'
request 13 prompts/get '{"name":"answer"}'
is '.error.code == -32602 and (.error.message | test("question"))'
request 14 prompts/get '{"name":"nothing"}'
is '.error.code == -32602'

request 15 completion/complete '{"ref":{"type":"ref/resource","uri":"dragoman://schema/{datasource}"},"argument":{"name":"datasource","value":"shopp"}}'
is '.result.completion.values == ["shopping"] and .result.completion.hasMore == false'
request 16 completion/complete '{"ref":{"type":"ref/prompt","name":"answer"},"argument":{"name":"question","value":"x"}}'
is '.result.completion.values == []'
request 17 completion/complete '{}'
is '.error.code == -32602'
hang_up
status_is 0
summary
