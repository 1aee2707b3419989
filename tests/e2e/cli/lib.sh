# shellcheck shell=bash disable=SC2034
# What the tests of the command line share. A test is a bash file: it sources this, runs the
# program with `run`, and says what must be true of $status, $out and $err.
#
# usage of a test: NAME.sh PROGRAM FOLDER_OF_HELPERS

set -u
dragoman=$(realpath "$1")
helpers=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
failures=0
checks=0
background=()

# A person's own settings and keys must not change what a test sees.
for name in $(compgen -v | grep -E '^(DRAGOMAN_|OPENAI_|ANTHROPIC_|OLLAMA_|NO_COLOR$|CLICOLOR)'); do
    unset "$name"
done
export HOME=$work/home XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config
export LC_ALL=C.UTF-8 TERM=xterm no_proxy='*' NO_PROXY='*'
# Who runs the engines (DuckDB), where that is not to be the program under test.
[ -z "${ENGINE_PROGRAM:-}" ] || export DRAGOMAN_SQL_ENGINE_PROGRAM=$ENGINE_PROGRAM
# These tests script a model; what the built-in parser answers has tests of its own.
export DRAGOMAN_AGENT_BRAIN=llm
mkdir -p "$HOME" "$work/run"
cd "$work/run" || exit 1

finish() {
    for pid in "${background[@]}"; do
        kill "$pid" 2>/dev/null
    done
    cd /
    rm -rf "$work"
}
trap finish EXIT

# run ARGUMENT...: sets $status, $out and $err.
run() {
    shown="dragoman $*"
    "$dragoman" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    out=$(tr -d '\0' <"$work/out")
    err=$(tr -d '\0' <"$work/err")
}

# run_with FILE ARGUMENT...: the same with standard input from FILE.
run_with() {
    local input=$1
    shift
    shown="dragoman $* < $(basename "$input")"
    "$dragoman" "$@" >"$work/out" 2>"$work/err" <"$input"
    status=$?
    out=$(tr -d '\0' <"$work/out")
    err=$(tr -d '\0' <"$work/err")
}

fail() {
    failures=$((failures + 1))
    printf 'FAILED %s: %s\n  call:   %s\n  status: %s\n' "$(basename "$0")" "$1" "$shown" "$status"
    printf '%s\n' "$out" | head -c 2000 | sed 's/^/  out: /'
    printf '%s\n' "$err" | head -c 2000 | sed 's/^/  err: /'
}

check() { # WHAT CONDITION...
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" || fail "$what"
}

has() { case $1 in *"$2"*) return 0 ;; esac; return 1; }
lacks() { ! has "$1" "$2"; }
matches() { [[ $1 =~ $2 ]]; }

status_is() { check "exit status should be $1" test "$status" -eq "$1"; }
out_is() { check "standard output should be '$1'" test "$out" = "$1"; }
out_has() { check "standard output should hold '$1'" has "$out" "$1"; }
out_lacks() { check "standard output should not hold '$1'" lacks "$out" "$1"; }
err_has() { check "standard error should hold '$1'" has "$err" "$1"; }
err_lacks() { check "standard error should not hold '$1'" lacks "$err" "$1"; }
err_is_empty() { check "standard error should be empty" test -z "$err"; }
# The three voices of an error: what happened, and what to do about it.
err_is_friendly() {
    check "the error should begin with 'error: '" matches "$err" '(^|'$'\n'')error: '
    check "the error should hint at what to do" has "$err" '  hint: '
}

wait_for_file() {
    local tries=0
    while ! [ -s "$1" ] && [ $tries -lt 400 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

# script NAME: a transcript for the scripted model, from standard input; sets $model.
script() {
    cat >"$work/$1.script"
    model=(--set llm.provider=scripted --set "llm.script=$work/$1.script")
}

# reply SQL TABLE...: a block in which the model answers with this SQL.
reply() {
    local sql=$1 tables='' table
    shift
    for table in "$@"; do
        tables="$tables${tables:+, }{\"name\": \"$table\", \"confidence\": 0.95}"
    done
    printf '>>> understand\nrepeat\n---\n'
    printf '{"intent": "TEXT_TO_SQL", "tables": [%s], "summary": "what was asked", ' "$tables"
    printf '"plan": ["read the table"], "sql": "%s", "confidence": 0.95}\n<<<\n' "$sql"
}

# play SCRIPT ARGUMENT...: the program on a terminal, with a person's script from a file.
play() {
    local steps=$1
    shift
    shown="(terminal) dragoman $*"
    "$helpers/e2e_cli_terminal" "$steps" "$dragoman" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    out=$(tr -d '\0' <"$work/out")
    err=$(tr -d '\0' <"$work/err")
    check "the play should go as written" test "$status" -eq 0
}

summary() {
    echo "$(basename "$0"): $checks checks, $failures failed"
    [ "$failures" -eq 0 ]
}
