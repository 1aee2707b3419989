/*
 * Every case again with the Nth driver, store or model call failing: whatever breaks, a
 * question ends in a state that may be shown, with a code, and no database is touched.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cases/expect.h"
#include "cases/fixture.h"
#include "datasource/decorator.h"
#include "faults/answer_check.h"
#include "llm/call.h"
#include "service/instance.h"
#include "store/tables/table.h"

enum { WATCHDOG_MS = 300000, QUICK_MOST = 4, FULL_MOST = 500 };

enum part { PART_DRIVER, PART_STORE, PART_MODEL, PARTS };

/* What can break, and how; the quick sweep takes the first kind of each part. */
static const struct {
    enum part part;
    const char *name;
    enum err_code code;
    bool quick;
} kinds[] = {
    {PART_DRIVER, "driver", ERR_DATASOURCE_UNREACHABLE, true},
    {PART_DRIVER, "driver", ERR_INVALID_SQL, false},
    {PART_DRIVER, "driver", ERR_TIMEOUT, false},
    {PART_STORE, "store", ERR_STORE, true},
    {PART_MODEL, "model", ERR_LLM_UNAVAILABLE, true},
    {PART_MODEL, "model", ERR_LLM_NONSENSE, false},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Where the fault sits: which call of which part of the instance. */
struct fault {
    int kind;      /* index in kinds */
    size_t source; /* for drivers: which datasource */
    int nth;
};

/* The instance must stand before its parts can be made to fail. False: no such part. */
static bool arm(struct dgm *dgm, const struct fault *fault)
{
    struct err err;
    err_clear(&err);
    if (!instance_ready(dgm, &err)) {
        return false;
    }
    enum err_code code = kinds[fault->kind].code;
    struct datasource *source = NULL;
    switch (kinds[fault->kind].part) {
    case PART_STORE:
        store_fail_at(dgm->agent.store, fault->nth, code);
        return true;
    case PART_MODEL:
        if (dgm->agent.llm) {
            llm_fail_at(dgm->agent.llm, fault->nth, code);
        }
        return dgm->agent.llm != NULL;
    default:
        if (fault->source < sources_count(dgm->agent.sources)) {
            source = instance_datasource(
                dgm, sources_at(dgm->agent.sources, fault->source)->id, &err);
        }
        if (source) {
            datasource_fail_at(source, fault->nth, code);
        }
        return source != NULL;
    }
}

static bool struck(struct dgm *dgm, const struct fault *fault)
{
    struct err err;
    err_clear(&err);
    struct llm *llm = dgm->agent.llm;
    bool done = false;
    switch (kinds[fault->kind].part) {
    case PART_STORE:
        return atomic_load(&dgm->agent.store->fail_in) == 0;
    case PART_MODEL:
        (void)pthread_mutex_lock(&llm->lock);
        done = llm->fail_after == 0;
        (void)pthread_mutex_unlock(&llm->lock);
        return done;
    default:
        return atomic_load(
                   &decorator_of(
                        instance_datasource(
                            dgm, sources_at(dgm->agent.sources, fault->source)->id, &err))
                        ->countdown) == 0;
    }
}

static int play_step(struct player *player, const struct case_step *step)
{
    struct played played;
    bool done = false;
    uint64_t before = player_fingerprint(player);
    bool ok = player_outside(player, step, &played, &done);
    if (done) {
        return 0; /* a change or look that no longer fits is no fault of ours */
    }
    ok = ok && library_step(player, step, &played);
    if (!ok) {
        return step->kind == CASE_SESSION ? 0 : 1; /* no session: asked without one */
    }
    int failures = played.answer ? answer_check(player, step, &played) : 0;
    /* An approval that a fault kept from being taken can be given again. */
    bool may_write = expect_writes(step) || step->kind == CASE_APPROVE;
    if (!may_write && before != player_fingerprint(player)) {
        (void)fprintf(stderr, "%s:%d: the database was changed\n", player->file->path,
                      step->number);
        failures++;
    }
    return failures;
}

/* *hit says whether the fault was met. */
static int play(const struct case_file *file, const struct fault *fault, bool *hit)
{
    struct player player = {.timeout_ms = WATCHDOG_MS, .light = true};
    int failures = 0;
    *hit = false;
    if (!player_open(&player, file) || !library_open(&player)) {
        player_close(&player);
        return 1;
    }
    bool armed = arm(player.dgm, fault);
    for (size_t i = 0; armed && i < file->steps.count && !failures; i++) {
        failures += play_step(&player, &file->steps.items[i]);
    }
    *hit = armed && struck(player.dgm, fault);
    library_close(&player);
    player_close(&player);
    if (failures) {
        (void)fprintf(stderr, "%s: with call %d of the %s failing with %s\n", file->path,
                      fault->nth, kinds[fault->kind].name,
                      err_name(kinds[fault->kind].code));
    }
    return failures;
}

static int sweep_kind(const struct case_file *file, struct fault fault, int most,
                      int *plays)
{
    int failures = 0;
    bool hit = true;
    for (fault.nth = 1; hit && fault.nth <= most; fault.nth++) {
        failures += play(file, &fault, &hit);
        (*plays)++;
    }
    return failures;
}

static int sweep(const struct case_file *file, bool full, int *plays)
{
    int failures = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        size_t sources = kinds[kind].part == PART_DRIVER ? file->fixtures.count : 1;
        for (size_t source = 0; (full || kinds[kind].quick) && source < sources;
             source++) {
            struct fault fault = {.kind = kind, .source = source};
            failures += sweep_kind(file, fault, full ? FULL_MOST : QUICK_MOST, plays);
        }
    }
    return failures;
}

/* sweep PART OF CASE...: plays every OFth case, beginning with the PARTth. */
int main(int argc, char **argv)
{
    bool full = str_equal(getenv("DRAGOMAN_SWEEP"), "full");
    int64_t part = 0;
    int64_t of = 1;
    if (argc < 4 || !str_to_int(argv[1], &part) || !str_to_int(argv[2], &of) || of < 1) {
        (void)fprintf(stderr, "usage: sweep PART OF CASE...\n");
        return 2;
    }
    int failures = 0;
    int plays = 0;
    for (int64_t i = 3 + part; i < argc; i += of) {
        struct case_file *file = case_load(argv[i]);
        if (!file) {
            failures++;
        } else if (fixture_possible(file)) {
            failures += sweep(file, full, &plays);
        }
        case_free(file);
    }
    (void)printf("%d plays, %d failures\n", plays, failures);
    return failures ? 1 : 0;
}
