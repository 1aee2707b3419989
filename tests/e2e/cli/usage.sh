#!/bin/bash
# Help, and calls that are wrong.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

run
status_is 0
out_has "Usage: dragoman COMMAND"
out_has "dragoman sample shop.db"

run help
status_is 0
out_has "--set KEY=VALUE"
out_has "Read more"

run --help
status_is 0
out_has "Options for every command"

for command in $("$dragoman" completion fish | sed -n 's/.*__fish_use_subcommand -a \([a-z]*\) .*/\1/p'); do
    run help "$command"
    status_is 0
    out_has "Usage: dragoman $command"
    out_has "Examples"
    help=$out
    run "$command" --help
    status_is 0
    out_is "$help"
done

for topic in exit write settings; do
    run help $topic
    status_is 0
done
run help exit
out_has "130  STOPPED"
out_has "4  CLARIFICATION"

run version
status_is 0
check "the version should be a number" matches "$out" '^dragoman [0-9]+\.[0-9]+\.[0-9]+$'
version=$out
run --version
out_is "$version"

# These need nothing: not even readable settings or a writable home.
echo ': not yaml [' >dragoman.yaml
for call in version help states "completion bash" "config reference"; do
    # shellcheck disable=SC2086
    HOME=/nonexistent XDG_DATA_HOME=/nonexistent/data XDG_CONFIG_HOME=/nonexistent/config run $call
    status_is 0
    err_is_empty
done
run config
status_is 5
err_is_friendly
rm dragoman.yaml
check "nothing should have been written" test ! -e "$XDG_DATA_HOME"

# Wrong calls: status 2, and the nearest right one.
run aks "how many"
status_is 2
err_has "Did you mean 'dragoman ask'?"
run "how many customers are there?"
status_is 2
err_has 'dragoman ask "how many customers are there?"'
run xyzzyplugh
status_is 2
err_is_friendly
run ask --fromat csv hello
status_is 2
err_has "Did you mean --format?"
run ask --format tabel hello
status_is 2
err_has "table"
run ask --format
status_is 2
err_has "needs a value"
run ask --json=yes hello
status_is 2
run ask -x hello
status_is 2
run version now
status_is 2
err_has "unexpected argument"
run replay
status_is 2
run completion tcsh
status_is 2
run help nothing
status_is 2
run ask --set nonsense hello
status_is 2
err_has "KEY=VALUE"
run ask --rows many --db shop.db hello
status_is 2
run ask --approve q-1 --reject q-1
status_is 2
err_has "exclude each other"
run sessions --delete
status_is 2
run guard "select 1"
status_is 2
err_has "--dialect"

# With --json a wrong call is JSON too, and nothing else.
run ask --json --fromat csv hello
status_is 2
err_is_empty
check "the error should be JSON" matches "$out" '^\{"status":"failed","error":\{"code":"USAGE"'

# An option may be written in both ways, and -- ends them.
run ask --db=nothing.db -- --json
status_is 10
err_has "error: "

run ask "how many?"
status_is 10
err_has "dragoman sample"
run ask --config nothing.yaml "how many?"
check "a missing settings file should fail" test "$status" -ne 0
err_is_friendly
run ask --set no.such_key=1 "how many?"
status_is 5
run --color sometimes version
status_is 2

summary
