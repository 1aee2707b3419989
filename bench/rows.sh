#!/bin/bash
# A million rows (an integer, a text, a decimal, a time) read to JSON and to text: the whole program against the
# clients of PostgreSQL, MariaDB and DuckDB, on private servers. Seconds by the clock, and of the processor in the
# client alone; the best of RUNS.
# Repeat: make && bench/rows.sh
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools duckdb_rows
RUNS=${RUNS:-3}
chmod 755 "$WORK"
servers=tests/conformance/datasource
PORT=$((23000 + $$ % 8000))
mkdir "$WORK/pg" "$WORK/my"
trap '$servers/postgres-server stop "$WORK/pg"; $servers/mysql-server stop "$WORK/my"; rm -rf "$WORK"' EXIT INT TERM

# row NAME COMMAND...: one line of the table
row() {
    local name=$1 best= i
    shift
    for ((i = 0; i < RUNS; i++)); do
        local figures
        figures=$( (TIMEFORMAT='%R %U %S'; time "$@" >"$WORK/out" 2>"$WORK/err") 2>&1 | tail -n 1)
        best=$(printf '%s\n%s\n' "$best" "$figures" | grep . | sort -n | head -n 1)
    done
    echo "$best $(wc -c <"$WORK/out")" |
        awk -v name="$name" '{ printf "%-44s %8.2f %8.2f %8.1f\n", name, $1, $2 + $3, $4 / 1e6 }'
}

mine() {
    "$BUILD/dragoman" --data "$WORK/data" --set sql.max_rows=2000000 --set sql.default_rows=1000000 \
        --set sql.max_bytes=4000000000 --set sql.timeout_s=600 --set agent.timeout_s=600 \
        sql --db "$1" --format "$2" "SELECT * FROM many"
}

printf '%-44s %8s %8s %8s\n' "a million rows" "clock s" "CPU s" "MB out"
if $servers/postgres-server start "$WORK/pg" $PORT $$; then
    url="postgres://reader:x@127.0.0.1:$PORT/postgres?sslmode=disable"
    export PGPASSWORD=x
    psql -qX -h "$WORK/pg" -p $PORT -U test -d postgres -c "CREATE ROLE reader LOGIN PASSWORD 'x'" -c "
        CREATE TABLE many AS SELECT i AS id, 'name ' || i AS name, i * 1.25 AS price, now() AS at
        FROM generate_series(1, 1000000) i" -c "GRANT SELECT ON many TO reader" -c "VACUUM ANALYZE many"
    row "PostgreSQL, dragoman sql --format json" mine "$url" json
    row "PostgreSQL, psql with row_to_json" psql -qXAt "$url" -c "SELECT row_to_json(m) FROM many m"
    row "PostgreSQL, dragoman sql --format csv" mine "$url" csv
    row "PostgreSQL, psql --csv" psql -qX --csv "$url" -c "SELECT * FROM many"
fi
if $servers/mysql-server start "$WORK/my" $((PORT + 1)) $$; then
    url="mysql://reader:x@127.0.0.1:$((PORT + 1))/large?ssl_mode=disabled"
    echo "CREATE DATABASE large; CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'x';
        GRANT SELECT ON large.* TO reader@'127.0.0.1'; USE large; CREATE TABLE many AS
        SELECT seq AS id, CONCAT('name ', seq) AS name, seq * 1.25 AS price, NOW() AS at FROM seq_1_to_1000000" |
        mariadb --no-defaults -S "$WORK/my/sock" -u root
    client=(mariadb --no-defaults -h 127.0.0.1 -P $((PORT + 1)) -u reader -px --quick -N -r large -e)
    row "MariaDB, dragoman sql --format json" mine "$url" json
    row "MariaDB, mariadb with JSON_OBJECT" "${client[@]}" \
        "SELECT JSON_OBJECT('id', id, 'name', name, 'price', price, 'at', at) FROM many"
    row "MariaDB, dragoman sql --format csv" mine "$url" csv
    row "MariaDB, mariadb (tabs)" "${client[@]}" "SELECT * FROM many"
fi
if "$BUILD/duckdb_rows" "$WORK/many.duckdb" make; then
    row "DuckDB, dragoman sql --format json" mine "$WORK/many.duckdb" json
    row "DuckDB, its own COPY (FORMAT json)" "$BUILD/duckdb_rows" "$WORK/many.duckdb" json
fi
