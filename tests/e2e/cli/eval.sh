#!/bin/bash
# dragoman eval: one line per question whatever happens, and a report that is true to it.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

mkdir -p db/shop
"$dragoman" sample db/shop/shop.sqlite >/dev/null 2>&1
count='SELECT COUNT(*) FROM customers'

# The answer is judged by its rows; a question without words, one about a database that is not
# there and one with a line break have their lines too.
cat >questions.json <<END
[{"db_id": "shop", "question": "how many customers are there?", "query": "$count"},
 {"db_id": "shop", "question": "how many customers are there?", "query": "SELECT 1", "also": ["$count"]},
 {"db_id": "shop", "question": "how many customers are there?", "query": "SELECT 1"},
 {"db_id": "shop", "question": "", "query": "$count"},
 {"db_id": "nowhere", "question": "how many customers are there?", "query": "$count"},
 {"db_id": "shop", "question": "how many\ncustomers\nare there?", "query": "$count"},
 {"db_id": "shop", "question": "how many customers are there?"}]
END
run eval --questions questions.json --databases db --out lines.sql --candidates all.jsonl
status_is 0
out_has '"questions": 7'
out_has '"without_reading": 1'
out_has '"without_database": 1'
out_has '"p50_ms"'
out_has '"peak_mb"'
err_has 'of 7 questions'
check "there should be a line per question" test "$(wc -l <lines.sql)" -eq 7
check "the first line should be SQL" grep -q '^SELECT' lines.sql
check "the second should be as right as the first" test "$(sed -n 1p lines.sql)" = "$(sed -n 2p lines.sql)"
check "the candidates should have a line per question that was read" test "$(wc -l <all.jsonl)" -eq 6
check "the candidates should be judged" grep -q '"right":true.*"numbers":{"rank"' all.jsonl

run eval --quiet --questions questions.json --databases db --limit 2
status_is 0
out_has '"questions": 2'
err_is_empty

# A conversation, with the SQL of its turns and without.
cat >turns.json <<END
[{"db_id": "shop", "history": [{"question": "customers", "query": "$count"}],
  "question": "only those in Berlin", "query": "$count WHERE city = 'Berlin'"},
 {"db_id": "shop", "history": [{"question": "how many customers are there?"}],
  "question": "and in Berlin?", "query": "$count WHERE city = 'Berlin'"}]
END
run eval --quiet --questions turns.json --databases db
status_is 0
out_has '"right": 2'

# How far the scores are from the share of right answers, for first and later turns.
out_has '"later_turns": {'
out_has '"ece_points"'
out_lacks '"first_turns": {'
out_lacks '"answers": ['
run eval --quiet --questions questions.json --databases db --limit 3 --json
status_is 0
out_has '"first_turns": {'
out_has '"reliability": ['
out_has '"turn": "first"'
out_has '"right": false'
run eval --quiet --questions turns.json --databases db --brain auto --csv
status_is 0
out_has 'db_id,question,turn,probability,score,right'
out_has 'shop,only those in Berlin,later,0.'
out_lacks 'ece_points'
# What a later turn changed, and how sure the answer before was.
run eval --quiet --questions turns.json --databases db --brain auto --json
status_is 0
out_has '"score_before": 0.'
out_has '"changes": true'
run eval --quiet --questions turns.json --databases db --json
out_lacks '"score_before"'

# The whole machine, with a model and without one.
script model < <(reply "$count LIMIT 1000" customers)
run eval --quiet --questions questions.json --databases db --limit 1 --brain llm "${model[@]}" --out lines.sql
status_is 0
out_has '"brain": "llm"'
out_has '"right": 1,'
out_has '"llm_calls": 1'
check "no limit should be left" test "$(cat lines.sql)" = "$count"
run eval --quiet --questions questions.json --databases db --limit 1 --brain auto
status_is 0
out_has '"answered_by_parser": 1'
out_has '"llm_calls": 0'

# What is wrong with the call is said.
run eval --databases db
status_is 2
err_is_friendly
run eval --questions questions.json --databases db --limit many
status_is 2
run eval --questions questions.json --databases db --brain wizard
status_is 2
err_has "parser, llm or auto"
run eval --questions questions.json --databases db --brain llm
check "a model that is not there should be an error" test "$status" -ne 0
err_is_friendly
run eval --questions nowhere.json --databases db
check "a missing file should be an error" test "$status" -ne 0
run eval --questions questions.json --databases nowhere
check "a wrong folder should be an error" test "$status" -ne 0
err_is_friendly
echo '{"no": "list"}' >odd.json
run eval --questions odd.json --databases db
check "what is no list should be an error" test "$status" -ne 0
echo '[{"question": "x"}]' >odd.json
run eval --questions odd.json --databases db
check "a question without a database should be an error" test "$status" -ne 0
err_has "Question 1"
printf '\xff\xfe[' >odd.json
run eval --questions odd.json --databases db
check "broken JSON should be an error" test "$status" -ne 0
echo 'DGMW' >bad.dgw
run eval --questions questions.json --databases db --weights bad.dgw
check "broken weights should be an error" test "$status" -ne 0
summary
