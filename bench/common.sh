# Shared by the benchmark scripts: builds the tools, starts the stub model, makes the sample.
BUILD=${BUILD:-build}
WORK=$(mktemp -d)
STUB_PID=
SERVER_PID= # of what is measured, where a script starts it
stop_server() {
    [ -z "$SERVER_PID" ] || { kill "$SERVER_PID" 2>/dev/null && wait "$SERVER_PID" 2>/dev/null || true; }
    SERVER_PID=
}
trap 'stop_server; [ -z "$STUB_PID" ] || kill "$STUB_PID" 2>/dev/null || true; rm -rf "$WORK"' EXIT INT TERM

# wanted NAME: is this part among those that --only names?
wanted() {
    # shellcheck disable=SC2254
    case $1 in $ONLY) return 0 ;; *) return 1 ;; esac
}

build_tools() {
    [ -f "$BUILD/build.ninja" ] || cmake --preset release -DDRAGOMAN_TESTS=OFF >/dev/null
    ninja -C "$BUILD" --quiet dragoman "$@"
}

# start_stub DELAY-MS [OPTION]...: an OpenAI-compatible server that always says the same right thing
start_stub() {
    delay=$1
    shift
    cat >"$WORK/reply.json" <<'REPLY'
{"intent":"TEXT_TO_SQL","tables":[{"name":"customers","columns":["id"],"confidence":0.95,"reason":"asked for"}],"joins_needed":false,"summary":"Count all customers.","plan":["Count the rows of customers."],"sql":"SELECT COUNT(*) AS n FROM customers","explanation":"Counts the customers."}
REPLY
    [ -z "$STUB_PID" ] || kill "$STUB_PID"
    "$BUILD/stub_llm" --port 0 --delay-ms "$delay" --reply "$WORK/reply.json" "$@" >"$WORK/stub.out" &
    STUB_PID=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        grep -q '[0-9]' "$WORK/stub.out" 2>/dev/null && break
        sleep 0.1
    done
    STUB=http://127.0.0.1:$(grep -o '[0-9][0-9]*' "$WORK/stub.out" | tail -1)/v1
}

make_sample() {
    "$BUILD/dragoman" sample "$WORK/shop.db" >/dev/null
}
