/*
 * The real engine as judge of the guard: generated and damaged statements; whatever the
 * guard lets through is run by the driver on a scratch database, which must stay as it
 * is, to the byte; no file may appear, and no canary be seen.
 *
 *     oracle sqlite|duckdb --corpus FILE [--statements N] [--seconds S] [--seed N]
 *            [--generated PERCENT] [--state FILE] [--core N]
 *
 * On a core of its own many run side by side (fleet.sh). With a state file a run that was
 * broken off goes on where it was.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "oracle.h"
#include "sql/guard.h"
#include "sql/printed.h"

struct counts {
    long long statements; /* made */
    long long allowed;    /* by the guard */
    long long executed;   /* to the end, or until a limit stopped them */
    long long limited;    /* of those: stopped by a limit of time, size or rows */
    long long invalid;    /* allowed, but not SQL that the engine knows */
    long long locked;     /* allowed by the guard, and refused by the engine's lock */
};

struct run {
    struct world world;
    struct corpus corpus;
    struct dice dice;
    struct counts counts;
    struct arena *arena;
    long long statements;
    int64_t until_ms;
    uint64_t seed;
    uint32_t generated;
    const char *state;
    const char *corpus_path;
    const char *leak; /* a canary was seen */
};

struct seeing {
    struct run *run;
    size_t columns;
};

static bool look_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct seeing *seeing = context;
    (void)columns;
    seeing->columns = count;
    return true;
}

static bool look_row(void *context, const struct value *cells)
{
    struct seeing *seeing = context;
    for (size_t i = 0; i < seeing->columns; i++) {
        bool text = cells[i].kind == VALUE_TEXT || cells[i].kind == VALUE_BLOB;
        if (text &&
            memmem(cells[i].text.data, cells[i].text.size, CANARY, strlen(CANARY))) {
            seeing->run->leak = "a canary was read";
        }
    }
    return true;
}

static void fail(const struct run *run, const char *what, const char *sql)
{
    (void)fprintf(stderr, "oracle: %s (statement %lld, seed %llu)\nSQL: %s\n", what,
                  run->counts.statements, (unsigned long long)run->seed, sql);
    exit(1);
}

static void execute(struct run *run, const char *sql)
{
    enum { TIME_MS = 250, ROWS = 20 };
    struct seeing seeing = {.run = run};
    struct err err;
    const struct datasource_limits limits = {
        .deadline_ms = clock_ms() + TIME_MS, .max_rows = ROWS, .max_bytes = 1 << 20};
    const struct datasource_sink sink = {
        .columns = look_columns, .row = look_row, .context = &seeing};
    struct datasource *source = run->world.source;
    err_clear(&err);
    if (source->driver->execute(source, sql, &limits, &sink, &err)) {
        run->counts.executed++;
    } else if (err.code == ERR_TIMEOUT || err.code == ERR_RESULT_TOO_LARGE) {
        run->counts.executed++;
        run->counts.limited++;
    } else if (err.code == ERR_UNSAFE) {
        run->counts.locked++;
        if (getenv("ORACLE_SHOW_LOCKED")) {
            (void)fprintf(stderr, "locked: %s\n  %s\n", sql, err.message);
        }
    } else {
        run->counts.invalid++;
        if (getenv("ORACLE_SHOW_INVALID")) {
            (void)fprintf(stderr, "invalid: %s\n  %s\n", err.detail, sql);
        }
    }
    if (run->leak) {
        fail(run, run->leak, sql);
    }
    const char *changed = world_changed(&run->world, run->counts.allowed % 256 == 0);
    if (changed) {
        fail(run, changed, sql);
    }
}

static void state_write(const struct run *run)
{
    FILE *file = run->state ? fopen(run->state, "w") : NULL;
    const struct counts *counts = &run->counts;
    if (file) {
        (void)fprintf(file, "%llu %llu %lld %lld %lld %lld %lld %lld\n",
                      (unsigned long long)run->seed, (unsigned long long)run->dice.state,
                      counts->statements, counts->allowed, counts->executed,
                      counts->limited, counts->invalid, counts->locked);
        (void)fclose(file);
    }
}

static void state_read(struct run *run)
{
    FILE *file = run->state ? fopen(run->state, "r") : NULL;
    char line[400];
    if (file && fgets(line, sizeof line, file)) {
        char *at = line;
        long long *counts[] = {&run->counts.statements, &run->counts.allowed,
                               &run->counts.executed,   &run->counts.limited,
                               &run->counts.invalid,    &run->counts.locked};
        run->seed = strtoull(at, &at, 10);
        run->dice.state = strtoull(at, &at, 10);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            *counts[i] = strtoll(at, &at, 10);
        }
    }
    if (file) {
        (void)fclose(file);
    }
}

