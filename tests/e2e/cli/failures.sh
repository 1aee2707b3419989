#!/bin/bash
# Everything that can be wrong outside of us: one exit status each, and words that help.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
question="How many customers are there?"
script count < <(reply "SELECT COUNT(*) AS n FROM customers" customers)

# Databases.
run "${model[@]}" ask --db nowhere.db "$question"
status_is 10
err_is_friendly
check "a missing file should not be created" test ! -e nowhere.db
echo "this is no database, it is a text that is long enough to be sure about that" >text.db
run "${model[@]}" ask --db text.db "$question"
status_is 11
err_is_friendly
"$helpers/e2e_cli_database" empty.db "CREATE TABLE t (i); DROP TABLE t"
run "${model[@]}" ask --db empty.db "$question"
status_is 12
err_is_friendly
: >zero.db
run "${model[@]}" ask --db zero.db "$question"
check "a file of no bytes is empty or no database" matches "$status" '^1[12]$'
err_is_friendly
mkdir folder.db
run "${model[@]}" ask --db folder.db "$question"
check "a folder should be refused" test "$status" -ne 0
err_is_friendly
run "${model[@]}" ask --db gopher://host/x "$question"
status_is 15
err_is_friendly
cp shop.db locked.db
"$helpers/e2e_cli_database" locked.db --lock "$work/ready" &
background+=($!)
tries=0
while ! [ -e "$work/ready" ] && [ $tries -lt 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
run "${model[@]}" --set sql.timeout_s=2 ask --db locked.db "$question"
status_is 13
err_is_friendly

# The model.
run ask --db shop.db "$question"
status_is 30
err_is_friendly
err_has "OPENAI_API_KEY"
script nonsense <<'S'
>>> *
repeat
---
I am a teapot, short and stout.
<<<
S
run "${model[@]}" ask --db shop.db "$question"
status_is 36
err_is_friendly
run "${model[@]}" ask --json --db shop.db "$question"
status_is 36
err_is_empty
out_has '"status":"failed"'
out_has '"code":"LLM_NONSENSE"'
for code in LLM_RATE_LIMITED:34 LLM_TIMEOUT:35 LLM_TOO_LARGE:37 LLM_REFUSED:38; do
    script broken < <(printf '>>> *\nerror: %s\nrepeat\n---\n<<<\n' "${code%:*}")
    run "${model[@]}" --set llm.retry_base_ms=1 ask --db shop.db "$question"
    status_is "${code#*:}"
    err_is_friendly
done

# Over HTTP: no network, a wrong key, an unknown model. One setting each, as people do it.
http() { # (STATUS BODY)…
    rm -f "$work/port"
    "$helpers/e2e_cli_responder" "$work/port" "$@" &
    background+=($!)
    wait_for_file "$work/port"
    url=http://127.0.0.1:$(cat "$work/port")/v1
}
export OPENAI_API_KEY=sk-secret-of-the-test
quick=(--set llm.retry_base_ms=1 --set llm.max_retries=1)
OPENAI_BASE_URL=http://127.0.0.1:1/v1 run "${quick[@]}" ask --db shop.db "$question"
status_is 33
err_is_friendly
http "401 Unauthorized" '{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}'
OPENAI_BASE_URL=$url run "${quick[@]}" ask --db shop.db "$question"
status_is 31
err_is_friendly
err_lacks "sk-secret"
http "404 Not Found" '{"error":{"message":"The model does not exist","type":"invalid_request_error","code":"model_not_found"}}'
OPENAI_BASE_URL=$url run "${quick[@]}" --set llm.model=gpt-nothing ask --db shop.db "$question"
status_is 32
err_is_friendly
http "500 Internal Server Error" 'oops'
OPENAI_BASE_URL=$url run "${quick[@]}" ask --db shop.db "$question"
status_is 33
OPENAI_BASE_URL=$url run "${quick[@]}" ask --json --db shop.db "$question"
status_is 33
out_lacks "sk-secret"
# A busy service is waited for, and nobody hears of it.
busy='{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}'
said='{\"tables\":[{\"name\":\"customers\"}],\"summary\":\"All customers.\",\"sql\":\"SELECT COUNT(*) AS n FROM customers\"}'
http "429 Too Many Requests" "$busy" "429 Too Many Requests" "$busy" "200 OK" \
    '{"choices":[{"message":{"role":"assistant","content":"'"$said"'"},"finish_reason":"stop"}]}'
OPENAI_BASE_URL=$url run --set llm.retry_base_ms=1 --set llm.stream=false ask --brain llm --format csv --db shop.db "$question"
status_is 0
check "the rows should be there" matches "$out" '^n[^0-9]*[0-9]+'
err_lacks "busy"
err_lacks "429"
err_lacks "again"
# It is waited for as long as its own words ask for, not for the minute that is configured.
busy='{"error":{"message":"Rate limit reached for tokens per min. Please try again in 1s.","code":"rate_limit_exceeded"}}'
http "429 Too Many Requests" "$busy" "200 OK" \
    '{"choices":[{"message":{"role":"assistant","content":"'"$said"'"},"finish_reason":"stop"}]}'
before=$SECONDS
OPENAI_BASE_URL=$url run --set llm.retry_base_ms=60000 --set llm.stream=false ask --fresh --brain llm --format csv --db shop.db "$question"
status_is 0
check "'try again in 1s' should be heard" test $((SECONDS - before)) -lt 30
run config llm.key
out_is "***"
unset OPENAI_API_KEY

# SQL that is wrong, and SQL that writes.
script wrong < <(reply "SELECT nmae FROM customers" customers)
run "${model[@]}" --set agent.max_sql_attempts=1 ask --db shop.db "The names of all customers"
check "wrong SQL should fail" matches "$status" '^(22|21|24|36)$'
err_is_friendly
run sql --db shop.db "SELECT nmae FROM customers"
status_is 22
err_has "nmae"
run sql --db shop.db "SELECT 1 FRM customers WHERE"
check "what is no SQL should be refused" matches "$status" '^(3|22)$'
check "a caret should stand under the place" matches "$err" $'\n +\\^'
run sql --db shop.db "DELETE FROM customers"
check "a write should be refused" matches "$status" '^(3|27)$'
err_is_friendly
run sql --db shop.db "SELECT 1; SELECT 2"
status_is 3
cp shop.db before.db
script write < <(reply "DELETE FROM customers" customers)
run "${model[@]}" ask --db shop.db "Delete all customers"
check "a write should be refused" matches "$status" '^(3|4|27)$'
check "the database should be untouched" cmp -s shop.db before.db

# Questions back.
script unclear <<'S'
>>> understand
repeat
---
{"intent": "CLARIFICATION_NEEDED", "clarification": {"question": "Which customers?", "options": ["all customers", "active customers"]}}
<<<
>>> *
repeat
---
{"intent": "CLARIFICATION_NEEDED", "clarification": {"question": "Which customers?", "options": ["all customers", "active customers"]}}
<<<
S
run "${model[@]}" ask --db shop.db "Show me customers"
status_is 4
err_has "question: "
err_has "  1  "
err_has "--resume q"
check "standard output should be empty" test -z "$out"
id=$(sed -n 's/.*--resume \([^ ]*\) .*/\1/p' <<<"$err" | head -n 1)
run "${model[@]}" ask --json --db shop.db "Show me customers again"
status_is 4
err_is_empty
out_has '"type":"clarification"'
out_has '"options":['
script count < <(reply "SELECT COUNT(*) AS n FROM customers" customers)
run "${model[@]}" ask --db shop.db --format csv --resume "$id" "all customers"
status_is 0
out_has "n"
run "${model[@]}" ask --db shop.db --resume "$id" "1"
status_is 45
run "${model[@]}" ask --db shop.db --resume q-unknown "1"
status_is 41
err_is_friendly

summary
