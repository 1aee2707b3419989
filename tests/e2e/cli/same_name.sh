#!/bin/bash
# Two databases of one file name and one schema, in two folders with one data folder: what
# is known of one is not shown for the other.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
mkdir "$work/a" "$work/b"
for folder in a b; do
    sqlite3 "$work/$folder/same.db" 'CREATE TABLE things(id INTEGER PRIMARY KEY, name TEXT)'
done
sqlite3 "$work/a/same.db" "INSERT INTO things(name) VALUES ('only in a'), ('too')"
sqlite3 "$work/b/same.db" "INSERT INTO things(name) VALUES ('only in b')"
run schema --db "$work/a/same.db"
status_is 0
check "a should show its own" has "$out" "only in a"
run schema --db "$work/b/same.db"
status_is 0
check "b should show its own" has "$out" "only in b"
check "b should not show what is a's" test "${out#*only in a}" = "$out"
summary
