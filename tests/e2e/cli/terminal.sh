#!/bin/bash
# On a terminal: line editing, progress, colours, questions back, Ctrl-C.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
"$helpers/e2e_cli_database" evil.db "
    CREATE TABLE t (i INTEGER, x TEXT, y TEXT);
    INSERT INTO t VALUES (1, '$(printf '\033]0;title\007\033[2J\302\2332J')', 'a long text that does not fit on one line of a narrow terminal');"

script slow < <(
    printf '>>> understand\nwhen: unicorn\n---\n'
    printf '{"intent": "CLARIFICATION_NEEDED", "clarification": {"question": "Which customers?", "options": ["all customers", "active customers"]}}\n<<<\n'
    printf '>>> understand\nwhen: zebra\ndelay_ms: 60000\n---\n{"sql": "SELECT 1"}\n<<<\n'
    reply "SELECT COUNT(*) AS n FROM customers" customers
)

cat >steps <<'S'
expect dragoman
expect \\help
expect You could ask
expect dragoman>
send How many customers are there?\r
expect SELECT COUNT(*)
expect sure
expect dragoman>
send \\sql SELECT 6 * 7 AS answer\r
expect 42
expect dragoman>
# a line given up leaves no trace, and the line before comes back with the arrow
send garbage
expect garbage
send \x03
send \e[A
expect SELECT 6 * 7
send \x03
send \\format csv\r
expect dragoman>
send \\sql SELECT 'a' AS b\r
expect b\r\na
expect dragoman>
# Ctrl-C stops the question, not the program
send a zebra among customers\r
expect …
send \x03
expect Stopped
expect dragoman>
send customers and the unicorn\r
expect question: 
expect 1
expect answer>
send 1\r
expect SELECT COUNT(*)
expect dragoman>
send \x04
exit 0
S
play steps "${model[@]}" --set llm.timeout_s=600 chat --db shop.db
check "the history should be kept" grep -q 'How.040many' "$XDG_DATA_HOME/dragoman/history"
check "the history should be private" test "$(stat -c %a "$XDG_DATA_HOME/dragoman/history")" = 600

cat >steps <<'S'
expect question: 
expect all customers
expect Your answer
send 1\r
expect n
exit 0
S
play steps "${model[@]}" ask --db shop.db "customers and the unicorn"

cat >steps <<'S'
expect question: 
expect Your answer
send \x04
exit 4
S
play steps "${model[@]}" ask --db shop.db "customers and the unicorn"

cat >steps <<'S'
expect …
send \x03
expect Stopped
exit 130
S
play steps "${model[@]}" --set llm.timeout_s=600 ask --db shop.db "a zebra among customers"

# The plan appears step by step while the model still writes, unless nobody wants it.
script plan < <(
    printf '>>> understand\npiece_ms: 40\nrepeat\n---\n'
    printf '{"tables": [{"name": "customers"}], "summary": "All customers.", "plan": ["Read the \\u001b[2J customers.", "Count them."], '
    printf '"sql": "SELECT COUNT(*) AS n FROM customers", "explanation": "so that it lasts some time longer"}\n<<<\n'
)
cat >steps <<'S'
expect Read the
never \e[2J
expect Count them.\r\n
expect …
expect SELECT COUNT(*)
exit 0
S
play steps "${model[@]}" ask --fresh --brain llm --db shop.db "How many customers are there?"
cat >steps <<'S'
expect …
expect SELECT COUNT(*)
exit 0
never Count them.
S
play steps "${model[@]}" ask --no-plan --fresh --brain llm --db shop.db "How many customers are there?"

# Data cannot command the terminal, in any format; long cells are cut to its width.
for format in table csv json markdown; do
    cat >steps <<'S'
size 40 24
expect title
exit 0
never \e]
never \e[2J
never \x07
never \xC2\x9B
S
    play steps sql --db evil.db --format $format "SELECT i, x FROM t"
done
cat >steps <<'S'
size 40 24
expect …
exit 0
never narrow terminal
S
play steps sql --db evil.db "SELECT i, y FROM t"
columns=$(printf 'i AS column_number_%s, ' 1 2 3 4 5 6)
cat >steps <<'S'
size 40 24
expect row 1
expect column_number_1
exit 0
S
play steps sql --db evil.db "SELECT ${columns%, } FROM t"

# Colours only when the terminal can and the person wants.
cat >steps <<'S'
expect \e[1m
exit 0
S
play steps help
cat >steps <<'S'
expect Usage
exit 0
never \e[
S
NO_COLOR=1 play steps help
TERM=dumb play steps help
play steps --color never help

# A conversation with a database that is not there ends before it begins.
cat >steps <<'S'
expect error: 
exit 10
S
play steps chat --db nowhere.db

# Several databases: each question chooses, \db shows and sets it.
cat >steps <<'S'
expect dragoman>
send \\db\r
expect shop
expect evil
expect dragoman>
send \\db evil\r
expect dragoman>
send \\sql SELECT 40 + 2 AS sum FROM t\r
expect 42
expect dragoman>
send \\quit\r
exit 0
S
play steps chat --db shop.db --db evil.db

# Without a question on a terminal it says so instead of waiting.
cat >steps <<'S'
expect error: 
expect hint: 
exit 18
S
play steps "${model[@]}" ask --db shop.db

summary
