#!/bin/bash
# The manual page and the completion files are true to the program.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
root=$(realpath "$here/../../..")
page=$root/docs/man/dragoman.1

run completion fish
status_is 0
commands=$(sed -n 's/.*__fish_use_subcommand -a \([a-z]*\) .*/\1/p' <<<"$out")
flags=$(sed -n 's/.* -l \([a-z-]*\).*/\1/p' <<<"$out" | sort -u)
check "there should be commands" test "$(wc -w <<<"$commands")" -ge 15
check "there should be flags" test "$(wc -w <<<"$flags")" -ge 20

# Each command is a subsection of its own, and each of its flags stands in it.
section() { awk -v name="$1" '/^\.(Ss|Sh) /{inside = ($2 == name)} inside' "$page"; }
for command in $commands; do
    text=$(section "$command")
    check "the manual should describe '$command'" test -n "$text"
    own=$(sed -n "s/.*__fish_seen_subcommand_from $command' -l \([a-z-]*\).*/\1/p" <<<"$out")
    for flag in $own; do
        check "the manual should describe '$command --$flag'" has "$text" "Fl Fl $flag"
    done
done
for flag in $(sed -n 's/^complete -c dragoman -l \([a-z-]*\).*/\1/p' <<<"$out"); do
    check "the manual should describe '--$flag'" grep -q "Fl Fl $flag" "$page"
done
# And nothing that is not there.
for flag in $(grep -o 'Fl Fl [a-z-]*' "$page" | awk '{print $3}' | sort -u); do
    check "the manual describes '--$flag', which is no option" has " $(echo $flags) " " $flag "
done
if command -v man >/dev/null && command -v groff >/dev/null; then
    check "the manual should format without complaints" \
        test -z "$(groff -mdoc -Tutf8 -ww -z "$page" 2>&1)"
fi

for shell in bash:dragoman.bash zsh:_dragoman fish:dragoman.fish; do
    run completion "${shell%:*}"
    status_is 0
    check "completions/${shell#*:} should be what the program prints" \
        cmp -s "$work/out" "$root/completions/${shell#*:}"
done

# The bash script completes.
complete_line() { # WORD...: completes the last one
    (
        # shellcheck disable=SC1091
        . "$root/completions/dragoman.bash"
        compopt() { :; }
        COMP_WORDS=("$@")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _dragoman
        echo "${COMPREPLY[*]}"
    )
}
shown=completion status=0 err=
out=$(complete_line dragoman as)
out_is "ask"
out=$(complete_line dragoman ask --for)
out_is "--format"
out=$(complete_line dragoman ask --format m)
out_is "markdown"
out=$(complete_line dragoman --quiet completion z)
out_is "zsh"
touch some.trace
out=$(complete_line dragoman replay some)
out_is "some.trace"
if command -v zsh >/dev/null; then
    check "the zsh script should parse" zsh -n "$root/completions/_dragoman"
fi
if command -v fish >/dev/null; then
    check "the fish script should parse" fish -n "$root/completions/dragoman.fish"
fi

summary
