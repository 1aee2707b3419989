#!/usr/bin/env bash
# Fifty questions through the model's path, answered by our own parser, which knows nothing but
# the prompts: so they carry what a model needs. The bounds leave room for other weights.
#
# usage: run.sh DRAGOMAN PARSER_BEHIND_OPENAI [QUESTIONS [OTHERWISE]]
# So many of the fifty, and so many without streaming and phase by phase.
set -u
dragoman=$(realpath "$1")
server=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
failures=0

for name in $(compgen -v | grep -E '^(DRAGOMAN_|OPENAI_|ANTHROPIC_|OLLAMA_)'); do
    unset "$name"
done
export HOME=$work/home XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config
export LC_ALL=C.UTF-8 no_proxy='*' NO_PROXY='*'
mkdir -p "$HOME" "$work/db/shop"
cd "$work" || exit 1

fail() {
    echo "parser-behind-openai: $*"
    failures=$((failures + 1))
}

"$server" "$work/port" "$work/log" &
pid=$!
trap 'kill $pid 2>/dev/null; cd /; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    [ -s "$work/port" ] && break
    sleep 0.1
done
[ -s "$work/port" ] || { echo "parser-behind-openai: the model did not start"; exit 1; }
model=(--set llm.provider=openai --set "llm.url=http://127.0.0.1:$(cat "$work/port")/v1"
    --set llm.key=none)
"$dragoman" sample "$work/db/shop/shop.sqlite" >/dev/null || exit 1

# number FIELD FILE: of the report.
number() {
    sed -n "s/^  \"$1\": \([0-9]*\).*/\1/p" "$2"
}

# measure NAME COUNT SETTING...: each question gets SQL, a model was asked, most are right.
measure() {
    name=$1
    count=$2
    least=$((count * 4 / 5))
    shift 2
    "$dragoman" eval --quiet --questions "$here/questions.json" --databases "$work/db" \
        --limit "$count" \
        --brain llm "${model[@]}" "$@" --out "$work/$name.sql" >"$work/$name.json" || {
        fail "$name: eval failed"
        return
    }
    [ "$(number questions "$work/$name.json")" = "$count" ] || fail "$name: not $count questions"
    [ "$(wc -l <"$work/$name.sql")" = "$count" ] || fail "$name: not a line for every question"
    [ "$(number without_reading "$work/$name.json")" = 0 ] || fail "$name: some got no SQL"
    [ "$(number answered_by_parser "$work/$name.json")" = 0 ] ||
        fail "$name: the parser of the program itself answered"
    [ "$(number llm_calls "$work/$name.json")" -ge "$count" ] || fail "$name: too few calls"
    right=$(number right "$work/$name.json")
    [ "$right" -ge "$least" ] || fail "$name: $right of $count are right, $least must be"
    grep -qi 'limit 1000$' "$work/$name.sql" && fail "$name: a limit was added"
    echo "$name: $right of $count right"
}

measure fused "${3:-50}"
measure whole "${4:-10}" --set llm.stream=false --set llm.structured=false
measure phased "${4:-10}" --set understanding.mode=phased

# Whoever hands a question over tells the model which cells its words name.
"$dragoman" ask --db "$work/db/shop/shop.sqlite" --brain auto --set parser.accept=1 "${model[@]}" \
    --json "how many customers live in Lisbon" >"$work/lisbon" 2>&1
grep -q '^- customers.city = "Lisbon"$' "$work/log" || fail "the prompt does not name Lisbon"
"$dragoman" ask --db "$work/db/shop/shop.sqlite" --brain auto --set parser.accept=1 "${model[@]}" \
    --set llm.send_rows=false --json "how many customers live in Warsaw" >"$work/warsaw" 2>&1
grep -q '^- .*Warsaw' "$work/log" && fail "a cell was sent although no rows may be"

# As a person asks, in a conversation: the prompt carries what was said.
ask() {
    "$dragoman" ask --db "$work/db/shop/shop.sqlite" --brain llm --json "${model[@]}" "$@"
}
first=$(ask "how many customers are there")
case $first in
*'"brain":"llm"'*) ;;
*) fail "ask: not answered by the model: $first" ;;
esac
case $first in
*'"rows":[[2400]]'*) ;;
*) fail "ask: not 2400 customers: $first" ;;
esac
printf '%s\n' "how many customers are there" "only those in Berlin" |
    "$dragoman" chat --db "$work/db/shop/shop.sqlite" --set agent.brain=llm "${model[@]}" \
        >"$work/chat" 2>&1
berlin=$(sqlite3 "$work/db/shop/shop.sqlite" "SELECT COUNT(*) FROM customers WHERE city = 'Berlin'")
grep -q "\b$berlin\b" "$work/chat" || fail "chat: $berlin customers in Berlin not found: $(cat "$work/chat")"

[ "$failures" = 0 ] || exit 1
