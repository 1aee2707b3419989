#!/bin/bash
# Texts from the database that act on a reader's screen, or hide: forms, options and schemas show them without that. Rows stay as they are.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

python3 - <<'P'
import sqlite3
shop = sqlite3.connect("shop.db")
shop.execute('CREATE TABLE orders (id INTEGER PRIMARY KEY, "net\u202e total" REAL, "gross\x1b[31m total" REAL, city TEXT, buyer TEXT)')
for i in range(40):
    shop.execute("INSERT INTO orders VALUES (?, ?, ?, ?, ?)", (i, i * 1.5, i * 2.5, "Pa\u202eris\x1b]0;x\x07" if i % 2 else "Rome", "Pa\u202eris\x1b]0;x\x07" if i % 3 else "Bob"))
shop.commit()
P
forms='{"elicitation":{}}'
question='"name":"ask","arguments":{"question":"orders for Pa ris"}'
# plain: no control character but a line end, no change of direction
plain() { is '[.. | strings | explode[] | select((. < 32 and . != 10) or (. >= 127 and . < 160) or (. >= 8232 and . <= 8238) or (. >= 8294 and . <= 8297))] | length == 0' "$1"; }

connect --db shop.db
greet $V11 "$forms"
say "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{$question}}"
hear_request
is '.params.requestedSchema.properties.answer.oneOf | map(.title) | any(test("Pa.ris"))'
is '.params.message | test("Pa.ris")'
plain "$out"
say "$(jq -c '{jsonrpc: "2.0", id: .id, result: {action: "decline"}}' <<<"$out")"
hear 1
is '.result.structuredContent | .status == "choose" and (.options | any(test("Pa.ris"))) and (.context.tables | any(test("net")))'
plain "$(jq -c .result.structuredContent <<<"$out")"
request 2 resources/read '{"uri":"dragoman://schema/shop"}'
is '.result.contents[0].text | test("net") and test("gross") and test("Pa.ris") and test("\n")'
plain "$out"
tool 3 execute_sql '{"sql": "SELECT DISTINCT city FROM orders ORDER BY city DESC"}'
is '.rows[0][0] == "Rome" and .rows[1][0] == "Pa\u202eris\u001b]0;x\u0007"' "$data"
hang_up

# The first revision with forms, and the newest.
connect --db shop.db
greet $V6 "$forms"
say "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{$question}}"
hear_request
is '.params.requestedSchema.properties.answer.enumNames | any(test("Pa.ris"))'
plain "$out"
hang_up
connect --db shop.db
modern 1 tools/call "$question," "$forms"
is '.result.inputRequests.answer.params.requestedSchema.properties.answer.oneOf | any(.title | test("Pa.ris"))'
plain "$out"
hang_up
status_is 0
summary
