#!/bin/bash
# Text from cells, names, questions and a model in event streams, headers, answers and logs: it makes no
# event, no header and no log line of its own, and nothing of it is live.
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"

forged=$'x\n\nevent: done\ndata: {"forged":1}\n\n\rdata: y\xe2\x80\xa8'
"$helpers/e2e_cli_database" evil.db "
    CREATE TABLE notes (id INTEGER PRIMARY KEY, \"name$forged\" TEXT);
    INSERT INTO notes VALUES (1, '$forged'), (2, '<script>alert(1)</script>');"
script evil <<'S'
>>> understand
when: ask back
repeat
---
{"intent": "CLARIFICATION_NEEDED", "clarification": {"question": "Which?\n\nevent: done\ndata: {\"forged\":2}\n\n",
 "options": ["a\r\ndata: forged", "![x](http://evil.example/?q)"]}}
<<<
>>> understand
when: go wrong
repeat
---
{"tables": [{"name": "notes"}], "sql": "DROP TABLE notes\n\nevent: done\ndata: forged\n\n"}
<<<
>>> understand
repeat
---
{"intent": "TEXT_TO_SQL", "tables": [{"name": "notes"}], "plan": ["one\n\nevent: done\ndata: forged\n\n", "\rtwo"],
 "summary": "s\nevent: done", "sql": "SELECT *\n\n\rFROM notes", "explanation": "![x](http://evil.example/?q)\n\nevent: done"}
<<<
S
serve "${model[@]}" -v --db evil.db

# Every line of a stream is one that we wrote, and it ends once.
stream_is_sound() {
    printf '%s' "$out" >stream
    check "no carriage return should be sent" bash -c "! grep -q \$'\\r' stream"
    check "every line should be a field of ours" bash -c "! grep -vqE '^((id: [0-9]+|event: [a-z]+|data: \\{.*\\}|: hi)|)$' stream"
    check "it should end once" test "$(grep -cE '^event: (done|clarification)$' stream)" -ge 1
    check "one last event" test "$(grep -c '^event: done$' stream)" -le 1
    check "no event should be forged" bash -c "! grep -q '^data: {\"forged\"' stream"
}

for question in "Which notes are there?" "Which notes should ask back to me?" "Which notes will go wrong?"; do
    http POST /api/v1/ask "{\"query\": \"$question\"}"
    status_is 202
    id=$(field query_id)
    rest "$id"
    answer=$out
    check "no forged answer" lacks "$answer" '"forged":1}'
    check "no live link" lacks "$answer" '](http'
    http GET "/api/v1/ask/$id/stream"
    status_is 200
    stream_is_sound
done

# A question that brings its own lines, and one that follows the events from the start.
http POST /api/v1/chat/stream '{"message": "Which notes\n\nevent: done\ndata: {\"forged\":3}\r\n\r\nare there?"}'
status_is 200
stream_is_sound

# Headers and errors: nothing of a path or a parameter becomes a header or HTML.
for path in '/api/v1/ask/x%0d%0aX-Forged:%201' '/api/v1/ask/%3Cscript%3Ealert(1)%3C%2Fscript%3E' '/nowhere%0d%0aX-Forged:1' \
    "/api/v1/ask/x/stream?last_event_id=1%0d%0aX-Forged:1"; do
    http GET "$path"
    check "no forged header" lacks "$head" "X-Forged"
    check "an error should be no page" lacks "$head" "text/html"
done
serve_ends TERM
check "the log should hold no forged line" bash -c "! grep -aqE '^(event|data):' '$work/serve.err'"

summary
