# shellcheck shell=bash disable=SC2034
# What the tests of MCP share: a client that speaks with `dragoman mcp` over pipes. A test opens it with
# `connect`, says lines, and hears the reply to an id.
# shellcheck source-path=SCRIPTDIR source=../cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"

export DRAGOMAN_AGENT_BRAIN=parser
patience_s=60 status=0 out= err=
V6=2025-06-18 V11=2025-11-25 V26=2026-07-28

# connect ARGUMENT...: starts the program; $notes collects what comes before a reply.
connect() {
    shown="dragoman mcp $*"
    notes=''
    coproc peer { exec "$dragoman" mcp "$@" 2>"$work/mcp.err"; }
    to=${peer[1]} from=${peer[0]} pid=$peer_PID
}

say() { printf '%s\n' "$1" >&"$to"; }

# hear ID: sets $out to the reply with this id (as JSON); what comes before it goes to $notes.
hear() {
    local line
    out=''
    while IFS= read -r -t $patience_s line <&"$from"; do
        case $line in
        *'"id":'"$1"',"result"'* | *'"id":'"$1"',"error"'*) out=$line && return ;;
        esac
        notes+=$line$'\n'
    done
    fail "there should be a reply to $1"
}

# hear_request: sets $out to the next request of the server.
hear_request() {
    local line
    out=''
    while IFS= read -r -t $patience_s line <&"$from"; do
        case $line in
        *'"id":'*'"method":'*) out=$line && return ;;
        esac
        notes+=$line$'\n'
    done
    fail "there should be a request"
}

# hear_notice METHOD: sets $out to the next notification with this method.
hear_notice() {
    local line
    out=''
    while IFS= read -r -t $patience_s line <&"$from"; do
        case $line in
        *'"method":"'"$1"'"'*) out=$line && return ;;
        esac
        notes+=$line$'\n'
    done
    fail "there should be a notification $1"
}

# request ID METHOD [PARAMS]: of the revisions of 2025.
request() { say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":${3:-{\}}}"; hear "$1"; }

# modern ID METHOD [FIELDS [CAPABILITIES]]: of 2026-07-28; FIELDS are those of params, with a comma at the end.
modern_text() {
    printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":{%s"_meta":{' "$1" "$2" "${3-}"
    printf '"io.modelcontextprotocol/protocolVersion":"%s",' "$V26"
    printf '"io.modelcontextprotocol/clientCapabilities":%s}}}' "${4:-{\}}"
}
modern() { say "$(modern_text "$@")"; hear "$1"; }

# greet VERSION [CAPABILITIES]
greet() {
    request 0 initialize "{\"protocolVersion\":\"$1\",\"capabilities\":${2:-{\}},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}"
    say '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}

# tool ID NAME ARGUMENTS: calls a tool; $data is its structured content.
tool() {
    request "$1" tools/call "{\"name\":\"$2\",\"arguments\":$3}"
    data=$(jq -c '.result.structuredContent // empty' <<<"$out")
}

# is FILTER: whether the reply, or what is given, fulfils it.
is() { check "the reply should fulfil $1" test "$(jq -r "$1" <<<"${2:-$out}" 2>/dev/null)" = true; }

# hang_up: ends the input; sets $status and $rest.
hang_up() {
    exec {to}>&-
    rest=$(timeout $patience_s cat <&"$from")
    wait "$pid"
    status=$?
}
