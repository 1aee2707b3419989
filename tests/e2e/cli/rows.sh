#!/bin/bash
# Rows that are written as they come, by the thread of the question.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$helpers/e2e_cli_database" data.db "CREATE TABLE things (id INTEGER PRIMARY KEY);"
many="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n"

# More than an answer keeps: they are written as they come.
more="--set sql.default_rows=30000 --set sql.max_rows=30000"
# shellcheck disable=SC2086
run $more sql --db data.db --format csv "${many/5000/25000}"
status_is 0
check "25000 rows and a head" test "$(wc -l <"$work/out")" -eq 25001
# shellcheck disable=SC2086
run $more sql --db data.db --format json "${many/5000/12000}"
status_is 0
check "12000 objects" test "$(grep -c '^ {"i":' "$work/out")" -eq 12000
check "the last one and the end" test "$(tail -n 2 "$work/out")" = $' {"i":12000}\n]'
# A failure in the middle: the status says so, and the array is not closed.
bad="CASE WHEN i < 9 THEN i ELSE json_extract('{', '\$.a') END AS i"
run sql --db data.db --format json "${many%SELECT*}SELECT $bad FROM n"
status_is 22
check "what came stays" test "$(wc -l <"$work/out")" -ge 8
check "not whole" test -z "$(grep '^]' "$work/out")"
err_is_friendly

summary
