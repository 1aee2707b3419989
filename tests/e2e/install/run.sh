#!/bin/sh
# Installs into an empty prefix and uses what is there as a stranger would: the program, the
# library through pkg-config, DuckDB by its installed path.
#
# usage: run.sh BUILD_FOLDER SOURCE_FOLDER
set -eu
build=$(realpath "$1")
source=$(realpath "$2")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
here=$source/tests/e2e/install
version=$(cat "$source/VERSION")

fail() { echo "not ok: $*" >&2; exit 1; }

unset OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY OLLAMA_HOST 2>/dev/null || true
export HOME="$room" XDG_DATA_HOME="$room/data" XDG_CONFIG_HOME="$room/config"
cd "$room"

# DESTDIR first, then moved: nothing in it may depend on where it was installed to.
DESTDIR="$room/stage" cmake --install "$build" --prefix /usr >"$room/install.log" || {
    cat "$room/install.log"
    fail "cmake --install"
}
mv "$room/stage/usr" "$room/prefix"
for file in bin/dragoman include/dragoman.h include/dragoman_store.h include/dragoman_server.h lib/libdragoman.so "lib/libdragoman.so.$version" \
    lib/pkgconfig/dragoman.pc share/man/man1/dragoman.1 \
    share/bash-completion/completions/dragoman share/zsh/site-functions/_dragoman \
    share/fish/vendor_completions.d/dragoman.fish; do
    [ -s "prefix/$file" ] || fail "$file is missing or empty"
done

if [ -e "$build/dragoman.cdx.json" ]; then
    grep -q CycloneDX prefix/share/dragoman/dragoman.cdx.json || fail "the list of parts is missing"
fi

# The program.
PATH="$room/prefix/bin:$PATH"
dragoman version | grep -qF "$version" || fail "dragoman version"
dragoman sample shop.db >/dev/null
dragoman sql --db shop.db "select 6 * 7 as answer" | grep -q 42 || fail "dragoman sql on SQLite"

# The library, by its documented recipe; and its header is C++ too.
export PKG_CONFIG_PATH="$room/prefix/lib/pkgconfig" LD_LIBRARY_PATH="$room/prefix/lib"
[ "$(pkg-config --modversion dragoman)" = "$version" ] || fail "pkg-config --modversion"
# shellcheck disable=SC2046
${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror -o embed "$here/embed.c" $(pkg-config --cflags --libs dragoman)
output=$(DRAGOMAN_AGENT_BRAIN=llm DRAGOMAN_LLM_PROVIDER=scripted DRAGOMAN_LLM_SCRIPT="$source/tests/e2e/readme/model.script" \
    ./embed shop.db "How many customers are there?") || fail "embed: $output"
echo "$output" | grep -qi 'count' || fail "embed: $output"
output=$(./embed shop.db "How many customers are there?") || fail "embed without a model: $output"
echo "$output" | grep -q 2400 || fail "embed without a model: $output"

# DuckDB, when this build has its library: found by the program and by a program of a stranger.
if [ -e prefix/lib/dragoman/libduckdb.so ]; then
    ${CC:-cc} -o make_duckdb "$here/make_duckdb.c"
    ./make_duckdb prefix/lib/dragoman/libduckdb.so goods.duckdb
    dragoman sql --db goods.duckdb "select sum(price) as total from goods" | grep -q 7 || fail "DuckDB, from the program"
    LD_DEBUG=files dragoman sql --db goods.duckdb "select 1" >loaded 2>&1 || fail "under LD_DEBUG"
    grep 'libduckdb.so.*generating link map' loaded | grep -qF "$room/prefix" ||
        fail "the program loads another DuckDB"
    LD_DEBUG=files ./embed goods.duckdb "what tables are there?" >loaded 2>&1 || fail "embed with DuckDB"
    grep 'libduckdb.so.*generating link map' loaded | grep -qF "$room/prefix" ||
        fail "the library loads another DuckDB"
fi

status=0
./embed missing.db "How many?" >/dev/null 2>message || status=$?
[ "$status" = 10 ] || fail "embed on a missing file: status $status"
[ -s message ] || fail "embed on a missing file says nothing"
if command -v clang++ >/dev/null 2>&1; then
    echo '#include <dragoman_server.h>' >header.cc
    # shellcheck disable=SC2046
    clang++ -Wall -Wextra -Werror -fsyntax-only header.cc $(pkg-config --cflags dragoman)
fi

# Only dgm_ names come out of the library.
if command -v nm >/dev/null 2>&1; then
    foreign=$(nm -D --defined-only prefix/lib/libdragoman.so | awk '$3 !~ /^dgm_/ { print $3 }')
    [ -z "$foreign" ] || fail "libdragoman.so exports $foreign"
fi
# Nothing of the machine that built it is in what is installed as text.
if grep -rlF "$source" prefix/lib/pkgconfig prefix/share prefix/include; then
    fail "the files above name the source folder"
fi
echo "install: ok"
