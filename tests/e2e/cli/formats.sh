#!/bin/bash
# How rows are written, and to whom.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$helpers/e2e_cli_database" data.db "
    CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, note TEXT, price REAL);
    INSERT INTO things VALUES (1, 'plain', 'a|b', 1.5), (2, 'quo\"te', NULL, 20),
        (3, 'com,ma', 'two
lines', -3.25), (4, '', 'tail ', NULL),
        (5, '$(printf '\033[31mred\033[0m')', '$(printf 'bell\007 \302\233 csi')', 0),
        (6, 'Zoë 日本', '$(printf '\342\200\256override')', 1e20);"

run sql --db data.db --format csv "SELECT id, name, note FROM things WHERE id < 5 ORDER BY id"
status_is 0
out_is $'id,name,note\n1,plain,a|b\n2,"quo""te",\n3,"com,ma","two\nlines"\n4,"","tail "'

run sql --db data.db --format csv "SELECT name FROM things WHERE id = 5"
out_is $'name\n␛[31mred␛[0m'

# The last digits of binary arithmetic are shown nowhere; those that a number has are.
run sql --db data.db "SELECT 0.1 + 0.2 AS x, 12345678901234567 AS n, 1e20 / 3 AS large"
out_has "0.3 "
out_lacks "0.30000000000000004"
out_has "12345678901234567"
run sql --db data.db --format csv "SELECT 0.1 + 0.2 AS x"
out_is $'x\n0.3'
run sql --db data.db --format json "SELECT 90.10 - 0.01 AS x, 90.08999999999999 AS y, 1.0 / 3 AS z, 3.141592653589793 AS p"
out_has '90.09'
out_has '0.3333333333333333'
out_has '3.141592653589793'
out_lacks '90.08'

run sql --db data.db --format json "SELECT id, name, note, price, 1 AS x, 2 AS x FROM things WHERE id IN (2, 3) ORDER BY id"
status_is 0
out_is '[
 {"id":2,"name":"quo\"te","note":null,"price":20,"x":1,"x_2":2},
 {"id":3,"name":"com,ma","note":"two\nlines","price":-3.25,"x":1,"x_2":2}
]'
run sql --db data.db --format json "SELECT id FROM things WHERE id > 100"
out_is '[]'

run sql --db data.db --format markdown "SELECT id, note FROM things WHERE id <= 3 ORDER BY id"
status_is 0
out_is '| id | note |
| ---: | --- |
| 1 | a\|b |
| 2 | NULL |
| 3 | two<br>lines |'

run sql --db data.db "SELECT id, name, price FROM things WHERE id IN (1, 2, 4) ORDER BY id"
status_is 0
out_is 'id  name    price
──  ──────  ─────
 1  plain     1.5
 2  quo"te     20
 4           NULL'
err_is_empty

run sql --db data.db "SELECT price, name FROM things WHERE id IN (1, 4) ORDER BY id"
check "no blanks should stand at the end of a line" test -z "$(grep ' $' "$work/out")"

# Nothing from the data reaches a reader's terminal as a command.
escape=$(printf '\033')
run sql --db data.db "SELECT name, note FROM things WHERE id >= 5"
status_is 0
out_lacks "$escape"
out_lacks "$(printf '\007')"
out_lacks "$(printf '\302\233')"
out_lacks "$(printf '\342\200\256')"
out_has "red"
run sql --db data.db --format json "SELECT name FROM things WHERE id = 5"
out_lacks "$escape"
LC_ALL=C run sql --db data.db "SELECT name FROM things WHERE id <= 2"
out_has "-----"
out_lacks "─"
LC_ALL=C run sql --db data.db "SELECT name FROM things WHERE id = 5"
out_has "^[[31mred"

# Whatever the form, in cells and in names: no control sequence, formula, link or HTML is live.
evil=$(printf '\033]0;t\007\302\2332J\342\200\256')
"$helpers/e2e_cli_database" evil.db "
    CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT, \"=n$evil\" TEXT);
    INSERT INTO t VALUES (1, '=1+1', '$evil'), (2, '-7', '<img src=x>'), (3, '![a](http://h/?q)', '@x');"
for form in table csv json markdown; do
    run sql --db evil.db --format "$form" "SELECT * FROM t"
    status_is 0
    out_lacks "$escape"
    out_lacks "$(printf '\007')"
    out_lacks "$(printf '\302\233')"
    out_lacks "$(printf '\342\200\256')"
done
run sql --db evil.db --json "SELECT * FROM t"
out_lacks "$escape"
out_lacks "$(printf '\302\233')"
out_has '\u001b]0;t\u0007\u009b2J\u202e'
run sql --db evil.db --format csv "SELECT id, x FROM t"
out_is $'id,x\n1,\'=1+1\n2,-7\n3,![a](http://h/?q)'
run sql --db evil.db --format csv "SELECT * FROM t WHERE id = 3"
out_has "'=n"
out_has "'@x"
run sql --db evil.db --format markdown "SELECT x FROM t WHERE id = 3"
out_has '!\[a\](http`://h/?q)`'
run sql --db evil.db --format markdown "SELECT * FROM t WHERE id = 2"
out_has '&lt;img src=x&gt;'
cell="char(27) || ']0;t' || char(7) || char(155) || '2J' || char(8238)"
run sql --db evil.db "SELECT $cell AS name, 5 AS amount UNION ALL SELECT 'b', 3"
run answer --chart bar last
status_is 0
out_lacks "$escape"
out_lacks "$(printf '\302\233')"
out_lacks "$(printf '\342\200\256')"
out_has '\u009b2J\u202e'
# A file is for other programs: they get the cells as they are.
run sql --db evil.db --export evil.csv "SELECT $cell AS name"
check "the file should have the cell" grep -qF "$evil" evil.csv
# A message that repeats a name is cleaned as well.
run sql --db evil.db "SELECT nothing FROM \"$evil\""
check "no escape in a message" test -z "$(grep -c "$escape" "$work/err" | grep -v '^0')"

# Colour: never in a pipe, unless it is asked for; NO_COLOR wins over CLICOLOR_FORCE.
run sql --db data.db "SELECT id FROM things"
out_lacks "$escape"
run --color always sql --db data.db "SELECT id FROM things"
out_has "${escape}[1m"
CLICOLOR_FORCE=1 run sql --db data.db "SELECT id FROM things"
out_has "${escape}[1m"
CLICOLOR_FORCE=1 NO_COLOR=1 run sql --db data.db "SELECT id FROM things"
out_lacks "$escape"
CLICOLOR_FORCE=1 run --color never sql --db data.db "SELECT id FROM things"
out_lacks "$escape"

# Many rows: all of them in a pipe, and cut ones are said to be.
many="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n"
run sql --db data.db --format csv "$many LIMIT 5000"
status_is 0
check "5000 rows and a head" test "$(wc -l <"$work/out")" -eq 5001
run sql --db data.db --format csv "$many"
check "the default limit holds" test "$(wc -l <"$work/out")" -eq 1001

# A reader that goes away ends it quietly; a full disk is an error.
"$dragoman" sql --db data.db --format csv "$many LIMIT 5000" 2>"$work/err" | head -n 1 >"$work/out"
statuses=("${PIPESTATUS[@]}")
shown="dragoman sql | head" status=${statuses[0]} out=$(cat "$work/out") err=$(cat "$work/err")
out_is "i"
err_is_empty
check "no signal should have ended it" test "$status" -lt 128
for call in "help" "states" "sql --db data.db --format csv SELECT*FROM(VALUES(1))"; do
    # shellcheck disable=SC2086
    "$dragoman" $call >/dev/full 2>"$work/err"
    status=$? shown="dragoman $call >/dev/full" out='' err=$(cat "$work/err")
    status_is 43
    err_is_friendly
done
"$dragoman" version >&- 2>"$work/err"
status=$? shown="dragoman version >&-" out='' err=$(cat "$work/err")
check "a closed output should be an error" test "$status" -ne 0

summary
