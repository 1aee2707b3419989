/* The self-test: what is tried, in which order. */
#include "lab/selftest/selftest.h"

#include "base/str.h"
#include "datasource/engine/engine_program.h"
#include "datasource/staging/scratch.h"
#include "dragoman.h"
#include "service/instance.h"

static bool play_database(enum dialect dialect, const char *url,
                          struct selftest_report *report, struct err *err)
{
    struct selftest_world world;
    bool ok = selftest_world_make(&world, dialect, url, err) &&
              selftest_attacks_play(&world, report, err);
    if (ok && selftest_guarded) {
        selftest_cells_play(&world, report);
    }
    selftest_world_end(&world);
    return ok;
}

/* Engines run in processes of their own: can such a process do what it must not? */
static bool play_processes(struct selftest_report *report, struct err *err)
{
    struct engine_trial tried;
    struct options *options = options_new();
    struct buf lines;
    bool ok = engine_try(options, &tried, err);
    options_free(options);
    if (!ok) {
        return false;
    }
    buf_init(&lines, SELFTEST_LINES_MOST);
    for (size_t i = 0; i < tried.through_count; i++) {
        (void)buf_format(&lines, "process: could %s\n", tried.through[i]);
    }
    if (tried.not_available) {
        (void)buf_format(&lines,
                         "process: %d of %d attempts were not made: this system has "
                         "nothing that would refuse them\n",
                         tried.not_available, tried.attempts);
    }
    const struct dgm_trial trial = {.dialect = "process",
                                    .class_name = "sandbox",
                                    .statements = tried.attempts,
                                    .by_engine = tried.refused,
                                    .harmless = tried.not_available,
                                    .breaches = (int)tried.through_count,
                                    .report = buf_get(&lines)};
    report->breaches += trial.breaches;
    report->tell(report->context, &trial);
    buf_release(&lines);
    return true;
}

static bool has_driver(const char *name)
{
    for (size_t i = 0; datasource_driver_at(i); i++) {
        if (str_equal(datasource_driver_at(i)->name, name)) {
            return true;
        }
    }
    return false;
}

/* Everything that needs no server. */
static bool play_here(struct selftest_report *report, struct err *err)
{
    bool ok =
        play_database(DIALECT_SQLITE, NULL, report, err) &&
        (!has_driver("duckdb") || (play_database(DIALECT_DUCKDB, NULL, report, err) &&
                                   play_processes(report, err)));
    if (ok && selftest_guarded) {
        selftest_imports_play(report);
        selftest_lines_play(report);
    }
    return ok;
}

int dgm_selftest(const struct dgm_selftest_request *request,
                 void (*tell)(void *context, const struct dgm_trial *trial),
                 void *context, struct dgm_error *error)
{
    struct selftest_report report = {.tell = tell, .context = context};
    struct err err;
    err_clear(&err);
    bool here = !request->url && request->ruler_count == 0;
    bool ok = !here || play_here(&report, &err);
    if (ok && request->url) {
        ok = play_database(DIALECT_SQLITE, request->url, &report, &err);
    }
    for (size_t i = 0; ok && i < request->ruler_count; i++) {
        ok = selftest_login_play(request->rulers[i], &report, &err);
    }
    if (!ok) {
        (void)instance_fail(error, &err);
        return -1;
    }
    return report.breaches;
}

char *dgm_selftest_script(const char *dialect)
{
    enum dialect found;
    const char *const *script =
        dialect_find(dialect, &found) ? scratch_script(found) : NULL;
    struct buf text;
    if (!script) {
        return NULL;
    }
    buf_init(&text, SELFTEST_LINES_MOST);
    for (; *script; script++) {
        (void)buf_format(&text, "%s;\n", *script);
    }
    return buf_take(&text);
}
