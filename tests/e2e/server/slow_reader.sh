#!/bin/bash
# Clients that ask over the OpenAI-compatible interface and never read: they cost little memory, are closed in time, and
# nobody else waits for them.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

# fifty rows of twenty long texts: the answer is about as large as one may be
cell=$(head -c 500 /dev/zero | tr '\0' 'x')
columns=$(printf ", c%d TEXT" {1..20})
"$helpers/e2e_cli_database" notes.db "CREATE TABLE notes (id INTEGER PRIMARY KEY$columns);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO notes SELECT i$(printf ", '$cell'%.0s" {1..20}) FROM n;"
script openai <<S
$(says "Wait for it" 60000 <<<'{"intent": "TEXT_TO_SQL", "sql": "SELECT 1"}')
$(says "list the notes" "" <<<'{"intent": "TEXT_TO_SQL", "tables": [{"name": "notes"}], "joins_needed": false, "summary": "Notes.", "sql": "SELECT * FROM notes"}')
S
serve "${model[@]}" --set llm.timeout_s=600 --set agent.timeout_s=600 --set agent.ask_when_vague=false \
    --set server.idle_timeout_s=2 --set server.heartbeat_s=1 --db notes.db

# request TEXT STREAM: as it stands on the wire
request() {
    local body="{\"model\": \"notes\", \"stream\": $2, \"messages\": [{\"role\": \"user\", \"content\": \"$1\"}]}"
    printf 'POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' \
        "$host" "${#body}" "$body"
}
http POST /v1/chat/completions '{"model": "notes", "messages": [{"role": "user", "content": "list the notes"}]}'
status_is 200
check "the answer should be large" test "${#out}" -gt 100000

# resident: what the server's memory is, in KB
resident() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$server/status"; }
before=$(resident)
clients=${SLOW_READER_CLIENTS:-20} requests=20
most_mb=${SLOW_READER_MB:-160} # a sanitizer keeps what was freed
for stream in true false; do
    open=()
    for ((i = 0; i < clients; i++)); do
        exec {client}<>"/dev/tcp/${host%:*}/${host#*:}"
        open+=("$client")
        for ((k = 0; k < requests; k++)); do request "list the notes" $stream; done >&"$client" 2>/dev/null &
        background+=($!)
    done
    waits_for "they should be there" eval '! figure_is connections 1'
    # meanwhile: others are answered, and what waits to be read is bounded
    for _ in 1 2 3; do
        http POST /v1/chat/completions '{"model": "notes", "messages": [{"role": "user", "content": "list the notes"}]}'
        status_is 200
        grown=$(($(resident) - before))
        check "the memory should be bounded (stream $stream, $grown KB)" test "$grown" -lt $((most_mb * 1024))
    done
    waits_for "they should be closed" figure_is connections 1
    waits_for "no stream should be open" figure_is streams 0
    waits_for "nothing should be at work" figure_is questions_at_work 0
    for client in "${open[@]}"; do exec {client}>&-; done
done

# one that waits for an answer and reads no heartbeat is not closed before it: the buffers of the system take them
exec {client}<>"/dev/tcp/${host%:*}/${host#*:}"
request "Wait for it" true >&"$client"
waits_for "its question should be at work" figure_is questions_at_work 1
exec {client}>&-
waits_for "its question should end with it" figure_is questions_at_work 0
serve_ends TERM
summary
