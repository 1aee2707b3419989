#!/bin/bash
# Charts in the terminal, and as files: chosen by the shape of the rows, in any kind that fits.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
unset DRAGOMAN_AGENT_BRAIN

"$dragoman" sample shop.db >/dev/null 2>&1
plain=(--set agent.brain=parser --db shop.db)

run ask "${plain[@]}" --chart "orders per month in 2025"
status_is 0
out_has "Dec 2025"
out_has "┤"
out_has "2025-12" # the table follows
first=$(grep -n "┤" "$work/out" | head -1 | cut -d: -f1)
table=$(grep -n "2025-01" "$work/out" | head -1 | cut -d: -f1)
check "the chart stands above the table" test "$first" -lt "$table"
check "there are no colours in a file" lacks "$out" $'\x1b'

# without UTF-8 nothing but ASCII
LC_ALL=C run ask "${plain[@]}" --chart "average price by category"
status_is 0
out_has "|####"
check "only ASCII characters" test -z "$(LC_ALL=C grep -P '[^\x00-\x7F]' "$work/out")"

run --color always ask "${plain[@]}" --chart "average price by category"
out_has $'\x1b[36m'

# no chart says more than a list of names
run ask "${plain[@]}" --chart "names of stores"
status_is 0
err_has "No chart suits this result"

run ask "${plain[@]}" --chart --format csv "orders per month in 2025"
status_is 2
err_is_friendly

# as files
run ask "${plain[@]}" "average price by category"
run answer --draw svg last
status_is 0
check "it is a document" has "$(head -c 40 "$work/out")" '<svg xmlns="http://www.w3.org/2000/svg"'
out_has "average price by category"
out_has "prefers-color-scheme:dark"
run answer --chart arc --draw svg last # too many for a ring
check "what does not fit is refused" test "$status" -ne 0
err_has "does not fit"
run answer --draw text last
out_has "Computers"
out_has "█"
run answer --chart bar last
out_has "vega-lite/v5.json"

# by saying so, and why not
run ask "${plain[@]}" "orders per channel as a pie"
status_is 0
out_has "(66 %)"
run ask "${plain[@]}" "average price by category as a line chart"
out_has "Computers         │██"
err_has "A line needs dates or ordered values, such as months, on the x axis; shown as bars."
run answer --draw svg last
out_has '<rect class="dgm-f0"'

# in a conversation
printf '%s\n' "average price by category" '\chart' '\chart line' '\quit' >talk
run_with talk chat "${plain[@]}"
out_has "│███"
err_has "does not fit a chart of kind line"

summary
