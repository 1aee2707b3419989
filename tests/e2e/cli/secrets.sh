#!/bin/bash
# Passwords, keys and private folders planted wherever they may come from: no output, log, trace or
# file of the store repeats one, whatever fails. And no text from outside makes a log line.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

canary=Kanari7f3e
encoded=Kanari%37f3e
everything=$work/everything
store=$XDG_DATA_HOME/dragoman
"$dragoman" sample shop.db >/dev/null 2>&1

# Runs it with every word it can say, and keeps all of that.
loud() {
    run -v "$@"
    { printf '== %s\n' "${shown//$canary/…}"; printf '%s\n%s\n' "$out" "$err"; } >>"$everything"
    check "no secret should be said" bash -c "! grep -aqi '$canary' '$work/out' '$work/err'"
}

folder=$work/run/private-$canary
mkdir -p "$folder"
printf '{"type": "service_account", "private_key": "%s", "client_email": "x@%s.example"}' "$canary" "$canary" >"$folder/key.json"
export SHOP_PASSWORD=$canary PGPASSWORD=$canary MYSQL_PWD=$canary PGOPTIONS="-c x=$canary" CLICKHOUSE_PASSWORD=$canary

# Every kind of database that cannot be reached or read.
for url in \
    "postgres://reader:$canary@127.0.0.1:1/x" "postgres://reader:$encoded@127.0.0.1:1/x" \
    "postgres://reader@127.0.0.1:1/x?password=$canary" "postgres://reader@127.0.0.1:1/x?password_env=SHOP_PASSWORD" \
    "postgres://reader@127.0.0.1:1/x?sslkey=$folder/key.json" "postgres://reader@127.0.0.1:port/x?password=$canary" \
    "postgres://reader:$canary@no.host.invalid/x" \
    "mysql://reader:$canary@127.0.0.1:1/x" "mysql://reader@127.0.0.1:1/x?password=$canary" \
    "mariadb://reader:$encoded@127.0.0.1:1/x" "mysql://reader:$canary@127.0.0.1:99999/x" \
    "mongodb://reader:$canary@127.0.0.1:1/x?serverSelectionTimeoutMS=100" "mongodb://reader:$canary@/x?=&" \
    "clickhouse://reader:$canary@127.0.0.1:1/x" "clickhouse://reader@127.0.0.1:1/x?password=$canary" \
    "bigquery://project/data?credentials=$folder/key.json" "bigquery://project/data?token=$canary" \
    "odbc:Driver={No $canary Driver};Server=127.0.0.1;UID=reader;PWD=$canary" "odbc:DSN=none;PWD={$canary}" \
    "odbc:Driver=SQLite3;Database=$folder/none.db;PWD=$canary" \
    "nonsense://reader:$canary@host/x" "https://reader:$canary@host/x"; do
    loud sql --db "$url" --json "SELECT 1"
    check "it should fail: ${url%%:*}" test "$status" -ne 0
    loud source add --id planted "$url"
    check "it should not be added: ${url%%:*}" test "$status" -ne 0
done
loud doctor --db "postgres://reader:$canary@127.0.0.1:1/x"
loud doctor --db "mysql://reader:$canary@127.0.0.1:1/x" --json

# A URL or a key at a place where it does not belong: no command says it again.
url="postgres://reader:$canary@127.0.0.1:1/x"
key=dgm_0123456789abcdef_$canary
for command in "" $("$dragoman" help | sed -n 's/^  \([a-z]\{3,\}\) .*/\1/p' | sort -u | grep -vx -e serve -e man); do
    for words in "$url" "x $url $url $url $url" "--$url" "-$url" "--nonsense=$url" "--format $url" "--set sql.timeout_s=$url" \
        "--set nonsense=$url" "--config $url"; do
        # shellcheck disable=SC2086
        XDG_DATA_HOME=$work/elsewhere loud $command $words # a question may well be kept
    done
done
for words in "source add pg $url" "source add pg $key" "source test $url" "source remove $url" "source $url" "keys revoke $key" "keys add $key" \
    "keys list" "dataset $url" "saved $url" "lessons $url" "help $url" "completion $url" "config $url" "sample $url"; do
    # shellcheck disable=SC2086
    loud $words
done
run source add pg "$url"
err_is_friendly
err_has "source add"

# The model's key, from each place it may come from, with a service that repeats what it got.
for how in "--set llm.key=$canary" "--set llm.url=http://user:$canary@127.0.0.1:1/v1" "--set llm.url=http://127.0.0.1:1/v1?key=$canary"; do
    # shellcheck disable=SC2086
    loud $how --set llm.max_retries=0 --set llm.provider=openai --set llm.model=m ask --db shop.db "How many zebras are there?"
done
OPENAI_API_KEY=$canary ANTHROPIC_API_KEY=$canary DRAGOMAN_LLM_KEY=$canary loud config
OPENAI_API_KEY=$canary DRAGOMAN_LLM_KEY=$canary loud config --json
OPENAI_API_KEY=$canary loud --set llm.url=http://127.0.0.1:1/v1 --set llm.max_retries=0 --set llm.model=m doctor --db shop.db

# A settings file with passwords: shown, and broken.
cat >planted.yaml <<Y
llm: {key: $canary}
datasources:
  crm: {url: "postgres://reader:$canary@127.0.0.1:1/x"}
Y
loud --config planted.yaml config
loud --config planted.yaml source list
loud --config planted.yaml ask --datasource crm "How many customers are there?"
printf 'datasources:\n  crm: {url: "postgres://reader:%s@h/x", nonsense: 1}\n  x: [\n' "$canary" >broken.yaml
loud --config broken.yaml config

# Files: a database that is none, in a folder that is nobody's business. Its own path may be told to
# who gave it; to a model or into an answer it never goes.
printf 'no database' >"$folder/x.db"
run -v sql --db "$folder/x.db" --json "SELECT 1"
out_lacks "$folder/"

# What is kept.
check "the store should not hold a secret" bash -c "! grep -raq '$canary' '$store' 2>/dev/null"
check "something should have been said" test "$(wc -l <"$everything")" -gt 100

# One event, one line: what a name or a URL holds cannot pose as another.
forged=$'x\n2026-01-01T00:00:00Z error server: forged\r\033[2J'
run -v sql --db "postgres://$forged@127.0.0.1:1/x" "SELECT 1"
check "no forged line" bash -c "! grep -aq '^2026-01-01T00:00:00Z error' '$work/err'"
run -v ask --db shop.db --datasource "$forged" "How many customers are there?"
check "no forged line" bash -c "! grep -aq '^2026-01-01T00:00:00Z error' '$work/err'"
check "no control sequence" bash -c "! grep -aq $'\033' '$work/err'"

summary
