# Two commands do everything: `make run` and `make test`. `make help` lists the rest.
#
# This file is a list of short commands; the build itself is CMake's (CMakeLists.txt).

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 7
ORACLE_SECONDS ?= 30
ASK ?=

NINJA := ninja -j $(JOBS)
DRAGOMAN := build/dragoman
SAMPLE := build/shop.db
DUCKDB := $(if $(filter off,$(DRAGOMAN_DUCKDB)),-DDRAGOMAN_DUCKDB=OFF)
# twice as many tests as cores: many of them only wait for a server or a clock
TEST_JOBS ?= $(shell expr $(JOBS) \* 2)
CTEST := ctest --output-on-failure --no-tests=ignore -j $(TEST_JOBS)
# more tests to leave out, as "|PATTERN"
QUIET_TESTS ?=

.DEFAULT_GOAL := build
.PHONY: help setup build run chat test test-quick test-overload test-long bench coverage format install \
        uninstall clean hooks dist packages suite-web suite-release suite-asan suite-tsan suite-clang suite-fuzz \
        suite-tidy suite-long suite-valgrind
# make's own echo of commands says little; each step says what it does itself
.SILENT:
MAKEFLAGS += --no-print-directory

help:
	sed -n 's/^#: //p' Makefile

#: dragoman: ask databases in plain language
#:
#:   make              set up what is missing and build build/dragoman, with the list of its parts
#:                     (build/dragoman.cdx.json)
#:   make run          the same, then serve the page with a sample database
#:   make chat         the same, then chat with it in the terminal
#:   make test         everything a change must pass, with the minutes of each suite
#:   make test-quick   layers, style and the release tests only
#:   make test-overload  the suites with three times as many jobs as cores, until ten rounds in a row are clean
#:   make test-long    full fault sweep, long fuzzing, soak, valgrind
#:   make bench        the benchmarks; each prints one table
#:   make coverage     line coverage by folder
#:   make format       lay the C files out by .clang-format (version 14)
#:   make hooks        run the quick checks before every commit
#:   make install      into PREFIX (/usr/local); DESTDIR is honoured
#:   make uninstall    takes out what install put in
#:   make packages     build/packages/: Debian packages, a relocatable archive, npm packages, a Python wheel,
#:                     a container image
#:   make dist         dist/: the source as a tarball, signed with the minisign key DIST_KEY
#:   make clean        removes everything that was built

# ---------------------------------------------------------------- build and run

setup:
	tools/setup build

# Configured once; CMake itself notices what changes later.
build/build.ninja: $(wildcard third_party/duckdb/stamp)
	echo "configure: release build in build/"
	cmake --preset release -DDRAGOMAN_TESTS=OFF $(DUCKDB) >build/configure.log 2>&1 || \
	    { cat build/configure.log >&2; exit 1; }

build: setup
	$(MAKE) build/build.ninja
	echo "build: $(DRAGOMAN)"
	$(NINJA) -C build --quiet dragoman sbom

$(SAMPLE): build
	[ -e $(SAMPLE) ] || { echo "sample: a small shop in $(SAMPLE)"; $(DRAGOMAN) sample $(SAMPLE); }

run: $(SAMPLE)
	echo "page: a sample shop, ready to be asked; no model needed. Ctrl+C ends it."
	exec $(DRAGOMAN) serve --db $(SAMPLE)

chat: $(SAMPLE)
	echo "chat: $(DRAGOMAN) chat --db $(SAMPLE)   (no model needed; \\help for help, \\quit to leave)"
	exec $(DRAGOMAN) chat --db $(SAMPLE)

# ---------------------------------------------------------------- tests

test:
	tools/suites \
	    setup='tools/setup build test' \
	    layers='tools/check-layers-test && tools/check-layers' \
	    style='tools/check-style' \
	    docs='tools/check-docs && tools/check-packaging' \
	    web='$(MAKE) suite-web' \
	    release='$(MAKE) suite-release' \
	    reproducible='tools/check-reproducible' \
	    asan='$(MAKE) suite-asan' \
	    tsan='$(MAKE) suite-tsan' \
	    clang='$(MAKE) suite-clang' \
	    fuzz='SEED=1 $(MAKE) suite-fuzz FUZZ_SECONDS=$(FUZZ_SECONDS)' \
	    tidy='$(MAKE) suite-tidy'

test-quick:
	tools/suites \
	    setup='tools/setup build test' \
	    layers='tools/check-layers' \
	    style='tools/check-style' \
	    docs='tools/check-docs && tools/check-packaging' \
	    release='$(MAKE) suite-release'

test-overload:
	tools/overload $(or $(ROUNDS),10)

test-long:
	tools/suites \
	    setup='tools/setup build test long' \
	    release='$(MAKE) suite-release' \
	    asan='$(MAKE) suite-asan' \
	    long='$(MAKE) suite-long' \
	    fuzz='$(MAKE) suite-fuzz FUZZ_SECONDS=600 ORACLE_SECONDS=600' \
	    soak='tests/soak.sh 600' \
	    clang='$(MAKE) suite-clang' \
	    tidy='NODES=225000 $(MAKE) suite-tidy' \
	    valgrind='$(MAKE) suite-valgrind'

# The page's types and its logic; the page itself is tried in a browser by the release tests.
suite-web:
	cd web && node_modules/.bin/tsc --noEmit && node_modules/.bin/vitest run

