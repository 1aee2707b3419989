#!/bin/bash
# Writes to real servers, through the program and over HTTP: never without a writable datasource, permission
# and a person's yes; previewed, then done once, and written down.
# usage: writes.sh PROGRAM FOLDER_OF_HELPERS postgres|mysql; exit status 77: there is no such server here.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"
engine=$3
servers=$here/../../conformance/datasource
chmod 755 "$work"
mkdir "$work/db"
port=$("$here/../../free-port")
stop_all() {
    "$servers/$engine-server" stop "$work/db" 2>/dev/null
    finish
}
trap stop_all EXIT
said=0
(cd / && "$servers/$engine-server" start "$work/db" "$port" $$) || said=$?
[ $said -ne 77 ] || { echo "there is no $engine here"; exit 77; }
[ $said -eq 0 ] || { echo "$engine did not start"; exit 1; }

# db SQL: as the owner of everything; prints what it says
case $engine in
postgres)
    db() { psql -qXAt -h "$work/db" -p "$port" -U test -d postgres -v ON_ERROR_STOP=1 -c "$1"; }
    db "CREATE TABLE reviews (id integer PRIMARY KEY, stars integer NOT NULL)"
    db "CREATE ROLE clerk LOGIN PASSWORD 'x'; GRANT SELECT, DELETE ON reviews TO clerk"
    url="postgres://clerk:x@127.0.0.1:$port/postgres?sslmode=disable"
    ;;
mysql)
    db() { mariadb --no-defaults -N -S "$work/db/sock" -u root -e "$1"; }
    db "CREATE DATABASE shop; CREATE TABLE shop.reviews (id integer PRIMARY KEY, stars integer NOT NULL) ENGINE=InnoDB"
    db "CREATE TABLE shop.notes (id integer PRIMARY KEY) ENGINE=MyISAM; INSERT INTO shop.notes VALUES (1)"
    db "CREATE USER clerk@'%' IDENTIFIED BY 'x'; GRANT SELECT, DELETE ON shop.* TO clerk@'%'"
    url="mysql://clerk:x@127.0.0.1:$port/shop"
    ;;
esac
table=reviews
[ "$engine" = postgres ] || table=shop.reviews
db "INSERT INTO $table VALUES (1, 5), (2, 1), (3, 1), (4, 3)"
left() { db "SELECT count(*) FROM $table"; }
script write < <(
    printf '>>> *\nwhen: Delete the notes\nrepeat\n---\n{"intent": "TEXT_TO_SQL", "tables": [{"name": "notes"}], "sql": "DELETE FROM notes"}\n<<<\n'
    reply "DELETE FROM reviews WHERE stars = 1" reviews | sed 's/>>> understand/>>> */'
)
request="Delete the reviews with one star"
ask=("${model[@]}" ask --db "$url")
id_of() { sed -n 's/.*--approve \([^ ]*\).*/\1/p' <<<"$err" | head -n 1; }

run "${ask[@]}" "$request"
status_is 27
err_is_friendly
check "nothing changes without permission" test "$(left)" = 4

run "${ask[@]}" --allow-write "$request"
status_is 4
err_has "It would change 2 rows."
check "nothing changes before the yes" test "$(left)" = 4
run "${ask[@]}" --reject "$(id_of)"
check "nothing changes after a no" test "$(left)" = 4

run "${ask[@]}" --allow-write "$request"
status_is 4
id=$(id_of)
run "${ask[@]}" --allow-write --approve "$id"
status_is 0
out_has "2 rows were changed."
check "the rows are gone" test "$(left)" = 2
db "INSERT INTO $table VALUES (2, 1), (3, 1)"
run "${ask[@]}" --allow-write --approve "$id"
check "a yes counts once" test "$status" -ne 0
check "nothing changes by a second yes" test "$(left)" = 4

# The house only answers questions: a request alone opens nothing.
cat >reads.yaml <<YAML
datasources:
  shop: {url: "$url"}
YAML
run "${model[@]}" --config reads.yaml ask --allow-write "$request"
status_is 27
check "a datasource that is not writable is not written to" test "$(left)" = 4

if [ "$engine" = mysql ]; then # what could not be taken back is not even previewed
    run "${ask[@]}" --allow-write "Delete the notes"
    status_is 27
    check "a table without transactions is not written to" test "$(db "SELECT count(*) FROM shop.notes")" = 1
fi

cat >writes.yaml <<YAML
datasources:
  shop: {url: "$url", writable: true}
YAML
serve "${model[@]}" --config writes.yaml
http POST /api/v1/ask "{\"query\": \"$request\"}"
rest "$(field query_id)"
out_has WRITE_NOT_ALLOWED
check "HTTP: nothing changes without permission" test "$(left)" = 4
http POST /api/v1/ask "{\"query\": \"$request\", \"allow_write\": true}"
id=$(field query_id)
rest "$id"
out_has '"type":"approval"'
out_has '"rows_touched":2'
check "HTTP: nothing changes before the yes" test "$(left)" = 4
http POST "/api/v1/ask/$id/approve" '{"approved": true}'
status_is 202
rest "$id"
out_has '"rows_touched":2'
check "HTTP: the rows are gone" test "$(left)" = 2
http POST "/api/v1/ask/$id/approve" '{"approved": true}'
error_is 409 NOT_WAITING
summary
