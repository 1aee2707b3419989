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

# How many questions the store knows: those that wait for the model are among them.
questions() { sqlite3 "$XDG_DATA_HOME/dragoman/dragoman.db" "SELECT count(*) FROM questions" 2>/dev/null || echo 0; }
asked() { [ "$(questions)" -gt "$known" ]; }
runs() { grep -q -e '--> EXECUTE_QUERY' "$work/err"; } # needs -v

# interrupt SIGNALS WHEN ARGUMENT...: starts it, waits until WHEN holds, signals it.
interrupt() {
    local times=$1 at_work=$2 known i
    shift 2
    known=$(questions)
    shown="dragoman $* (SIGINT x $times)"
    "$dragoman" "$@" >"$work/out" 2>"$work/err" </dev/null &
    local pid=$!
    background+=("$pid")
    for ((i = 0; i < 6000; i++)); do
        "$at_work" && break
        sleep 0.05
    done
    check "it should be at work" "$at_work"
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

interrupt 1 asked "${model[@]}" --set llm.timeout_s=600 --set agent.timeout_s=600 ask --db shop.db "How many customers are there?"
status_is 130
err_has "Stopped"
interrupt 2 asked "${model[@]}" --set llm.timeout_s=600 ask --db shop.db "How many customers are there?"
status_is 130
interrupt 1 asked "${model[@]}" --set llm.timeout_s=600 ask --json --db shop.db "How many customers are there?"
status_is 130
out_has '"status":"stopped"'
err_is_empty

# A query at work in the database is reached as well.
endless="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
interrupt 1 runs -v --set sql.timeout_s=600 sql --db shop.db "$endless"
status_is 130
run --set sql.timeout_s=1 sql --db shop.db "$endless"
status_is 25
err_is_friendly

summary
