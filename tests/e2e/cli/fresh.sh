#!/bin/bash
# Schemas that are fresh on every question: changes shown as they happen, and a database that is
# away known by what was seen before.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

postgres=$here/../../conformance/datasource/postgres-server
export DRAGOMAN_AGENT_BRAIN=parser

# watch NAME URL ARGUMENT...: begins to watch; its lines go to $work/NAME.
watch() {
    local name=$1
    shift
    "$dragoman" schema --watch --interval 0.1 --db "$@" >"$work/$name" 2>"$work/$name.err" &
    watcher=$!
    background+=($watcher)
    wait_for_file "$work/$name.err"
}

# seen NAME TEXT: a line of the watch says so, within some seconds.
seen() {
    local tries=0
    while ! grep -qF -- "$2" "$work/$1" && [ $tries -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    shown="watch $1"
    status=0
    out=$(cat "$work/$1")
    err=$(cat "$work/$1.err")
    check "the watch should show '$2'" has "$out" "$2"
}

unwatch() {
    kill "$watcher"
    wait "$watcher" 2>/dev/null
}

# changes NAME CHANGE: every kind of DDL on one database; CHANGE runs a statement.
changes() {
    local name=$1 change=$2
    $change "CREATE TABLE note (id INTEGER, body VARCHAR)"
    seen "$name" "+ table note ("
    $change "ALTER TABLE note ADD COLUMN stars INTEGER"
    seen "$name" "+ column note.stars INTEGER"
    $change "CREATE INDEX by_body ON note (body)"
    seen "$name" "+ index by_body on note (body)"
    $change "DROP INDEX by_body"
    seen "$name" "- index by_body on note (body)"
    $change "ALTER TABLE note DROP COLUMN stars"
    seen "$name" "- column note.stars INTEGER"
    $change "CREATE VIEW brief AS SELECT id FROM note"
    seen "$name" "+ view brief (id INTEGER)"
    $change "DROP VIEW brief"
    seen "$name" "- view brief"
    $change "DROP TABLE note"
    seen "$name" "- table note"
    $change "CREATE TABLE child (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item (id))"
    seen "$name" "+ table child"
}

# SQLite.
on_sqlite() { sqlite3 shop.db "$1"; }
on_sqlite "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR)"
watch sqlite shop.db
changes sqlite on_sqlite
unwatch
check "nothing should be shown that did not change" lacks "$out" "item.name"

# DuckDB: the file is free for others some seconds after a look, so changes come together.
if [ -x "$helpers/e2e_cli_duckdb" ]; then
    on_duckdb() { "$helpers/e2e_cli_duckdb" shop.duckdb "$1"; }
    on_duckdb "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR)"
    watch duckdb shop.duckdb
    on_duckdb "CREATE TABLE note (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item (id));
               ALTER TABLE item ADD COLUMN price DECIMAL(9,2); CREATE VIEW brief AS SELECT id FROM note"
    seen duckdb "+ table note (id INTEGER, item INTEGER)"
    seen duckdb "+ column item.price DECIMAL(9,2)"
    seen duckdb "+ view brief (id INTEGER)"
    on_duckdb "DROP VIEW brief; DROP TABLE note; ALTER TABLE item DROP COLUMN price;
               CREATE INDEX by_name ON item (name)"
    seen duckdb "- table note"
    seen duckdb "- column item.price DECIMAL(9,2)"
    seen duckdb "- view brief"
    seen duckdb "+ index by_name on item (name)"
    unwatch
fi

# As JSON, a line per change; SIGINT, nonsense and a missing file end it.
watch lines shop.db --json
on_sqlite "ALTER TABLE item ADD COLUMN price REAL NOT NULL DEFAULT 1.5"
seen lines '"change":"added","what":"column","table":"item","name":"price"'
seen lines '"datasource":"shop"'
unwatch
run schema --db shop.db --watch --interval soon
status_is 2
err_is_friendly
run schema --db nowhere.db --watch
status_is 10

# The trace says which cache had the schema.
run schema --db shop.db --json
status_is 0
run ask --db shop.db --json "how many items are there?"
check "the second process should find the schema in the store" has "$out" '"cache":"L2"'

# PostgreSQL: a server that goes away.
server=$work/server
mkdir "$server"
chmod 755 "$work" "$server"
port=$("$here/../../free-port")
"$postgres" start "$server" $port $$
started=$?
[ $started = 77 ] && { summary; exit; }
check "the server should start" test $started -eq 0
trap '"$postgres" stop "$server"; finish' EXIT
on_postgres() { psql -qX -h "$server" -p $port -U test -d postgres -c "$1"; }
on_postgres "CREATE ROLE reader LOGIN PASSWORD 'x'"
on_postgres "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader"
on_postgres "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR)"
on_postgres "INSERT INTO item VALUES (1, 'pen'), (2, 'book')"
url=postgres://reader:x@127.0.0.1:$port/postgres
watch postgres "$url"
changes postgres on_postgres
on_postgres "DROP TABLE child"
seen postgres "- table child"
on_postgres "CREATE TABLE remark (id INTEGER, body VARCHAR)"
seen postgres "+ table remark (id INTEGER"
on_postgres "ALTER TABLE remark ADD PRIMARY KEY (id)"
seen postgres "+ primary key remark (id)"
seen postgres "~ column remark.id: INTEGER → INTEGER not null"
on_postgres "ALTER TABLE remark ADD COLUMN item INTEGER REFERENCES item (id)"
seen postgres "+ foreign key remark (item) -> item (id)"
on_postgres "ALTER TABLE remark ALTER COLUMN body TYPE text"
seen postgres "~ column remark.body: VARCHAR → TEXT"
on_postgres "COMMENT ON TABLE remark IS 'what people say'"
seen postgres "+ comment remark what people say"
on_postgres "CREATE UNIQUE INDEX by_text ON remark (body)"
seen postgres "+ index by_text on remark unique (body)"
"$postgres" down "$server"
tries=0
while ! grep -q "Still watching" "$work/postgres.err" && [ $tries -lt 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
"$postgres" up "$server" $port
on_postgres "DROP TABLE remark"
seen postgres "- table remark"
check "its going should be said" has "$err" "Still watching."
check "its coming back should be said" has "$err" "It answers again."
unwatch

# Down at the start: the schema is known, the data are not.
run schema --db "$url" --json
status_is 0
out_lacks '"stale"'
"$postgres" down "$server"
run schema --db "$url" --json
status_is 0
out_has '"stale": true'
out_has '"name": "item"'
run schema --db "$url"
status_is 0
out_has "This is the last known schema."
run ask --db "$url" --json "what tables are there?"
status_is 0
out_has '"stale":true'
out_has "this is its last known schema"
out_has '"cache":"stale"'
run ask --db "$url" --json "how many items are there?"
status_is 14
out_has '"code":"DATASOURCE_UNREACHABLE"'
out_has '"sql":"SELECT'
out_has '"stale":true'
# Another database, or another user, is not shown what this one is known to hold.
run schema --db "postgres://reader:x@127.0.0.1:$port/other" --json
check "another database should not be known" test "$status" -ne 0
run schema --db "postgres://writer:x@127.0.0.1:$port/postgres" --json
check "another user should not be told" test "$status" -ne 0
# Of several databases the one that answers does.
run ask --db shop.db --db "$url" --json "what tables are there?"
status_is 0
out_has '"stale":true'
out_has child

"$postgres" up "$server" $port
run ask --db "$url" --json "how many items are there?"
status_is 0
out_has '"rows":[[2]]'
out_lacks '"stale"'
# The doctor looks at each: login, rights, lock, versions.
run doctor --db "$url" --db shop.db
status_is 0
out_has "PostgreSQL "
out_has "as reader"
out_has "a write was tried and refused"
out_has "2 of 2 lookups found the schema"
out_lacks "superuser"
on_postgres "CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'x'"
out_has "as reader, which can only read"
# A superuser is refused, and the doctor says how to make another login.
boss=postgres://boss:x@127.0.0.1:$port/postgres
run ask --db "$boss" "how many items are there?"
status_is 57
err_has "The login boss is a superuser"
err_has "allow_superuser"
run doctor --db "$boss"
status_is 1
out_has "The login boss is a superuser"
out_has "GRANT USAGE ON SCHEMA public TO dragoman_reader"
out_has "ALTER ROLE dragoman_reader IN DATABASE postgres SET default_transaction_read_only = on;"
first=$(grep -o "PASSWORD '[^']*'" <<<"$out")
run doctor --json --db "$boss"
out_has '"lines":["CREATE ROLE dragoman_reader'
check "a password should be long and made up each time: $first" test ${#first} -ge 35
check "a password should not be the same twice" eval '! has "$out" "$first"'
# Unless it is allowed, in the URL or in the settings.
run doctor --db "$boss?allow_superuser=1"
status_is 0
out_has "as boss, which has administrator rights"
out_has "the login boss is a superuser"
out_has "hint: dragoman only reads"
out_has "Nothing failed; warnings: "
out_lacks "All is well"
err_has "is a superuser"
printf 'datasources:\n  shop: {url: "%s", allow_superuser: true}\n' "$boss" >boss.yaml
run ask --config boss.yaml --json "how many items are there?"
status_is 0
out_has '"rows":[[2]]'
run doctor --db "postgres://boss:y@127.0.0.1:$port/postgres" --db shop.db
status_is 1
out_has "✓ datasource shop"
# A wrong password is not the same as a server that is away.
run schema --db "postgres://reader:y@127.0.0.1:$port/postgres" --json
check "a wrong password should be an error" test "$status" -ne 0
out_lacks '"item"'

summary
