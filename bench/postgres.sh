#!/bin/sh
# PostgreSQL: a private server with 1,000 tables of 20 columns, with keys and comments. How long the
# signature, the description and the caches take; a million rows read; samples over a slow line.
# Repeat: make && bench/postgres.sh
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools postgres_time

PORT=$((21000 + $$ % 10000))
server=tests/conformance/datasource/postgres-server
status=0
mkdir "$WORK/server"
chmod 755 "$WORK"
$server start "$WORK/server" $PORT $$ || status=$?
[ $status = 0 ] || { echo "there is no PostgreSQL server here"; exit 0; }
trap '$server stop "$WORK/server"; rm -rf "$WORK"' EXIT INT TERM

ask() { psql -qX -h "$WORK/server" -p $PORT -U test -d "$1" -v ON_ERROR_STOP=1; }
echo "CREATE DATABASE large; CREATE DATABASE small; CREATE ROLE reader LOGIN PASSWORD 'x';
      GRANT pg_read_all_data TO reader" | ask postgres
awk 'BEGIN {
    split("integer text numeric(10,2) timestamptz varchar(40)", types, " ")
    for (t = 0; t < 1000; t++) {
        printf "CREATE TABLE t_%04d (id integer PRIMARY KEY, parent integer", t
        for (c = 2; c < 20; c++) printf ", col_%02d %s", c, types[c % 5 + 1]
        printf ");\nCOMMENT ON TABLE t_%04d IS '\''table %d'\'';\n", t, t
        for (c = 2; c < 7; c++) printf "COMMENT ON COLUMN t_%04d.col_%02d IS '\''column %d'\'';\n", t, c, c
        if (t) printf "ALTER TABLE t_%04d ADD FOREIGN KEY (parent) REFERENCES t_%04d (id);\n", t, t - 1
    }
    print "CREATE TABLE many AS SELECT i AS id, '\''name '\'' || i AS name, i * 1.25 AS price, now() AS at FROM generate_series(1, 1000000) i;"
}' | ask large
awk 'BEGIN {
    for (t = 0; t < 100; t++)
        printf "CREATE TABLE t%d AS SELECT i AS id, '\''n'\'' || i %% 7 AS name, '\''c'\'' || i %% 3 AS city, i * 1.5 AS price FROM generate_series(1, 50) i;\n", t
}' | ask small
echo "VACUUM ANALYZE" | ask large

"$BUILD/postgres_time" "postgres://reader:x@127.0.0.1:$PORT/large?sslmode=disable" schema
"$BUILD/postgres_time" "postgres://reader:x@127.0.0.1:$PORT/large?sslmode=disable" cache
"$BUILD/postgres_time" "postgres://reader:x@127.0.0.1:$PORT/large?sslmode=disable" rows
# The same million rows as JSON, by the whole program and by psql.
seconds() {
    begin=$(date +%s.%N)
    "$@" >"$WORK/out" 2>"$WORK/err"
    echo "$begin $(date +%s.%N) $(wc -l <"$WORK/out")" | awk '{ printf "%.2f s, %d lines", $2 - $1, $3 }'
}
url="postgres://reader:x@127.0.0.1:$PORT/large?sslmode=disable"
mine=$(seconds "$BUILD/dragoman" --data "$WORK/data" --set sql.max_rows=2000000 --set sql.default_rows=1000000 \
    --set sql.max_bytes=4000000000 --set sql.timeout_s=600 --set agent.timeout_s=600 sql --db "$url" --format json "SELECT * FROM many")
json=$(PGPASSWORD=x seconds psql -qXAt "$url" -c "SELECT row_to_json(m) FROM many m")
csv=$(PGPASSWORD=x seconds psql -qX --csv "$url" -c "SELECT * FROM many")
echo "a million rows: dragoman sql --format json $mine; psql with row_to_json $json; psql --csv $csv"

"$BUILD/postgres_time" "postgres://reader:x@127.0.0.1:$((PORT + 1))/small?sslmode=disable" enrich $PORT
