#!/usr/bin/env bash
# One question over three real kinds of sources: PostgreSQL, MariaDB, and MongoDB's wire peer.
# usage: run.sh PROGRAM FOLDER_OF_HELPERS; exit status 77: a server is missing here.
lib=$(realpath "$(dirname "$0")/../cli/lib.sh")
servers=$(realpath "$(dirname "$0")/../../conformance/datasource")
# shellcheck source=/dev/null
. "$lib"
chmod 755 "$work"

port=$("$servers/../../free-port")
mkdir "$work/postgres" "$work/mysql" "$work/mongodb"
stop_all() {
    "$servers/postgres-server" stop "$work/postgres" 2>/dev/null
    "$servers/mysql-server" stop "$work/mysql" 2>/dev/null
    finish
}
trap stop_all EXIT
begin() { # NAME ARGUMENT...: a server, or a skipped test
    local name=$1
    shift
    "$@"
    local said=$?
    [ $said -ne 77 ] || { echo "there is no $name here"; exit 77; }
    [ $said -eq 0 ] || { echo "$name did not start"; exit 1; }
}
begin PostgreSQL "$servers/postgres-server" start "$work/postgres" "$port" $$
begin MariaDB "$servers/mysql-server" start "$work/mysql" $((port + 1)) $$
begin "the MongoDB peer" "$servers/mongodb-peer/server" start "$work/mongodb" $((port + 2)) $((port + 3)) $$

psql -qX -h "$work/postgres" -p "$port" -U test -d postgres -v ON_ERROR_STOP=1 <<'SQL'
CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, city text, since date, score numeric(8,2));
INSERT INTO customers VALUES (1, 'Ada', 'Rome', '2023-05-01', 10.5), (2, 'Bob', 'Milan', '2024-02-03', 7.25),
    (3, 'Cleo', 'Rome', '2024-06-30', 3), (4, 'Dan', 'Turin', '2022-01-01', NULL);
CREATE ROLE reader LOGIN PASSWORD 'x';
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
SQL
mariadb --no-defaults -S "$work/mysql/sock" -u root <<'SQL'
CREATE DATABASE shop;
USE shop;
CREATE TABLE orders (id bigint unsigned PRIMARY KEY, customer_id int NOT NULL, total decimal(10,2), status varchar(20), note text);
INSERT INTO orders VALUES (18446744073709551615, 1, 20.50, 'paid', 'a'), (11, 2, 5, 'open', 'b'), (12, 2, 99, 'paid', 'c'),
    (13, 3, 1, 'Paid', 'd');
CREATE USER reader@'%' IDENTIFIED BY 'x';
GRANT SELECT ON shop.* TO reader@'%';
SET GLOBAL general_log_file = 'asked.log';
SET GLOBAL general_log = ON;
SQL
node -e '
const line = require("net").connect(Number(process.argv[1]), "127.0.0.1");
line.on("data", (data) => { if (String(data).startsWith("!")) { console.error(String(data)); process.exitCode = 1; } });
line.end("script support\n" + process.argv[2]);' $((port + 3)) \
    '{"insert": "tickets", "documents": [{"_id": 100, "customer_id": 2, "subject": "broken", "tags": ["late", "vip"]}]}' ||
    { echo "the peer took no data"; exit 1; }

cat >"$work/run/dragoman.yaml" <<YAML
datasources:
  crm: {url: "postgres://reader:x@127.0.0.1:$port/postgres?sslmode=disable"}
  shop: {url: "mysql://reader:x@127.0.0.1:$((port + 1))/shop"}
  support: {url: "mongodb://reader:p%40ss%2Fw%3Ard@127.0.0.1:$((port + 2))/support?authSource=admin"}
YAML
sentence='Which CRM customers (PostgreSQL) ordered in the shop (MySQL) but never opened a ticket (MongoDB)?'

# A model writes the SQL.
reply "SELECT c.name FROM crm.customers c WHERE EXISTS (SELECT 1 FROM shop.orders o WHERE o.customer_id = c.id AND o.status = 'paid') AND NOT EXISTS (SELECT 1 FROM support.tickets t WHERE t.customer_id = c.id) ORDER BY c.name" \
    crm.customers shop.orders support.tickets >"$work/replies"
script three <"$work/replies"
run ask --json "${model[@]}" "$sentence"
status_is 0
out_has '"datasource":"crm,shop,support"'
out_has '"rows":[["Ada"]]'
out_has '"tables_used":["crm.customers","shop.orders","support.tickets"]'
out_has '"engine":{"name":"duckdb","reason":"The question needs crm, shop and support'
# MariaDB was asked for two columns and the paid ones; its own case-blind 'Paid' was sorted out here
asked=$(cat "$work/mysql/data/asked.log")
check "MariaDB should be asked for what is needed" has "$asked" "SELECT customer_id, status FROM orders WHERE status = 'paid'"
check "MariaDB should not be asked for more" lacks "$asked" "note, "

# A person's own SQL; values arrive as they are.
run sql --json --db crm,shop "SELECT c.name, o.id, o.total, c.score FROM crm.customers c JOIN shop.orders o ON o.customer_id = c.id WHERE o.total > 20 AND c.city = 'Rome'"
status_is 0
out_has '"rows":[["Ada","18446744073709551615","20.50","10.50"]]'

# The built-in parser, without any model.
run ask --json --brain parser --set parser.accept=0 --set parser.ask=0 "How many orders do CRM customers in Rome have in the shop?"
status_is 0
out_has '"brain":"parser"'
out_has '"name":"duckdb"'
out_has '"rows":[[2]]'

run ask --json --fresh --brain parser "$sentence"
status_is 0
out_has '"tables_used":["crm.customers","shop.orders","support.tickets"]'
out_has '"row_count":2'
out_has '["Ada"]'
out_has '["Cleo"]'

# One that is down is named, and nothing is answered without it.
"$servers/mysql-server" down "$work/mysql"
run ask --json "${model[@]}" --fresh "$sentence"
check "the question should fail" test "$status" -ne 0
out_has "'shop' could not be read"
out_lacks '"rows":[['
summary
