#!/bin/bash
# Ctrl-C: the first stops the question, the second ends the program.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
set -m # background jobs of a script would otherwise ignore SIGINT

"$dragoman" sample shop.db >/dev/null 2>&1
script slow <<'S'
>>> *
delay_ms: 60000
repeat
---
{"intent": "TEXT_TO_SQL", "sql": "SELECT 1"}
<<<
S

# interrupt SIGNALS ARGUMENT...: starts it, waits until it is at work, signals it.
interrupt() {
    local times=$1
    shift
    shown="dragoman $* (SIGINT x $times)"
    "$dragoman" "$@" >"$work/out" 2>"$work/err" </dev/null &
    local pid=$!
    background+=("$pid")
    sleep 1
    local started=$SECONDS
    for ((i = 0; i < times; i++)); do
        kill -INT "$pid" 2>/dev/null
    done
    wait "$pid"
    status=$?
    out=$(cat "$work/out")
    err=$(cat "$work/err")
    check "it should end long before the reply" test $((SECONDS - started)) -lt 20
}

interrupt 1 "${model[@]}" --set llm.timeout_s=600 --set agent.timeout_s=600 ask --db shop.db "How many customers are there?"
status_is 130
err_has "Stopped"
interrupt 2 "${model[@]}" --set llm.timeout_s=600 ask --db shop.db "How many customers are there?"
status_is 130
interrupt 1 "${model[@]}" --set llm.timeout_s=600 ask --json --db shop.db "How many customers are there?"
status_is 130
out_has '"status":"stopped"'
err_is_empty

# A query at work in the database is reached as well.
endless="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
interrupt 1 --set sql.timeout_s=600 sql --db shop.db "$endless"
status_is 130
run --set sql.timeout_s=1 sql --db shop.db "$endless"
status_is 25
err_is_friendly

summary
