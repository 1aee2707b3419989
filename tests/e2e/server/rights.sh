#!/bin/bash
# A datasource whose login rules its server, over HTTP: refused with a reason, the way out shown to those who may
# change it, and used once the configuration allows it.
# usage: rights.sh PROGRAM FOLDER_OF_HELPERS; exit status 77: there is no PostgreSQL here.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"
servers=$here/../../conformance/datasource
chmod 755 "$work"
mkdir "$work/db"
port=$("$here/../../free-port")
stop_all() {
    "$servers/postgres-server" stop "$work/db" 2>/dev/null
    finish
}
trap stop_all EXIT
said=0
(cd / && "$servers/postgres-server" start "$work/db" "$port" $$) || said=$?
[ $said -ne 77 ] || { echo "there is no PostgreSQL here"; exit 77; }
[ $said -eq 0 ] || { echo "PostgreSQL did not start"; exit 1; }
db() { psql -qXAt -h "$work/db" -p "$port" -U test -d postgres -v ON_ERROR_STOP=1 -c "$1"; }
db "CREATE TABLE item (id integer PRIMARY KEY); INSERT INTO item VALUES (1), (2)"
db "CREATE SCHEMA secret_plans CREATE TABLE plan (id integer)"
db "CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'x'"
# as KEY METHOD PATH [BODY]
as() { http "$2" "$3" "${4-}" -H "Authorization: Bearer $1"; }

export DRAGOMAN_AGENT_BRAIN=parser
boss="postgres://boss:x@127.0.0.1:$port/postgres?sslmode=disable"
printf 'datasources:\n  shop: {url: "%s"}\n' "$boss" >dragoman.yaml
reader=$("$dragoman" keys add ann --scopes read,ask 2>/dev/null)
admin=$("$dragoman" keys add chief --scopes admin 2>/dev/null)
serve
as "$reader" GET /api/v1/datasources/shop/schema
error_is 403 SUPERUSER_LOGIN
out_has "The login boss is a superuser"
out_lacks 127.0.0.1
as "$reader" POST /api/v1/datasources/shop/test '{}'
error_is 403 FORBIDDEN
out_lacks secret_plans
as "$admin" POST /api/v1/datasources/shop/test '{}'
status_is 200
out_has '"ok":false'
out_has "The login boss is a superuser"
out_has '"lines":["CREATE ROLE dragoman_reader'
out_has secret_plans
serve_ends TERM

# The configuration allows it: it works, and the examination warns.
printf 'datasources:\n  shop: {url: "%s", allow_superuser: true}\n' "$boss" >dragoman.yaml
serve
as "$reader" GET /api/v1/datasources/shop/schema
status_is 200
out_has '"item"'
as "$admin" POST /api/v1/datasources/shop/test '{}'
out_has '"ok":true'
out_has '"warning":true'
out_has "the login boss is a superuser"
serve_ends TERM

summary
