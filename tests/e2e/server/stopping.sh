# shellcheck shell=bash disable=SC2034,SC2154
# Queries that never end, in four engines, and how it is seen that they were ended: for the test `stops` and for
# bench/stop.sh. On top of http.sh.

servers=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../conformance/datasource") # before http.sh goes elsewhere
# shellcheck source=http.sh
. "$(dirname "${BASH_SOURCE[0]}")/http.sh"

# Four times a thousand rows: more than anybody waits for, in every engine.
endless='SELECT COUNT(*) AS n FROM numbers a, numbers b, numbers c, numbers d WHERE a.i + b.i + c.i + d.i < 0'
patience_s=20 # until a test gives up; the figures are printed

stop_engines() {
    "$servers/postgres-server" stop "$work/postgres" 2>/dev/null
    "$servers/mysql-server" stop "$work/mysql" 2>/dev/null
    finish
}

# Sets $engines (those that are there) and $sources (their --db).
start_engines() {
    local port
    port=$("$here/../../free-port")
    engines=(sqlite)
    sources=(--db sqlite.db)
    sqlite3 sqlite.db 'CREATE TABLE numbers (i INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) INSERT INTO numbers SELECT i FROM n'
    if [ -x "$helpers/e2e_cli_duckdb" ]; then
        mkdir duckdb
        { echo i && seq 1000; } >duckdb/numbers.csv
        engines+=(duckdb)
        sources+=(--db ./duckdb)
    fi
    mkdir "$work/postgres" "$work/mysql"
    chmod 755 "$work"
    trap stop_engines EXIT
    if "$servers/postgres-server" start "$work/postgres" "$port" $$; then
        psql=(psql -qXAt -h "$work/postgres" -p "$port" -U test -d postgres)
        "${psql[@]}" -c "CREATE ROLE reader LOGIN PASSWORD 'x'" -c "CREATE TABLE numbers AS
            SELECT i::int FROM generate_series(1, 1000) AS s(i)" -c "GRANT SELECT ON numbers TO reader"
        engines+=(postgres)
        sources+=(--db "postgres://reader:x@127.0.0.1:$port/postgres")
    fi
    if "$servers/mysql-server" start "$work/mysql" $((port + 1)) $$; then
        mariadb=(mariadb --no-defaults -S "$work/mysql/sock" -u root -N -B)
        "${mariadb[@]}" -e "CREATE DATABASE mysqlish; USE mysqlish; CREATE TABLE numbers AS SELECT seq AS i FROM seq_1_to_1000;
            CREATE TABLE one AS SELECT 'a' AS word; CREATE TABLE two AS SELECT 'b' AS word; -- sampled beside each other
            CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'x'; GRANT SELECT ON mysqlish.* TO reader@'127.0.0.1'"
        engines+=(mysqlish)
        sources+=(--db "mysql://reader:x@127.0.0.1:$((port + 1))/mysqlish")
    fi
}

now_ms() { # without a process of its own
    local now=${EPOCHREALTIME/[.,]/}
    echo $((now / 1000))
}

# busy: is a thread of the server, or of an engine's process, computing, or waiting for its turn to? One look may meet
# a moment's work.
busy() {
    local looks=0 i state places=() pid
    for pid in $(family); do places+=("/proc/$pid/task"); done
    for ((i = 0; i < 8; i++)); do
        state=$(find "${places[@]}" -mindepth 2 -maxdepth 2 -name stat -exec cat {} + 2>/dev/null |
            sed 's/.*) \(.\).*/\1/' | grep -c R)
        [ "$state" -gt 0 ] && looks=$((looks + 1))
        sleep 0.02
    done
    [ $looks -ge 6 ]
}

postgres_at_work="SELECT COUNT(*) FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active'
    AND query LIKE '%numbers%'"
mysql_at_work="SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'reader' AND info LIKE '%numbers%'"

# at_work ENGINE: is the query seen there?
at_work() {
    case $1 in
    postgres) [ "$("${psql[@]}" -c "$postgres_at_work")" -gt 0 ] ;;
    mysqlish) [ "$("${mariadb[@]}" -e "$mysql_at_work")" -gt 0 ] ;;
    *) busy ;;
    esac
}

