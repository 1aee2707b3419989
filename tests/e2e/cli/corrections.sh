#!/bin/bash
# Questions back, corrections and corrected SQL, as a person reads them.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1

# both texts are shown, and the reason for the correction
script mended < <(reply "SELECT COUNT(*) AS n FROM customer" customers)
run "${model[@]}" ask --brain llm --db shop.db "How many customers are there?"
status_is 0
out_has "n"
err_has "The query was corrected and executed."
err_has "It was first: SELECT COUNT(*) AS n FROM customer"
err_has "SELECT COUNT(*) AS n FROM customers LIMIT"
err_has "Did you mean 'customers'?"

script column < <(reply "SELECT COUNT(segmnt) AS n FROM customers" customers)
run "${model[@]}" ask --brain llm --db shop.db --explain "How many customers do we have?"
out_has "first SQL   SELECT COUNT(segmnt) AS n FROM customers"
out_has "There is no column 'segmnt'."
out_has "0.30 of 0.30  The question names what the query uses: customers"
out_has "0.20 of 0.20  The database accepts the SQL."

# when no attempt works, each is told with its error
says_failed() {
    printf '>>> understand\n---\n{"tables": [{"name": "customers"}], "sql": "SELECT COUNT(* FROM customers"}\n<<<\n'
    printf '>>> diagnose_error\n---\n{"error_type": "SYNTAX", "root_cause": "A bracket."}\n<<<\n'
    printf '>>> correct_sql\n---\n{"sql": "SELECT COUNT(** FROM customers"}\n<<<\n'
}
script failed < <(says_failed)
run "${model[@]}" ask --brain llm --set agent.max_sql_attempts=2 --db shop.db "How many customers live here?"
status_is 22
err_has "None of these attempts worked:"
err_has "  1  SELECT COUNT(* FROM customers"
err_has "  2  SELECT COUNT(** FROM customers"
err_has "     The query could not be read at"

# a question back says what is weak, and the dates there are
sure=(--set parser.accept=0 --set parser.ask=0)
run ask "${sure[@]}" --brain parser --db shop.db --explain "show me recent orders"
status_is 4
err_has "Which date range? Orders run from 20"
err_has "  1  The last 30 days"
err_has "0.10 of 0.30  The question leaves open what is wanted."

# another process takes the answer, even though the first was killed while it served others
id=$(printf '%s' "$err" | sed -n 's/.*--resume \([^ ]*\).*/\1/p')
check "the hint should name the question" test -n "$id"
"$dragoman" chat --db shop.db < <(sleep 5) >/dev/null 2>&1 &
victim=$!
sleep 0.3
kill -9 "$victim" 2>/dev/null
wait "$victim" 2>/dev/null
run ask "${sure[@]}" --db shop.db --resume "$id" --format csv "the whole time"
status_is 0
check "all orders should come" test "$(wc -l <"$work/out")" -gt 100

# an answer that names nothing is asked again
run ask --brain parser --db shop.db "show me customers"
status_is 4
id=$(printf '%s' "$err" | sed -n 's/.*--resume \([^ ]*\).*/\1/p')
run ask --db shop.db --resume "$id" "use table shoppers"
status_is 4
err_has "There is no table 'shoppers'. Which one should be used?"
run ask --db shop.db --resume "$id" '{"type": "table_selection", "selected_table": "customers"}'
status_is 4
err_has "Which customers?"
run ask "${sure[@]}" --db shop.db --resume "$id" "how many customers there are"
status_is 0

summary
