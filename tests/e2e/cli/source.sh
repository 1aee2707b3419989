#!/bin/bash
# Datasources that are added without editing the configuration: kept sealed, held to the list.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

export DRAGOMAN_AGENT_BRAIN=parser
store=$XDG_DATA_HOME/dragoman
"$dragoman" sample shop.db >/dev/null 2>&1
mkdir allowed
cp shop.db allowed/

# Nothing is there, and files are not allowed by themselves.
run source list --json
status_is 0
out_is "[]"
run source add "$PWD/shop.db"
check "a file should be refused" test "$status" -ne 0
err_is_friendly
err_has "sources.folders"
run source add postgres://u:hunter2@127.0.0.1:1/x
check "an internal address should be refused" test "$status" -ne 0
err_is_friendly
err_lacks hunter2
check "no key should be made for what is refused" test ! -e "$store/key"

# From an allowed folder; the next process knows it.
export DRAGOMAN_SOURCES_FOLDERS=$PWD/allowed
run source add --id sales --description "what was sold" "$PWD/allowed/shop.db"
status_is 0
out_is sales
check "the key should be for its owner alone" test "$(stat -c %a "$store/key")" = 600
check "the store should not hold the path" bash -c "! grep -aq allowed/shop.db '$store'/dragoman.db*"
run source list
out_has sales
out_has added
out_has "what was sold"
run source add --id sales "$PWD/allowed/shop.db"
check "a name should be taken once" test "$status" -ne 0
run ask --json "how many customers are there?"
status_is 0
out_has '"datasource":"sales"'
run source test sales
status_is 0
out_has "a write was tried and refused"
run source test nothing
status_is 10
# --db means that database and no other.
run ask --db shop.db --json "how many customers are there?"
out_has '"datasource":"shop"'

# What is no longer allowed is not opened, whatever the store says.
export DRAGOMAN_SOURCES_FOLDERS=
run ask --json "how many customers are there?"
check "it should no longer be opened" test "$status" -ne 0
export DRAGOMAN_SOURCES_FOLDERS=$PWD/allowed

# Keys: another one opens nothing, and one that others may read is not used.
DRAGOMAN_KEY=$(printf '0%.0s' {1..64}) run source list --json
out_is "[]"
err_has "cannot be decrypted with this key"
chmod 644 "$store/key"
run source list --json
err_has "can be read by others"
chmod 600 "$store/key"

# A server, its password from standard input.
postgres=$here/../../conformance/datasource/postgres-server
server=$work/server
mkdir "$server"
chmod 755 "$work" "$server"
port=$("$here/../../free-port")
"$postgres" start "$server" $port $$
started=$?
if [ $started = 0 ]; then
    trap '"$postgres" stop "$server"; finish' EXIT
    psql -qX -h "$server" -p $port -U test -d postgres -c "CREATE ROLE reader LOGIN PASSWORD 'hunter2'" \
        -c "CREATE TABLE item (id INTEGER)" -c "GRANT SELECT ON item TO reader"
    echo "postgres://reader:hunter2@localhost:$port/postgres" >url.txt
    run_with url.txt source add --id crm -
    check "loopback should be refused" test "$status" -ne 0
    export DRAGOMAN_SOURCES_HOSTS=localhost
    run_with url.txt source add --id crm -
    status_is 0
    run source list --json
    out_has '"id":"crm"'
    out_lacks hunter2
    check "the store should not hold the password" bash -c "! grep -aq hunter2 '$store'/dragoman.db*"
    run schema --db crm
    status_is 0
    out_has item
    # One that was added is as encrypted as any other.
    run source test crm
    status_is 0
    out_has TLSv1
    # Secrets of this machine are not sent to a server that somebody added.
    echo "postgres://reader@localhost:$port/postgres" >url.txt
    PGPASSWORD=hunter2 run_with url.txt source add --id leak -
    check "PGPASSWORD should not be used" test "$status" -ne 0
    # A superuser cannot be added, and the URL cannot allow it.
    psql -qX -h "$server" -p $port -U test -d postgres -c "CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'hunter2'"
    echo "postgres://boss:hunter2@localhost:$port/postgres" >url.txt
    run_with url.txt source add --id boss -
    status_is 57
    err_has "The login boss is a superuser"
    err_has "Only a datasource of the configuration may"
    err_lacks hunter2
    echo "postgres://boss:hunter2@localhost:$port/postgres?allow_superuser=1" >url.txt
    run_with url.txt source add --id boss -
    status_is 19
    err_has "parameter that may not be added"
    run source remove crm
    status_is 0
fi
run source remove sales
status_is 0
run source remove sales
status_is 10
run source list --json
out_is "[]"
run source burn
status_is 2
err_is_friendly

# Secrets of settings: from a file that a variable or the configuration names.
echo sk-from-a-file >key.txt
DRAGOMAN_LLM_KEY_FILE=key.txt run config get llm.key
echo 'llm: {provider: openai, key: "${file:key.txt}", model: gpt-4o}' >dragoman.yaml
run config
status_is 0
out_lacks sk-from-a-file
echo 'llm: {key: "${file:no-such-file}"}' >dragoman.yaml
run config
check "a missing file should be said" test "$status" -ne 0
rm dragoman.yaml

summary