# Faults, the oracle and what most drivers are held to are the same with sanitizers, and see more there.
suite-release:
	cmake --preset release -DDRAGOMAN_TESTS=ON -DDRAGOMAN_WERROR=ON $(DUCKDB)
	$(NINJA) -C build
	$(CTEST) --test-dir build -LE long \
	    -E '^faults/(sweep|stop|odd_replies)$$|^fuzz/|^conformance/datasource/(odbc|mongodb|bigquery|clickhouse|files|duckdb|mysql|postgres)$(QUIET_TESTS)'

# What has no C in it to watch runs once, and so does what plays the same code again: the documents' commands,
# the shipped attacks (fixtures and the oracle judge more of them), and the search for secrets in all texts.
# So does the MCP inspector, which starts Node for each line: e2e/mcp/(clients|conformance) speak through the same SDK.
suite-asan:
	cmake --preset asan $(DUCKDB)
	$(NINJA) -C build-asan
	$(CTEST) --test-dir build-asan -LE long -E '^(train|checks|schema|e2e/readme|e2e/attacks)/|^e2e/(cli/secrets|mcp/inspector)$$$(QUIET_TESTS)'

# Threads meet in base (workers, loops), llm, store, service and server, and the cases drive them all; the
# command line's meets that of its question where rows are written as they come (e2e/cli/rows), and those of an
# assistant's streams meet where changes are told (e2e/mcp/streams);
# the rest works for one thread at a time (and test_reply, which only reads texts, takes long).
# The parser's threads are in unit/service/test_parser_brain; its cases would take minutes here.
# DuckDB's own threads are not watched: its library is not built for that (tests/tsan.supp), and
# questions over several sources hold more of its locks than the sanitizer can count. Cases walk
# the same threads again and again: every sixth one is enough.
# Most of the time of a server's tests would go into starting engines (DuckDB's library, loaded into the sanitizer):
# the release build runs them there, and unit/service/test_dataset and others watch an engine's process.
TSAN = ENGINE_PROGRAM=$(abspath $(wildcard build/dragoman)) TSAN_OPTIONS=suppressions=$(CURDIR)/tests/tsan.supp $(CTEST) --test-dir build-tsan -LE long
suite-tsan:
	[ ! -e build/build.ninja ] || $(NINJA) -C build dragoman
	cmake --preset tsan $(DUCKDB)
	$(NINJA) -C build-tsan
	$(TSAN) -R '^(unit|conformance)/(base|llm|store|service|server)|^e2e/server|^e2e/cli/rows|^e2e/mcp/streams' \
	    -E 'unit/llm/test_reply|unit/service/test_suggestions$(QUIET_TESTS)'
	$(TSAN) -I 1,,6 -R '^case/' -E 'case/.*parser|case/across|case/several_by_table'

suite-clang:
	cmake -S . -B build-clang -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
	    -DCMAKE_C_FLAGS_DEBUG=-O0 -DDRAGOMAN_WERROR=ON $(DUCKDB)
	$(NINJA) -C build-clang

# What decides about a change gives the same verdict twice, so `make test` tries the same inputs every time;
# without SEED, as in `make test-long`, others are tried on every day. The ClickHouse engine cannot be loaded by
# a program with sanitizers, so what must be found out there is shown by the release build.
suite-fuzz:
	cmake --preset fuzz $(DUCKDB)
	$(NINJA) -C build-fuzz
	tools/fuzz $(FUZZ_SECONDS)
	tools/oracle $(ORACLE_SECONDS)
	$(CTEST) --test-dir build -R '^fuzz/oracle/clickhouse-proof$$'

suite-tidy:
	tools/tidy $(JOBS)

# The tests with the label "long", under address and undefined behaviour sanitizers.
suite-long:
	tools/chdb/fetch || echo "suite-long: WITHOUT the ClickHouse engine: its tests are skipped"
	cmake --preset asan $(DUCKDB)
	$(NINJA) -C build-asan
	$(CTEST) --test-dir build-asan -L long

suite-valgrind:
	cmake --preset debug -DDRAGOMAN_TESTS=ON
	$(NINJA) -C build-debug
	tools/memcheck $(JOBS)

coverage:
	tools/setup build test coverage
	cmake --preset coverage $(DUCKDB)
	$(NINJA) -C build-coverage
	find build-coverage -name '*.gcda' -delete
	$(CTEST) --test-dir build-coverage -LE long >build-coverage/tests.log 2>&1 || tail -n 12 build-coverage/tests.log
	tools/coverage

bench: build
	tools/bench

# ---------------------------------------------------------------- the rest

format:
	clang-format --version | grep -q 'version 14\.' || { echo "clang-format 14 is needed" >&2; exit 1; }
	find src include tests bench -name '*.[ch]' | xargs clang-format -i

hooks:
	git config core.hooksPath tools/hooks
	echo "hooks: the quick checks now run before every commit"

install: build
	$(NINJA) -C build --quiet dragoman_shared completions
	DESTDIR=$(DESTDIR) cmake --install build --prefix $(PREFIX)

packages: build
	packaging/deb/build build build/packages
	packaging/archive/build build build/packages
	packaging/npm/build build build/packages
	bindings/python/build build build/packages
	packaging/image/build build build/packages
	cd build/packages && sha256sum *.deb *.tar.xz *.tgz *.whl *.tar >SHA256SUMS

dist:
	DIST_KEY="$(DIST_KEY)" tools/dist dist

uninstall:
	while read -r file || [ -n "$$file" ]; do rm -fv "$(DESTDIR)$$file"; done <build/install_manifest.txt

clean:
	rm -rf build build-* dist