static void print(const struct run *run)
{
    const struct counts *counts = &run->counts;
    (void)printf(
        "oracle: %s: %lld statements, %lld allowed by the guard, %lld executed"
        " (%lld of them ended by a limit), %lld not known to the engine, %lld"
        " refused by the engine's lock, 0 changes, 0 files, 0 canaries; seed %llu\n",
        dialect_name(run->world.dialect), counts->statements, counts->allowed,
        counts->executed, counts->limited, counts->invalid, counts->locked,
        (unsigned long long)run->seed);
    (void)fflush(stdout);
}

/* What a datasource does before a statement runs: the text is judged, then its print, and
 * the print is what the engine gets. */
static bool judge(struct run *run, struct arena *arena, const char *sql,
                  struct guard_result *out)
{
    enum dialect dialect = run->world.dialect;
    struct printed printed;
    struct err err = {0};
    guard_check(arena, dialect, sql, strlen(sql), run->world.schema, out);
    if (out->verdict != GUARD_READ) {
        return false;
    }
    if (!printed_make(arena, dialect, sql, &printed, &err)) {
        if (err.code != ERR_INTERNAL) {
            return false;
        }
        fail(run, "the print is not the same statement", sql);
    }
    guard_check(arena, dialect, printed.sql, strlen(printed.sql), run->world.schema, out);
    return out->verdict == GUARD_READ;
}

static void go(struct run *run)
{
    enum { SAVE = 20000, REPORT = 500000 };
    struct buf text;
    buf_init(&text, 1 << 20);
    while (run->counts.statements < run->statements &&
           (!run->until_ms || clock_ms() < run->until_ms)) {
        struct arena *scratch = run->arena;
        struct guard_result result;
        buf_clear(&text);
        (dice_roll(&run->dice, 100) < run->generated
             ? grammar_statement
             : mutate_statement)(&run->dice, run->world.dialect, &run->corpus, &text);
        run->counts.statements++;
        if (judge(run, scratch, buf_get(&text), &result)) {
            run->counts.allowed++;
            execute(run, result.sql);
        }
        arena_reset(scratch);
        if (run->counts.statements % SAVE == 0) {
            state_write(run);
        }
        if (run->counts.statements % REPORT == 0) {
            print(run);
        }
    }
    buf_release(&text);
    const char *changed = world_changed(&run->world, true);
    if (changed) {
        fail(run, changed, "(the last ones)");
    }
    state_write(run);
    print(run);
}

/* One core for this process: DuckDB's threads are then as many. */
static void core_take(unsigned long core)
{
    cpu_set_t mine;
    CPU_ZERO(&mine);
    CPU_SET(core % CPU_SETSIZE, &mine);
    (void)sched_setaffinity(0, sizeof mine, &mine);
}

static bool arguments_read(struct run *run, int count, char **values)
{
    if (count < 2) {
        return false;
    }
    for (int i = 2; i + 1 < count; i += 2) {
        const char *value = values[i + 1];
        if (str_equal(values[i], "--statements")) {
            run->statements = strtoll(value, NULL, 10);
        } else if (str_equal(values[i], "--seconds")) {
            run->until_ms = clock_ms() + strtoll(value, NULL, 10) * 1000;
        } else if (str_equal(values[i], "--seed")) {
            run->seed = strtoull(value, NULL, 10);
        } else if (str_equal(values[i], "--generated")) {
            run->generated = (uint32_t)strtoul(value, NULL, 10);
        } else if (str_equal(values[i], "--state")) {
            run->state = value;
        } else if (str_equal(values[i], "--core")) {
            core_take(strtoul(value, NULL, 10));
        } else if (str_equal(values[i], "--corpus")) {
            run->corpus_path = value;
        } else {
            return false;
        }
    }
    return run->corpus_path != NULL;
}

int main(int count, char **values)
{
    struct run run = {.statements = 1LL << 60, .seed = 20261115, .generated = 50};
    struct err err;
    if (!arguments_read(&run, count, values)) {
        (void)fprintf(stderr, "usage: oracle sqlite|duckdb --corpus FILE [--statements N]"
                              " [--seconds S] [--seed N] [--generated PERCENT]"
                              " [--state FILE] [--core N]\n");
        return 2;
    }
    enum dialect dialect =
        str_equal(values[1], "duckdb") ? DIALECT_DUCKDB : DIALECT_SQLITE;
    struct arena *kept = arena_new();
    size_t size = 0;
    char *text = file_read(kept, run.corpus_path, 1 << 20, &size, &err);
    if (!text || !attacks_parse(kept, text, size, &run.corpus.attacks, &err)) {
        (void)fprintf(stderr, "oracle: %s\n", err.message);
        return 2;
    }
    if (!world_make(&run.world, dialect)) {
        (void)fprintf(stderr, "oracle: no %s here\n", values[1]);
        return dialect == DIALECT_DUCKDB ? 77 : 1;
    }
    corpus_shapes(&run.world, kept, &run.corpus);
    run.arena = arena_new();
    run.dice.state = run.seed;
    state_read(&run);
    go(&run);
    arena_free(run.arena);
    world_end(&run.world);
    arena_free(kept);
    return 0;
}
