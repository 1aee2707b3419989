#!/bin/bash
# A SQLite file that is locked or gone: questions about its tables are answered from what was known before.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
export DRAGOMAN_AGENT_BRAIN=parser
run ask --db shop.db "what tables are there?"
status_is 0
out_has "order_items"

# locked: by somebody who writes and does not end
"$helpers/e2e_cli_database" shop.db --lock locked &
holder=$!
background+=("$holder")
while [ ! -e locked ]; do sleep 0.05; done
run ask --db shop.db "what tables are there?"
status_is 0
out_has "order_items"
err_has "is locked by another program"
err_has "its last known schema was used"
run ask --db shop.db --json "which columns does orders have?"
status_is 0
out_has '"stale":true'
out_has "total_amount"
run ask --db shop.db "how many orders are there?" # rows are in the file alone
status_is 13
kill "$holder"
wait "$holder" 2>/dev/null

# gone
rm shop.db
run ask --db shop.db "what tables are there?"
status_is 0
out_has "order_items"
err_has "There is no file 'shop.db'."
run ask --db ./shop.db "what tables are there?"
status_is 0
run ask --db shop.db "how many orders are there?"
status_is 10
# never seen: there is nothing to tell
run ask --db never.db "what tables are there?"
status_is 10
err_has "There is no file 'never.db'."
summary
