#!/bin/bash
# The npm packages, installed from their files without a network; asked by npx; signals and exit statuses pass through.
# usage: npm.sh SOURCE BUILD
set -u
source=$(realpath "$1")
build=$(realpath "$2")
command -v npm >/dev/null || exit 77
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$source/tests/packages/lib.sh"
version=$(cat "$source/VERSION")
"$source/packaging/npm/build" "$build" "$work" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
mkdir "$work/project" && cd "$work/project" || exit 1
npm init -y >/dev/null
check "npm should install them offline" npm install --offline --no-audit --no-fund "$work/dragoman-$version.tgz" "$work/dragoman-linux-"*".tgz"
in=$work answers npx --offline dragoman
check "nothing should run when it is installed" test -z "$(grep -l '"scripts"' node_modules/dragoman/package.json node_modules/@dragoman/*/package.json)"
npx --offline dragoman ask --db "$work/none.db" "x" >/dev/null 2>&1
theirs=$?
"$build/dragoman" ask --db "$work/none.db" "x" >/dev/null 2>&1
check "the exit status should be the program's ($theirs)" test $theirs = $?

node node_modules/dragoman/dragoman.js serve --db "$work/shop.db" --listen "127.0.0.1:$("$source/tests/free-port")" --data "$work/data" >"$work/server" 2>&1 &
server=$!
for _ in $(seq 300); do grep -qs "http://" "$work/server" && break; kill -0 $server || break; sleep 0.1; done
child=$(pgrep -P $server)
kill -TERM $server
wait $server
server=
check "SIGTERM should end the program too" test -n "$child" -a ! -e "/proc/${child:-1}"

rm -r node_modules/@dragoman
check "a missing platform should be told" grep -q 'there is no package @dragoman/linux-' <(npx --offline dragoman version 2>&1)
[ $failures = 0 ] && echo "npm: ok, $(wc -c <"$(ls "$work"/dragoman-linux-*.tgz)") bytes"
exit $((failures > 0))
