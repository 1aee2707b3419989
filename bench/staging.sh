#!/bin/sh
# Rows streamed into the private DuckDB of a question across databases, which may use 256 MB: rows a second, and the
# most memory of the whole process. Made-up rows first, then those of a private PostgreSQL.
# Repeat: make && bench/staging.sh [ROWS]
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools staging_time
most=${1:-5000000}

for rows in 100000 1000000 "$most"; do
    "$BUILD/staging_time" made "$rows"
done

PORT=$((21000 + $$ % 10000))
server=tests/conformance/datasource/postgres-server
status=0
mkdir "$WORK/server"
chmod 755 "$WORK"
$server start "$WORK/server" $PORT $$ || status=$?
[ $status = 0 ] || { echo "there is no PostgreSQL server here"; exit 0; }
trap '$server stop "$WORK/server"; rm -rf "$WORK"' EXIT INT TERM
psql -qX -h "$WORK/server" -p $PORT -U test -d postgres -v ON_ERROR_STOP=1 <<SQL
CREATE ROLE reader LOGIN PASSWORD 'x';
CREATE TABLE few AS SELECT i AS id, 'customer number ' || i AS name, (i % 100000 * 1.25)::numeric(12,2) AS price,
    timestamp '2024-01-01' + i * interval '1 second' AS placed_at FROM generate_series(1, 1000000) i;
CREATE TABLE many AS SELECT i AS id, 'customer number ' || i AS name, (i % 100000 * 1.25)::numeric(12,2) AS price,
    timestamp '2024-01-01' + i * interval '1 second' AS placed_at FROM generate_series(1, $most) i;
GRANT SELECT ON few, many TO reader;
SQL
"$BUILD/staging_time" few 1000000 "postgres://reader:x@127.0.0.1:$PORT/postgres?sslmode=disable"
"$BUILD/staging_time" many "$most" "postgres://reader:x@127.0.0.1:$PORT/postgres?sslmode=disable"
