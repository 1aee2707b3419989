#!/usr/bin/env bash
# What a question costs in model tokens, and how many calls each kind of model mistake takes.
# Tokens are dragoman's own estimate (llm_tokens), so that two versions can be compared.
#
# usage: bench/prompt.sh [DRAGOMAN [long|short]]
# long: the model replies in the form of before, which names tables, joins, summary and plan.
set -eu
dragoman=$(realpath "${1:-build/dragoman}")
form=${2:-short}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config

# many COUNT FILE: a database of so many tables in groups of five, each joined by keys.
many() {
    for i in $(seq "$1"); do
        group=$(((i - 1) / 5))
        to=$((group * 5 + 1))
        echo "CREATE TABLE area${group}_part$i (id INTEGER PRIMARY KEY, name TEXT, state TEXT, amount DECIMAL(10,2), made_on DATE,
              parent_id INTEGER REFERENCES area${group}_part$to (id), email TEXT);
              WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
              INSERT INTO area${group}_part$i SELECT i, 'thing ' || i, CASE i % 2 WHEN 0 THEN 'open' ELSE 'closed' END, i * 1.5,
              date('2024-01-01', '+' || i || ' days'), i, 'a' || i || '@example.org' FROM n;"
    done | sqlite3 "$2"
}

# block STAGE REPLY: of a transcript for the scripted model.
block() {
    printf '>>> %s\nrepeat\n---\n%s\n<<<\n' "$1" "$2"
}

# ask DATABASE SCRIPT QUESTION [OPTION]...: the answer as JSON, from an empty store.
ask() {
    database=$1 script=$2 question=$3
    shift 3
    rm -rf "$work/store"
    "$dragoman" ask --json --quiet --data "$work/store" --db "$database" --set llm.provider=scripted \
        --set "llm.script=$script" --set agent.brain=llm "$@" "$question" 2>/dev/null || true
}

# figure NAME JSON: the first number of this name.
figure() {
    printf '%s' "$2" | grep -o "\"$1\":[0-9]*" | head -1 | cut -d: -f2
}

replies() {
    table=$1
    sql="SELECT COUNT(*) AS n FROM $table"
    if [ "$form" = long ]; then
        block understand "{\"intent\":\"TEXT_TO_SQL\",\"confidence\":0.95,\"rewritten_question\":\"How many rows of $table are open?\",\"entities\":[\"$table\"],\"tables\":[{\"name\":\"$table\",\"columns\":[\"id\",\"state\"],\"confidence\":0.95,\"reason\":\"It holds what is asked for.\"}],\"joins_needed\":false,\"joins\":[],\"filters\":[\"state is open\"],\"aggregations\":[\"COUNT(*)\"],\"summary\":\"The user wants the number of rows.\",\"plan\":[\"Read $table.\",\"Keep the open rows.\",\"Count them.\"],\"sql\":\"$sql\",\"explanation\":\"Counts the rows.\"}"
    else
        block understand "{\"intent\":\"TEXT_TO_SQL\",\"sql\":\"$sql\",\"explanation\":\"Counts the rows.\",\"confidence\":0.95}"
    fi
    block parse_intent '{"intent":"TEXT_TO_SQL","confidence":0.95}'
    block evaluate_tables "{\"tables\":[{\"name\":\"$table\",\"is_relevant\":true,\"confidence\":0.95}]}"
    block refine_tables "{\"final_tables\":[\"$table\"]}"
    block synthesize '{"joins_needed":false}'
    block summarize_intent '{"summary":"The user wants the number of rows."}'
    block plan_query '{"steps":["Count the rows."]}'
    block generate_sql "{\"sql\":\"$sql\",\"explanation\":\"Counts the rows.\"}"
}

tokens() {
    for mode in fused phased; do
        answer=$(ask "$2" "$work/replies" "$3" --set "understanding.mode=$mode" --set "llm.context_tokens=$4")
        printf '%-14s %-8s %7s %9s %8s %7s\n' "$1" "$mode" "$4" "$(figure tokens_in "$answer")" \
            "$(figure tokens_out "$answer")" "$(figure calls "$answer")"
    done
}

echo "database       mode     context tokens_in tokens_out calls"
"$dragoman" sample "$work/shop.db" >/dev/null
many 30 "$work/t30.db"
many 300 "$work/t300.db"
replies customers >"$work/replies"
tokens shop "$work/shop.db" "How many customers are there?" 32000
replies area2_part12 >"$work/replies"
tokens "30 tables" "$work/t30.db" "How many area2 part12 are there?" 32000
tokens "30 tables" "$work/t30.db" "How many area2 part12 are there?" 4000
tokens "300 tables" "$work/t300.db" "How many area2 part12 are there?" 4000

# mistake NAME WRONG: calls until there is an answer, with a model that writes it right when asked again.
right="SELECT name FROM stores WHERE city = 'Berlin'"
mistake() {
    {
        printf '>>> understand\n---\n{"intent":"TEXT_TO_SQL","sql":"%s"}\n<<<\n' "$2"
        block understand "{\"intent\":\"TEXT_TO_SQL\",\"sql\":\"$right\"}"
        if [ "$form" = long ]; then
            block diagnose_error '{"error_type":"OTHER","root_cause":"It is wrong.","suggestion":"Write it anew."}'
        else
            block diagnose_error "{\"error_type\":\"OTHER\",\"root_cause\":\"It is wrong.\",\"sql\":\"$right\"}"
        fi
        block correct_sql "{\"sql\":\"$right\"}"
    } >"$work/script"
    answer=$(ask "$work/shop.db" "$work/script" "Which stores are in Berlin?" --set agent.ask=never)
    printf '%-34s %5s  %s\n' "$1" "$(figure calls "$answer")" "$(printf '%s' "$answer" | grep -o '"state":"[A-Z_]*"' | head -1 | cut -d'"' -f4)"
}

echo
echo "mistake                            calls  ends in"
mistake "none" "$right"
mistake "column misspelt" "SELECT nmae FROM stores WHERE city = 'Berlin'"
mistake "table misspelt" "SELECT name FROM storse WHERE city = 'Berlin'"
mistake "table in the singular" "SELECT name FROM store WHERE city = 'Berlin'"
mistake "table with a prefix it has not" "SELECT name FROM shop_stores WHERE city = 'Berlin'"
mistake "schema before the table" "SELECT name FROM public.stores WHERE city = 'Berlin'"
mistake "column of the joined table" "SELECT s.name, s.job_title FROM stores s JOIN employees e ON e.store_id = s.id WHERE s.city = 'Berlin'"
mistake "column name with a prefix" "SELECT store_name FROM stores WHERE city = 'Berlin'"
mistake "ambiguous column" "SELECT name FROM stores JOIN employees ON store_id = stores.id WHERE id > 0 AND city = 'Berlin'"
mistake "SQL of another database" "SELECT name FROM stores WHERE city ILIKE 'berlin'"
mistake "syntax" "SELECT name FROM stores WHERE (city = 'Berlin'"
mistake "function that is not there" "SELECT initcap_all(name) FROM stores WHERE city = 'Berlin'"
mistake "table made up" "SELECT label FROM branch_directory WHERE town = 'Berlin'"
mistake "nested aggregate" "SELECT name FROM stores WHERE MAX(COUNT(*)) > 1"
