#!/bin/bash
# play.sh local|postgres|mysql|odbc-postgres|odbc-mysql DRAGOMAN UNGUARDED: the shipped attacks against real engines.
#
# Through the product nothing may get through. Past the guard, what gets through must be what
# docs/security-engines.md tells (DRAGOMAN_WRITE_DOCS=1 writes it there): a new hole fails.
# Reading the vault past the guard is no hole of an engine: only policy knows what is forbidden.
# Over ODBC the guard is part of the driver: there is nothing past it.
set -eu
engine=$1 dragoman=$2 unguarded=$3
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../../docs/security-engines.md
folder=$(mktemp -d /tmp/dragoman-play-XXXXXX)
server=
finish() {
    [ -z "$server" ] || "$server" stop "$folder/server" >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap finish EXIT
chmod 755 "$folder"
cd "$folder"
fail() {
    echo "FAILED: $*"
    exit 1
}

# start NAME: a private server in $folder/server on $port
start() {
    server=$here/../../conformance/datasource/$1-server
    mkdir "$folder/server"
    port=$("$here/../../free-port")
    status=0
    (cd / && "$server" start "$folder/server" "$port" $$) || status=$?
    if [ $status = 77 ]; then
        server=
        exit 77
    fi
    [ $status = 0 ] || fail "the server does not start"
}

# odbc NAME PORT DATABASE: the same server over ODBC, if its driver is installed
odbc() {
    grep -qxF "[$1]" /etc/odbcinst.ini 2>/dev/null || exit 77
    url="odbc:Driver={$1};Server=127.0.0.1;Port=$2;Database=$3;UID=reader;PWD={secret};"
    ruler="odbc:Driver={$1};Server=127.0.0.1;Port=$2;Database=$3;UID=ruler;PWD={secret};"
}

url=
ruler=
case $engine in
postgres | odbc-postgres)
    start postgres
    psql=$(command -v psql || find /usr/lib/postgresql /usr/pgsql-* -name psql 2>/dev/null | tail -n 1)
    [ -n "$psql" ] || exit 77
    {
        echo "CREATE ROLE reader LOGIN PASSWORD 'secret';"
        echo "CREATE ROLE ruler LOGIN SUPERUSER PASSWORD 'secret';"
        "$dragoman" selftest --setup postgres
        echo "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;"
    } | "$psql" -q -v ON_ERROR_STOP=1 -h "$folder/server" -p "$port" -U test -d postgres
    url=postgres://reader:secret@127.0.0.1:$port/postgres
    ruler=postgres://ruler:secret@127.0.0.1:$port/postgres
    [ "$engine" = postgres ] || odbc "PostgreSQL Unicode" "$port" postgres
    ;;
mysql | odbc-mysql)
    start mysql
    {
        echo "CREATE DATABASE scratch; USE scratch;"
        "$dragoman" selftest --setup mysql
        echo "CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'secret';"
        echo "GRANT SELECT, SHOW VIEW ON scratch.* TO reader@'127.0.0.1';"
        echo "CREATE USER ruler@'127.0.0.1' IDENTIFIED BY 'secret'; GRANT ALL ON *.* TO ruler@'127.0.0.1';"
    } | mariadb --no-defaults -S "$folder/server/sock" -u root
    url=mysql://reader:secret@127.0.0.1:$port/scratch
    ruler=mysql://ruler:secret@127.0.0.1:$port/scratch
    [ "$engine" = mysql ] || odbc "MariaDB Unicode" "$port" scratch
    ;;
esac

mkdir play
cd play
"$dragoman" selftest --attacks ${url:+--db "$url"} ${ruler:+--superuser "$ruler"} >../product.txt 2>&1 ||
    fail "something got through the product: $(cat ../product.txt)"
grep -q '^all  *[1-9][0-9]\{2\}' ../product.txt || fail "few attacks: $(cat ../product.txt)"
[ -z "$url" ] || grep -q '^The login reader.* can only read\.$' ../product.txt || fail "no word on the login: $(cat ../product.txt)"
# row PATTERN: a row of the table, and nothing got through there
row() { grep -q "^$1 .* 0\$" ../product.txt || fail "no row '$1': $(cat ../product.txt)"; }
# An older kernel or a sanitizer lacks layers of the server's sandbox, which is said.
! grep 'not tried' ../product.txt | grep -v '^server: ' || fail "something was not tried"
case $engine in
local)
    row 'http  *request  *24  *24'
    row 'server  *sandbox  *10'
    row 'process  *sandbox  *7'
    row 'files  *imports  *19  *0  *0  *10  *9'
    row 'line  *tls  *7  *0  *0  *7'
    row 'sqlite  *cells  *5  *0  *0  *4  *1'
    row 'duckdb  *cells  *5  *0  *0  *4  *1'
    ;;
*)
    row "${engine%-*}  *cells  *5  *0  *0  *4  *1"
    row "${engine%-*}  *login  *5  *0  *0  *4  *1"
    ;;
esac
# Over ODBC: the attacks on ODBC and those on the database behind it, functions called as fields among them.
case $engine in odbc-*) row 'odbc  *field  *[1-9][0-9]' && row "${engine#odbc-}  *write  *[1-9][0-9]" ;; esac
[ "$engine" != odbc-postgres ] || row 'postgres  *field  *[1-9][0-9]'
# A login without such rights is no proof: that is an error, and not "refused".
if [ -n "$url" ]; then
    ! "$dragoman" selftest --superuser "$url" >../reader.txt 2>&1 || fail "a reader was taken for an administrator"
    grep -q "has no administrator rights" ../reader.txt || fail "$(cat ../reader.txt)"
fi
# The vault is held by a policy, too: some statements only that refuses.
[ "$(awk '$1 == "all" { print ($4 > 0) }' ../product.txt)" = 1 ] || fail "the policy held nothing: $(cat ../product.txt)"
[ -z "$(ls -A .)" ] || fail "files appeared: $(ls -A .)"

# A database that is not the scratch shop is left alone.
if [ "$engine" = local ]; then
    "$dragoman" sample other.db >/dev/null 2>&1
    ! "$dragoman" selftest --attacks --db other.db >../other.txt 2>&1 || fail "any database was attacked"
    grep -q "not the scratch shop" ../other.txt || fail "$(cat ../other.txt)"
    rm other.db
    # The switch is in the test's program alone.
    grep -q 'the guard is switched off' "$unguarded" || fail "the test has no switch"
    ! grep -q 'the guard is switched off' "$dragoman" || fail "the product can switch its guard off"
fi

"$unguarded" ${url:+"$url"} >../engines.txt || fail "the attacks could not be played"
case $engine in odbc-*) DRAGOMAN_WRITE_DOCS= ;; esac # the page has the engines' own lists
if [ -n "${DRAGOMAN_WRITE_DOCS:-}" ]; then
    for section in $(sed -n 's/^## //p' ../engines.txt); do
        awk -v name="$section" '/^## /{on = $2 == name} on' ../engines.txt >"../$section.md"
        { awk -v name="$section" '/^## /{on = $2 == name} !on' "$page" && cat "../$section.md" && echo; } |
            cat -s | sed '${/^$/d}' >../page.md
        cp ../page.md "$page"
    done
    exit 0
fi
unknown=0
while read -r line; do
    grep -qxF -e "$line" "$page" || {
        echo "not in docs/security-engines.md: $line"
        unknown=1
    }
done < <(grep '^- ' ../engines.txt | grep -v -e '(read the vault)$' -e ' attempts were not made: ')
[ $unknown = 0 ] || fail "more got past the engines' locks than is told"
