#!/bin/bash
# Texts that no cell has, and values that were written a moment ago, on database servers.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

servers=$here/../../conformance/datasource
rows="CREATE TABLE orders (id INTEGER PRIMARY KEY, firm VARCHAR(40) NOT NULL, paid VARCHAR(5) NOT NULL, status VARCHAR(20) NOT NULL);
INSERT INTO orders VALUES (1, 'Acme', 'yes', 'open'), (2, 'Brix', 'no', 'shipped'), (3, 'Acme', 'yes', 'shipped'), (4, 'Corvo', 'yes', 'open')"

# values URL: what must hold on every server; on_server runs a statement.
values() {
    local url=$1
    script paid < <(reply "SELECT COUNT(*) AS n FROM orders WHERE paid = 'Y'" orders)
    run "${model[@]}" ask --db "$url" --json --brain llm "how many orders are paid?"
    status_is 0
    out_has '"rows":[[3]]'
    out_has "paid is never 'Y': it is "
    out_has "The query was corrected to 'yes'."
    script lost < <(reply "SELECT id FROM orders WHERE status = 'returned'" orders)
    run "${model[@]}" ask --db "$url" --json --brain llm --set agent.ask=never "which orders are returned?"
    status_is 0
    out_has "status is never 'returned': it is "
    run sql --db "$url" --json "SELECT id FROM orders WHERE paid = 'N'"
    status_is 0
    out_has "did you mean 'no'?"

    # The parser knows the cells; then another one is written.
    run ask --db "$url" --json --brain parser --set parser.accept=0 "how many orders have the status open?"
    status_is 0
    out_has '"rows":[[2]]'
    on_server "INSERT INTO orders VALUES (5, 'Dorn', 'no', 'returned')"
    run "${model[@]}" ask --db "$url" --json --brain llm --set agent.ask=never "which orders are returned again?"
    status_is 0
    out_has '"rows":[[5]]'
    out_lacks "status is never"
    run ask --db "$url" --json --brain parser --set parser.accept=0 --set agent.ask=never "how many returned orders are there?"
    status_is 0
    out_has "'returned'"
    out_has '"rows":[[1]]'
}

postgres() {
    local folder=$work/postgres port said=0
    mkdir "$folder"
    chmod 755 "$work" "$folder"
    port=$("$here/../../free-port")
    "$servers/postgres-server" start "$folder" "$port" $$ || said=$?
    [ $said = 77 ] && return
    check "PostgreSQL should start" test $said -eq 0
    trap '"$servers/postgres-server" stop "$work/postgres"; finish' EXIT
    on_server() { psql -qX -h "$folder" -p "$port" -U test -d postgres -c "$1"; }
    on_server "CREATE ROLE reader LOGIN PASSWORD 'x'"
    on_server "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader"
    psql -qX -h "$folder" -p "$port" -U test -d postgres <<<"$rows"
    values "postgres://reader:x@127.0.0.1:$port/postgres"
    "$servers/postgres-server" stop "$folder"
    trap finish EXIT
}

mariadb() {
    local folder=$work/mariadb port said=0
    mkdir "$folder"
    chmod 755 "$folder"
    port=$("$here/../../free-port")
    "$servers/mysql-server" start "$folder" "$port" $$ || said=$?
    [ $said = 77 ] && return
    check "MariaDB should start" test $said -eq 0
    trap '"$servers/mysql-server" stop "$work/mariadb"; finish' EXIT
    on_server() { command mariadb --no-defaults -S "$folder/sock" -u root -e "USE shop; $1"; }
    command mariadb --no-defaults -S "$folder/sock" -u root -e "CREATE DATABASE shop; USE shop; $rows;
        CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'x'; GRANT SELECT ON shop.* TO reader@'127.0.0.1'"
    values "mysql://reader:x@127.0.0.1:$port/shop"
    "$servers/mysql-server" stop "$folder"
    trap finish EXIT
}

postgres
mariadb
summary
