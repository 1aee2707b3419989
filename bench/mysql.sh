#!/bin/sh
# MariaDB: a private server with 1,000 tables of 20 columns, with keys and comments. How long the
# signature and the description take; a million rows read, against the mariadb client.
# Repeat: make && bench/mysql.sh
set -eu
cd "$(dirname "$0")/.."
. bench/common.sh
build_tools postgres_time # asks any server

PORT=$((21500 + $$ % 10000))
server=tests/conformance/datasource/mysql-server
status=0
mkdir "$WORK/server"
chmod 755 "$WORK"
$server start "$WORK/server" $PORT $$ || status=$?
[ $status = 0 ] || { echo "there is no MariaDB server here"; exit 0; }
trap '$server stop "$WORK/server"; rm -rf "$WORK"' EXIT INT TERM

ask() { mariadb --no-defaults -S "$WORK/server/sock" -u root "$@"; }
echo "CREATE DATABASE large; CREATE DATABASE small; CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'x';
      GRANT SELECT, SHOW VIEW ON *.* TO reader@'127.0.0.1'" | ask
awk 'BEGIN {
    split("integer text decimal(10,2) datetime varchar(40)", types, " ")
    for (t = 0; t < 1000; t++) {
        printf "CREATE TABLE t_%04d (id integer PRIMARY KEY, parent integer", t
        for (c = 2; c < 20; c++)
            printf ", col_%02d %s%s", c, types[c % 5 + 1], c < 7 ? " COMMENT '\''column'\''" : ""
        if (t) printf ", FOREIGN KEY (parent) REFERENCES t_%04d (id)", t - 1
        printf ") COMMENT '\''table %d'\'';\n", t
    }
    print "CREATE TABLE many AS SELECT seq AS id, CONCAT('\''name '\'', seq) AS name, seq * 1.25 AS price, NOW() AS at FROM seq_1_to_1000000;"
}' | ask large
awk 'BEGIN {
    for (t = 0; t < 100; t++)
        printf "CREATE TABLE t%d AS SELECT seq AS id, CONCAT('\''n'\'', seq %% 7) AS name, CONCAT('\''c'\'', seq %% 3) AS city, seq * 1.5 AS price FROM seq_1_to_50;\n", t
}' | ask small

url="mysql://reader:x@127.0.0.1:$PORT/large?ssl_mode=disabled&databases="
"$BUILD/postgres_time" "$url" schema
"$BUILD/postgres_time" "$url" rows
for option in --skip-quick --quick; do
    begin=$(date +%s%N)
    /bin/sh -c "mariadb --no-defaults -h 127.0.0.1 -P $PORT -u reader -px $option -N -e 'SELECT * FROM many' large" >/dev/null
    echo "the mariadb client with $option: 1000000 rows as text in $((($(date +%s%N) - begin) / 1000000)) ms"
done
"$BUILD/postgres_time" "mysql://reader:x@127.0.0.1:$((PORT + 1))/small?ssl_mode=disabled&databases=" enrich $PORT