# ended_at ENGINE: waits until it is gone, and says when that was (ms); nothing: it is still there. The servers look
# themselves, every 2 ms.
ended_at() {
    case $1 in
    postgres)
        "${psql[@]}" 2>&1 <<SQL | sed -n 's/.*gone at \([0-9]*\).*/\1/p'
DO \$\$ BEGIN
    FOR i IN 1 .. $((patience_s * 500)) LOOP
        PERFORM pg_stat_clear_snapshot();
        IF ($postgres_at_work) = 0 THEN
            RAISE NOTICE 'gone at %', (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
            RETURN;
        END IF;
        PERFORM pg_sleep(0.002);
    END LOOP;
END \$\$
SQL
        ;;
    mysqlish)
        "${mariadb[@]}" <<SQL
DELIMITER //
BEGIN NOT ATOMIC
    DECLARE i INT DEFAULT 0;
    WHILE i < $((patience_s * 500)) AND ($mysql_at_work) > 0 DO
        DO SLEEP(0.002);
        SET i = i + 1;
    END WHILE;
    IF ($mysql_at_work) = 0 THEN
        SELECT CAST(UNIX_TIMESTAMP(SYSDATE(3)) * 1000 AS UNSIGNED);
    END IF;
END//
SQL
        ;;
    *) # the one worker is free again when it answers the next question
        sleep 0.3
        local next
        next=$(curl -s -m $patience_s -d '{"sql": "SELECT COUNT(*) AS n FROM numbers", "datasource": "'"$1"'"}' \
            "$address/api/v1/sql" | sed -n 's/.*"query_id":"\([^"]*\)".*/\1/p')
        curl -sN -m $patience_s "$address/api/v1/ask/$next/stream" | grep -q '^event: done' && now_ms
        ;;
    esac
}

# stop_by WAY ENGINE: asks what never ends, and has it ended. Sets $ms (empty: it was not) and $id.
stop_by() {
    local way=$1 engine=$2 client='' watcher began ended
    http POST /api/v1/chat/sessions "{\"datasource\": \"$engine\"}"
    local session
    session=$(field session_id)
    local body="\"session_id\": \"$session\", \"no_cache\": true"
    id=
    case $way in
    leave)
        curl -s -m 120 -o "$work/left" -d "{\"message\": \"How many numbers are there?\", $body}" \
            "$address/api/v1/chat" &
        client=$!
        ;;
    hang_up)
        curl -s -m 120 -o "$work/left" -d "{\"message\": \"How many numbers are there?\", \"session_id\": \"$session\"}" \
            "$address/agents/text-to-sql/chat" &
        client=$!
        ;;
    *)
        http POST /api/v1/ask "{\"query\": \"How many numbers are there?\", $body}"
        id=$(field query_id)
        ;;
    esac
    # what never began would be "ended" at once
    waits_for "the query should be at work in $engine before it is ended by $way" at_work "$engine"
    ended_at "$engine" >"$work/ended" &
    watcher=$!
    sleep 0.3
    began=$(now_ms)
    case $way in
    stop) http POST "/api/v1/ask/$id/stop" ;;
    delete) http DELETE "/api/v1/chat/sessions/$session" ;;
    halt) http POST "/api/v1/chat/sessions/$session/stop" ;;
    leave | hang_up)
        kill -9 "$client" # it says nothing: its socket is closed
        wait "$client" 2>/dev/null
        status=200
        ;;
    esac
    wait "$watcher"
    ended=$(cat "$work/ended")
    ms=${ended:+$((ended - began))}
}

# listen_to_model: from now on what is at work is the stream of e2e_server_speaker.
listen_to_model() {
    calls=$(grep -c ^called "$work/heard")
    heard() { # WHAT COUNT: so many have called, or hung up
        for ((i = 0; i < patience_s * 20; i++)); do
            [ "$(grep -c "^$1" "$work/heard")" -ge "$2" ] && return 0
            sleep 0.05
        done
        return 1
    }
    at_work() {
        calls=$((calls + 1))
        heard called $calls
    }
    ended_at() { heard closed $calls && tail -n 1 "$work/heard" | cut -d' ' -f2; }
}
