#!/bin/bash
# A server gives up rights when it starts. A library that is loaded into it tries what an intruder would try, once with
# the sandbox and once without; root becomes a user; files that come later are refused in plain words.
# usage: cage.sh DRAGOMAN FOLDER-OF-HELPERS
# shellcheck source-path=SCRIPTDIR source=http.sh
. "$(dirname "$0")/http.sh"
intruder=$helpers/libe2e_server_intruder.so
export DRAGOMAN_AGENT_BRAIN=parser
shown="" status=0 out="" err=""

mkdir -p inside outside temporary settings
"$dragoman" sample inside/shop.db >/dev/null 2>&1
cp inside/shop.db outside/other.db
echo secret >outside/secret
export TMPDIR=$PWD/temporary
export INTRUDER_OUTSIDE=$PWD/outside/secret INTRUDER_NEW=$PWD/outside/new INTRUDER_INSIDE=$PWD/inside/shop.db
export ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS-} DRAGOMAN_LOG_LEVEL=info

sanitizer=$(grep -qaE '__(asan|tsan)_init' "$dragoman" && echo yes)
layers() { sed -n 's/.*sandbox: //p' "$serve_err"; }
said() { sed -n "s/^$1: //p" "$work/report"; }
came_of() { check "$1 should be: $2, is: $(said "$1")" test "$(said "$1")" = "$2"; }
intruded() { # ARGUMENT...: serves with the intruder inside, until it has tried everything
    rm -f "$work/report" outside/new
    INTRUDER_REPORT=$work/report LD_PRELOAD=$intruder serve --db inside/shop.db --data "$work/kept" "$@"
    for ((i = 0; i < 600; i++)); do
        grep -q '^end$' "$work/report" 2>/dev/null && break
        sleep 0.05
    done
    check "the intruder should have come to its end" grep -q '^end$' "$work/report"
}

# ---- without the sandbox it gets what it wants: the trial itself is good
INTRUDER_IN_PROCESS=yes intruded --set server.sandbox=off
check "no layer should be told: $(layers)" test "$(layers)" = none
for what in "read outside" "write outside" "read inside" "write inside" listen fork code; do
    came_of "$what" "done"
done
serve_ends TERM

# ---- with it, nothing but what a server needs
intruded
held=$(layers)
came_of "read inside" "done"
if [[ $held == *files* ]]; then
    came_of "read outside" "Permission denied"
    came_of "write outside" "Permission denied"
    came_of "write inside" "Permission denied"
    check "nothing should have been written" test ! -e outside/new
fi
if [[ $held == *tcp* ]]; then
    came_of listen "Permission denied"
fi
if [[ $held == *calls* ]]; then
    came_of exec "Operation not permitted"
    came_of code "Operation not permitted"
    came_of signal "Operation not permitted"
    came_of "raw socket" "Operation not permitted"
    [ -n "$sanitizer" ] || came_of fork "Operation not permitted"
    check "every thread should have the filter" \
        test "$(grep -h '^Seccomp:' "/proc/$server/task"/*/status | sort -u | tr -d '\t')" = Seccomp:2
fi
if [[ $held == *privileges* ]]; then
    check "no new privileges" grep -q '^NoNewPrivs:	1' "/proc/$server/status"
    check "no core dump" grep -q '^Max core file size  *0  *0 ' "/proc/$server/limits"
    check "none of root's powers but those over files" \
        test $((0x$(sed -n 's/^CapEff:	//p' "/proc/$server/status") & ~6)) = 0
fi

# ---- and it works: questions, uploads, exports
http POST /api/v1/ask '{"query": "How many customers are there?"}'
rest "$(field query_id)"
out_has '"status":"finished"'
serve_ends TERM

