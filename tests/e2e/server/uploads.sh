#!/bin/bash
# An account sends at most eight files at once: what is being sent lies on the disk before any quota counts it. Its place
# is given back however an upload ends, and uploads that are held open do not hold up the server's own end.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

"$dragoman" sample shop.db >/dev/null 2>&1
ann=$("$dragoman" keys add ann 2>/dev/null)
bob=$("$dragoman" keys add bob 2>/dev/null)

# uploads WHAT ARGUMENT...: the program beside this file; what it says of failures is shown.
uploads() {
    shown="uploads $1"
    out=$("$helpers/e2e_server_uploads" "${host##*:}" "$@" 2>&1)
    status=$?
    err=$(tail -n 20 "$serve_err")
    status_is 0
}

mkdir "$work/tmp"
TMPDIR=$work/tmp serve --db shop.db
uploads bound "$ann" "$bob"
out_has "8 ways"
serve_ends TERM
check "nothing that was sent should be left" test -z "$(ls "$work/tmp")"

# The time of an upload is over: the server cuts it.
serve --db shop.db --set server.upload_timeout_s=1
uploads cut "$ann"
serve_ends TERM

# A length that is over a limit is refused before any of it is sent.
serve --db shop.db --set server.max_upload_mb=2 --set dataset.max_mb=4
uploads large "$ann" 2097153 server.max_upload_mb
serve_ends TERM
serve --db shop.db --set server.max_upload_mb=4 --set dataset.max_mb=2
uploads large "$ann" 4194304 dataset.max_mb
serve_ends TERM

# Held uploads are closed when the server stops, and it does not wait for them.
serve --db shop.db --set server.drain_s=60
"$helpers/e2e_server_uploads" "${host##*:}" hold "$ann" "$work/held" >"$work/hold.out" 2>&1 &
holder=$!
wait_for_file "$work/held"
check "eight should be held" test -s "$work/held"
began=$SECONDS
serve_ends TERM
check "it should not wait for uploads" test $((SECONDS - began)) -lt 50
wait $holder
status=$?
out=$(cat "$work/hold.out")
status_is 0
summary
