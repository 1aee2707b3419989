#!/bin/sh
# Runs every ```console block of a document and compares what it shows with what happens.
#
# usage: run.sh PROGRAM DOCUMENT SCRIPT
# Lines that start with "$ " are commands, the lines after one are its output (stdout and
# stderr). "…" in the output stands for anything. The blocks run in order in one empty
# folder, with PROGRAM on the PATH as `dragoman`. There is no model, but for blocks after a line
# "<!-- model -->": there the scripted one plays SCRIPT.
set -eu
program=$(realpath "$1")
document=$(realpath "$2")
script=$(realpath "$3")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir "$room/bin" "$room/steps" "$room/work"
ln -s "$program" "$room/bin/dragoman"

awk -v folder="$room/steps" '
    /^<!-- model -->$/ { model = 1; next }
    /^```console$/ { inside = 1; next }
    /^```/ { inside = 0; model = 0; next }
    !inside { next }
    /^\$ / {
        name = sprintf("%s/%03d", folder, ++count)
        print substr($0, 3) >(name ".command")
        printf "%s", FNR >(name ".line")
        printf "" >(name ".expected")
        if (model) { printf "" >(name ".model") }
        next
    }
    /^> / { print substr($0, 3) >(name ".command"); next } # a command goes on
    { print >(name ".expected") }' "$document"

# Nothing of this machine may shine through: no settings, no keys, no real model.
unset OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY OLLAMA_HOST 2>/dev/null || true
export HOME="$room" XDG_DATA_HOME="$room/data" XDG_CONFIG_HOME="$room/config" PATH="$room/bin:$PATH"
export LC_ALL=C.UTF-8 TZ=UTC COLUMNS=90 NO_COLOR=1

cd "$room/work"
passed=0
failed=0
status=0
for command in "$room"/steps/*.command; do
    [ -e "$command" ] || break
    step=${command%.command}
    with=
    [ ! -e "$step.model" ] ||
        with="export DRAGOMAN_AGENT_BRAIN=llm DRAGOMAN_LLM_PROVIDER=scripted DRAGOMAN_LLM_SCRIPT='$script'; "
    # "(exit N);" lets a block show the status of the command before by `echo $?`
    before=$status
    status=0
    actual=$(sh -c "$with(exit $before); $(cat "$command")" 2>&1 </dev/null) || status=$?
    pattern=$(sed 's/[][*?\\]/\\&/g; s/…/*/g' "$step.expected")
    # shellcheck disable=SC2254
    case $actual in
    $pattern) passed=$((passed + 1)) ;;
    *)
        failed=$((failed + 1))
        printf '%s:%s: $ %s\n--- the document says\n%s\n--- it is (exit status %s)\n%s\n---\n' "$document" \
            "$(cat "$step.line")" "$(cat "$command")" "$(cat "$step.expected")" "$status" "$actual"
        ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
