/* Plays the shipped attacks against a scratch database. */
#include "lab/selftest/selftest.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/staging/scratch.h"
#include "sql/guard.h"

/* Only a test is built with this, to see what the engines hold by themselves: no
 * setting, flag or variable can reach it. */
#ifdef DRAGOMAN_SELFTEST_WITHOUT_GUARD
const char selftest_mark[] = "selftest: the guard is switched off";
const bool selftest_guarded = false;
#else
const bool selftest_guarded = true;
#endif

struct classes {
    struct dgm_trial *items;
    size_t count;
    size_t capacity;
};

struct playing {
    struct selftest_world *world;
    struct arena *arena;
    const char *corpus; /* the dialect that its file is named after */
    struct classes classes;
    struct buf breaches; /* a line each */
    const char *seen;    /* what must not be seen, in this attack */
    size_t columns;
};

static struct dgm_trial *class_of(struct playing *work, const char *name)
{
    for (size_t i = 0; i < work->classes.count; i++) {
        if (str_equal(work->classes.items[i].class_name, name)) {
            return &work->classes.items[i];
        }
    }
    struct dgm_trial *trial = VEC_ADD(work->arena, &work->classes);
    trial->dialect = work->corpus;
    trial->class_name = name;
    return trial;
}

static void look_at(struct playing *work, const char *data, size_t size)
{
    static const struct {
        const char *text;
        const char *what;
    } canaries[] = {
        {SCRATCH_CANARY, "read the vault"},
        {"root:x:0:", "read a file"},
    };
    for (size_t i = 0; i < sizeof canaries / sizeof *canaries; i++) {
        if (memmem(data, size, canaries[i].text, strlen(canaries[i].text))) {
            work->seen = canaries[i].what;
        }
    }
}

static bool look_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct playing *work = context;
    work->columns = count;
    for (size_t i = 0; i < count; i++) {
        look_at(work, columns[i].name, strlen(columns[i].name));
    }
    return true;
}

static bool look_row(void *context, const struct value *cells)
{
    struct playing *work = context;
    for (size_t i = 0; i < work->columns; i++) {
        if (cells[i].kind == VALUE_TEXT || cells[i].kind == VALUE_BLOB) {
            look_at(work, cells[i].text.data, cells[i].text.size);
        }
    }
    return true;
}

/* Through every layer, as a question's SQL goes; or past the guard, in that test. */
static bool selftest_play(struct playing *work, const struct attack *attack,
                          const struct schema *schema, struct err *err)
{
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + SELFTEST_TIME_MS,
                                             .max_rows = 1000,
                                             .max_bytes = 8 << 20};
    const struct datasource_sink sink = {
        .columns = look_columns, .row = look_row, .context = work};
    struct datasource *source = work->world->source;
    return selftest_guarded
               ? datasource_stream(source, attack->sql, schema, &limits, &sink, err)
               : source->driver->execute(source, attack->sql, &limits, &sink, err);
}

/* An attack that fooled one of the layers is told where to find it again. */
static void breach(struct playing *work, struct dgm_trial *trial,
                   const struct attack *attack, const char *what)
{
    trial->breaches++;
    (void)buf_format(&work->breaches, "%s.txt:%zu: %s (%s)\n", trial->dialect,
                     attack->line, attack->reason, what);
}

static void play(struct playing *work, const struct attack *attack)
{
    struct dgm_trial *trial = class_of(work, attack->class);
    struct arena *scratch = arena_new();
    struct guard_result verdict;
    struct err err;
    err_clear(&err);
    trial->statements++;
    const struct schema *schema = work->world->schema;
    guard_check(scratch, work->world->dialect, attack->sql, attack->size, schema,
                &verdict);
    bool refused = selftest_guarded && verdict.verdict != GUARD_READ;
    if (refused) { /* for names it should not know? then the policy holds it alone */
        schema = work->world->whole;
        guard_check(scratch, work->world->dialect, attack->sql, attack->size, schema,
                    &verdict);
    }
    bool alone = refused && verdict.verdict == GUARD_READ;
    arena_free(scratch);
    if (refused && !alone) {
        trial->by_guard++;
        return;
    }
    int64_t since_ms = clock_ms();
    work->seen = NULL;
    bool ran = selftest_play(work, attack, schema, &err);
    int64_t took_ms = clock_ms() - since_ms;
    look_at(work, err.message, strlen(err.message));
    look_at(work, err.detail, strlen(err.detail));
    const char *harm = work->seen;
    if (!harm) {
        harm = selftest_world_harm(work->world);
    }
    if (!harm && took_ms > SELFTEST_TIME_MOST_MS) {
        harm = "took too long";
    }
    if (harm) {
        breach(work, trial, attack, harm);
    } else if (ran) {
        trial->harmless++;
    } else if (alone) {
        trial->by_policy++;
    } else {
        trial->by_engine++;
    }
}

/* Of a server: what stands behind everything else. NULL: that is not known. */
static const char *login_of(const struct playing *work)
{
    struct datasource_inspection found;
    struct err ignored;
    if (work->world->path ||
        !datasource_inspect(work->world->witness, NULL, work->arena, &found, &ignored) ||
        !datasource_verdict(&found)) {
        return NULL;
    }
    const char *dangers = str_join(work->arena, &found.dangers, ", ");
    return arena_format(work->arena, "%s %s%s%s", str_or_empty(found.user),
                        datasource_verdict(&found), dangers[0] ? ": " : "", dangers);
}

/* One corpus; `last`: nothing else is played against this database. */
static bool play_corpus(struct selftest_world *world, enum dialect dialect, bool last,
                        struct selftest_report *report, struct err *err)
{
    struct attacks attacks = {0};
    struct playing work = {
        .world = world, .arena = world->arena, .corpus = dialect_name(dialect)};
    if (!selftest_corpus(world->arena, dialect, &attacks, err)) {
        return false;
    }
    buf_init(&work.breaches, SELFTEST_LINES_MOST);
    for (size_t i = 0; i < attacks.count; i++) {
        play(&work, &attacks.items[i]);
    }
    const char *login = last ? login_of(&work) : NULL;
    for (size_t i = 0; i < work.classes.count; i++) {
        struct dgm_trial *trial = &work.classes.items[i];
        bool end = i + 1 == work.classes.count;
        trial->report = end ? buf_get(&work.breaches) : "";
        trial->login = end ? login : NULL;
        report->breaches += trial->breaches;
        report->tell(report->context, trial);
    }
    buf_release(&work.breaches);
    return true;
}

bool selftest_attacks_play(struct selftest_world *world, struct selftest_report *report,
                           struct err *err)
{
    bool over_odbc = str_equal(world->source->driver->name, "odbc");
    bool generic = world->dialect == DIALECT_ODBC;
    return (generic || play_corpus(world, world->dialect, !over_odbc, report, err)) &&
           (!over_odbc || play_corpus(world, DIALECT_ODBC, true, report, err));
}
