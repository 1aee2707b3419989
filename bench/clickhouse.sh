#!/bin/sh
# ClickHouse: a private server with 1,000 tables of 20 columns. How long the signature and the description
# take, and a million rows read, beside the server's own client where it is here.
# Repeat: make && bench/clickhouse.sh
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools postgres_time

PORT=$((21000 + $$ % 10000))
server=tests/conformance/datasource/clickhouse-server
status=0
mkdir "$WORK/server"
chmod 755 "$WORK"
$server start "$WORK/server" $PORT $$ || status=$?
[ $status = 0 ] || { echo "there is no ClickHouse server here"; exit 0; }
trap '$server stop "$WORK/server"; rm -rf "$WORK"' EXIT INT TERM

ask() { node -e '
const http = require("http");
const agent = new http.Agent({keepAlive: true});
const ask = sql => new Promise((good, bad) => {
    const request = http.request({port: process.argv[1], host: "127.0.0.1", method: "POST", agent,
        path: "/?database=" + process.argv[2]}, answer => {
        let text = "";
        answer.on("data", piece => text += piece).on("end", () => answer.statusCode == 200 ? good(text) : bad(text));
    });
    request.on("error", bad).end(sql);
});
(async () => {
    for (const sql of require("fs").readFileSync(0, "utf8").split(";\n")) if (sql.trim()) process.stdout.write(await ask(sql));
    agent.destroy();
})().catch(problem => { console.error(problem); process.exit(1); });' "$PORT" "$1"; }

echo "CREATE DATABASE large" | ask default
awk 'BEGIN {
    split("Int32 String Decimal(10,2) DateTime Nullable(String)", types, " ")
    for (t = 0; t < 1000; t++) {
        printf "CREATE TABLE t_%04d (id Int32, parent Int32", t
        for (c = 2; c < 20; c++) printf ", col_%02d %s", c, types[c % 5 + 1]
        printf ") ENGINE = MergeTree ORDER BY id;\n"
    }
    print "CREATE TABLE many ENGINE = MergeTree ORDER BY id AS SELECT number AS id, concat('\''name '\'', toString(number)) AS name, toDecimal64(number, 2) AS price, now() AS at FROM system.numbers LIMIT 1000000;"
}' | ask large

url="clickhouse://reader:p%40ss%2Fw%3Ard@127.0.0.1:$PORT/large"
"$BUILD/postgres_time" "$url" schema
"$BUILD/postgres_time" "$url" rows
if command -v clickhouse-client >/dev/null; then
    began=$(date +%s%N)
    clickhouse-client --port $((PORT + 1)) -d large -q 'SELECT * FROM many FORMAT JSONEachRow' >/dev/null
    echo "the same rows to JSON by clickhouse-client: $((($(date +%s%N) - began) / 1000000)) ms"
fi