# ---- the process that DuckDB runs in is killed: /readyz says whether another can be started
for sandbox in auto off; do
    serve --db inside/shop.db --data "$work/kept" --set server.sandbox=$sandbox
    spawner=$(grep -lx dragoman-spawn /proc/[0-9]*/comm 2>/dev/null | while IFS=/ read -r _ _ pid _; do
        grep -q "^PPid:	$server$" "/proc/$pid/status" 2>/dev/null && echo "$pid"
    done)
    [ -n "$spawner" ] || { serve_ends TERM; continue; } # a build without DuckDB
    http GET /readyz
    status_is 200
    kill -KILL "$spawner"
    for ((i = 0; i < 600; i++)); do
        [[ $(sed -n 's/^State:	//p' "/proc/$spawner/status" 2>/dev/null) == [^Z]* ]] || break
        sleep 0.05
    done
    http GET /readyz
    if [[ $held == *calls* && $sandbox = auto && -z $sanitizer ]]; then
        error_is 503 DATASOURCE_UNREACHABLE
        out_has "The process that runs DuckDB has ended"
        out_has "Restart the server."
        http GET /readyz
        status_is 503
    elif [ $sandbox = off ]; then
        status_is 200
    fi
    http GET /healthz
    status_is 200
    serve_ends TERM
done

# ---- a datasource that comes later lies outside, unless its folder was named before
if [[ $held == *files* ]]; then
    cat >settings/dragoman.yaml <<Y
datasources:
  - {id: shop, url: $PWD/inside/shop.db}
Y
    for named in "" "$PWD/outside"; do
        sed -i '/other/d' settings/dragoman.yaml
        serve --config settings/dragoman.yaml --data "$work/kept" --set "server.sandbox_paths=$named"
        echo "  - {id: other, url: $PWD/outside/other.db}" >>settings/dragoman.yaml
        kill -HUP "$server"
        for ((i = 0; i < 600; i++)); do
            grep -q 'Configuration reloaded' "$serve_err" && break
            sleep 0.05
        done
        http GET /api/v1/datasources/other/schema
        if [ -n "$named" ]; then
            status_is 200
        else
            error_is 403 ACCESS
            out_has "outside of the server's sandbox"
            out_has server.sandbox_paths
            out_lacks "$work"
        fi
        serve_ends TERM
    done
fi

# ---- `required` means it; other words are errors
run serve --db inside/shop.db --listen 127.0.0.1:0 --set server.sandbox=perhaps
status_is 5
err_has "auto, required or off"
if [[ $held == *files*calls* ]]; then
    serve --db inside/shop.db --data "$work/kept" --set server.sandbox=required
    serve_ends TERM
fi

# ---- root becomes a user, also with a data folder that it makes for it
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
    chmod 755 "$work" "$PWD" inside
    chmod 1777 temporary
    chmod 777 .
    # The sanitizer reads its file again in the process that runs engines, as that user: the checkout may be closed to it.
    if [ -n "$sanitizer" ] && [[ ${TSAN_OPTIONS-} == suppressions=* ]]; then
        install -m 644 "${TSAN_OPTIONS#suppressions=}" "$work/tsan.supp"
        export TSAN_OPTIONS=suppressions=$work/tsan.supp
    fi
    serve --db inside/shop.db --data of-nobody --set server.user=nobody
    check "every id should be nobody's" \
        test "$(sed -n 's/^Uid:	//p' "/proc/$server/status" | tr '\t' '\n' | sort -u)" = "$(id -u nobody)"
    check "no capability should be left" grep -q '^CapPrm:	0*$' "/proc/$server/status"
    check "no further group of root's" \
        test -z "$(sed -n 's/^Groups:[	 ]*//p' "/proc/$server/status" | tr -s ' 0-9' '\n' | grep -w 0)"
    check "the data folder should be nobody's" test "$(stat -c %U of-nobody)" = nobody
    check "nothing should warn of root" test -z "$(grep 'runs as root' "$serve_err")"
    http POST /api/v1/ask '{"query": "How many customers are there?"}'
    rest "$(field query_id)"
    out_has '"status":"finished"'
    serve_ends TERM
    serve --db inside/shop.db --data "$work/kept"
    check "it should warn of root" grep -q 'runs as root.*server.user' "$serve_err"
    serve_ends TERM
    run serve --db inside/shop.db --listen 127.0.0.1:0 --set server.user=no-such-user
    status_is 5
    err_has "There is no user"
fi
summary
