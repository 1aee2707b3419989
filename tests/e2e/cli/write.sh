#!/bin/bash
# Writes: never without a writable database, permission and a person's yes.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
cp shop.db before.db
script write < <(
    printf '>>> *\nrepeat\n---\n{"intent": "TEXT_TO_SQL", "tables": [{"name": "reviews"}], '
    printf '"summary": "remove one review", "plan": ["delete it"], '
    printf '"sql": "DELETE FROM reviews WHERE id = 1"}\n<<<\n'
)
ask=("${model[@]}" ask --db shop.db)
request="Delete the review with id 1"
count() { "$dragoman" sql --db shop.db --format csv "SELECT COUNT(*) AS n FROM reviews" | tail -n 1; }
full=$(count)
id_of() { sed -n 's/.*--approve \([^ ]*\).*/\1/p' <<<"$err" | head -n 1; }

run "${ask[@]}" "$request"
check "not allowed: refused" matches "$status" '^(3|27)$'
err_is_friendly
check "the database should be untouched" cmp -s shop.db before.db

run "${ask[@]}" --allow-write "$request"
status_is 4
err_has "DELETE FROM reviews WHERE id = 1"
err_has "It would change 1 row."
err_has "--reject "
check "nothing changes before the yes" cmp -s shop.db before.db
id=$(id_of)
run "${ask[@]}" --reject "$id"
check "a no is the end of it" test "$status" -ne 0
run "${ask[@]}" --approve "$id"
status_is 45
check "nothing changes after a no" cmp -s shop.db before.db

# An approval that cannot be kept is refused before anything is lost, and the printed command works as printed.
run "${ask[@]}" --allow-write "$request"
status_is 4
printed=$(sed -n 's/.*approve with: dragoman //p' <<<"$err")
id=$(sed 's/.*--approve //' <<<"$printed")
run ask --db shop.db --approve "$id"
status_is 27
err_has "the question still waits"
run ask --approve "$id"
check "without its database the question is not lost" test "$status" -ne 0
err_has "the question still waits"
run ask --db shop.db --allow-write --resume "$id" "yse"
status_is 4
err_has "Say yes or no."
check "nothing changes before the yes" cmp -s shop.db before.db
eval "run $printed"
status_is 0
out_has "1 row was changed."
cp before.db shop.db

run "${ask[@]}" --allow-write "$request"
status_is 4
id=$(id_of)
run "${ask[@]}" --allow-write --approve "$id"
status_is 0
out_has "1 row was changed."
check "the row is gone" test "$(count)" -eq $((full - 1))
run "${ask[@]}" --allow-write --approve "$id"
check "a yes counts once" test "$status" -ne 0

run "${ask[@]}" --json --allow-write "$request and again"
status_is 4
out_has '"type":"approval"'
err_is_empty

# On a terminal the person is asked at once; Enter is no, and a slip is asked about.
cp before.db shop.db
cat >steps <<'S'
expect DELETE FROM reviews WHERE id = 1
expect It would change 1 row.
expect Run it? [y/N]
send \r
exit 130
S
play steps "${ask[@]}" --allow-write "$request"
check "nothing changes after Enter" test "$(count)" -eq "$full"
cat >steps <<'S'
expect Run it? [y/N]
send y\r
expect 1 row was changed.
exit 0
S
play steps "${ask[@]}" --allow-write "$request"
check "the row is gone" test "$(count)" -eq $((full - 1))

cp before.db shop.db
printf '%s\nno\n%s\nyes\n' "$request" "$request now" >lines
run_with lines "${model[@]}" chat --db shop.db --allow-write
out_has "1 row was changed."
check "the row is gone" test "$(count)" -eq $((full - 1))

summary
