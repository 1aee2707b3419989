#!/bin/bash
# Subscriptions and log messages over pipes: who subscribes to a schema hears when it changes, and nobody else does.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
cp shop.db other.db
rename() { # FROM TO FILE...
    python3 -c 'import sqlite3, sys
for file in sys.argv[3:]: sqlite3.connect(file).execute(f"ALTER TABLE customers RENAME COLUMN {sys.argv[1]} TO {sys.argv[2]}")' "$@"
}
cat >dragoman.yaml <<Y
schema: {watch_s: 1}
datasources:
  - {id: shop, url: $PWD/shop.db}
  - {id: other, url: $PWD/other.db}
Y
schema='{"uri":"dragoman://schema/shop"}'
updated='.method == "notifications/resources/updated" and .params.uri == "dragoman://schema/shop"'

# 2025: one resource after the other.
connect
greet $V11
is '.result.capabilities.resources | .subscribe and .listChanged'
request 1 resources/subscribe "$schema"
is '.result == {}'
request 2 resources/subscribe "$schema"
is '.result == {}'
for uri in dragoman://schema/none test://watched-resource ''; do
    request 3 resources/subscribe "{\"uri\":\"$uri\"}"
    is '.error.code == -32002'
done
request 4 resources/subscribe '{}'
is '.error.code == -32602'
rename segment kind shop.db
hear_notice notifications/resources/updated
is "$updated"' and .id == null'
request 5 resources/unsubscribe "$schema"
is '.result == {}'
request 6 resources/subscribe "${schema/shop/other}"
notes=''
rename kind segment shop.db
rename segment kind other.db
hear_notice notifications/resources/updated
is '.params.uri == "dragoman://schema/other"'
check "nothing should be said of what nobody subscribes to" lacks "$notes" notifications/resources
hang_up
status_is 0

# 2026: a call that lasts, and says first what it will tell.
connect
say "$(modern_text 1 subscriptions/listen '"notifications":{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["dragoman://schema/shop","dragoman://schema/none"]},')"
hear_notice notifications/subscriptions/acknowledged
is '.params.notifications == {"resourcesListChanged":true,"resourceSubscriptions":["dragoman://schema/shop"]}'
is '.params._meta["io.modelcontextprotocol/subscriptionId"] == 1'
modern 2 tools/list # others are answered meanwhile
rename segment kind shop.db
hear_notice notifications/resources/updated
is "$updated"' and .params._meta["io.modelcontextprotocol/subscriptionId"] == 1'
say '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
say "$(modern_text 3 subscriptions/listen '"notifications":{},')"
hear_notice notifications/subscriptions/acknowledged
is '.params.notifications == {} and .params._meta["io.modelcontextprotocol/subscriptionId"] == 3'
modern 4 subscriptions/listen
is '.error.code == -32602'
modern 5 resources/subscribe '"uri":"dragoman://schema/shop",'
is '.error.code == -32601'
hang_up # ends what listens with a result
status_is 0
is '.id == 3 and .result.resultType == "complete" and .result._meta["io.modelcontextprotocol/subscriptionId"] == 3' "$rest"

# Log messages: none until a level is set.
connect --db shop.db
greet $V11
question='{"question": "how many customers are there?"}'
tool 1 ask "$question"
check "no messages without a level" lacks "$notes" notifications/message
request 2 logging/setLevel '{"level":"debug"}'
is '.result == {}'
tool 3 ask "$question"
is 'length > 3 and all(.params.level == "debug" and .params.logger == "dragoman")' \
    "$(grep notifications/message <<<"$notes" | jq -s .)"
request 4 logging/setLevel '{"level":"error"}'
notes=''
tool 5 ask "$question"
check "no messages below the level" lacks "$notes" notifications/message
tool 6 execute_sql '{"sql": "DELETE FROM customers"}'
is '.[0].params.level == "error"' "$(grep notifications/message <<<"$notes" | jq -s .)"
for level in verbose '' DEBUG; do
    request 7 logging/setLevel "{\"level\":\"$level\"}"
    is '.error.code == -32602'
done
request 8 logging/setLevel '{"level":7}'
is '.error.code == -32602'
hang_up

# 2026: with each request.
connect --db shop.db
say '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"how many customers are there?"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"debug"}}}'
hear 1
check "messages for a request with a level" has "$notes" notifications/message
notes=''
modern 2 tools/call '"name":"ask","arguments":{"question":"how many customers are there?"},'
check "no messages for a request without one" lacks "$notes" notifications/message
hang_up
status_is 0
summary
