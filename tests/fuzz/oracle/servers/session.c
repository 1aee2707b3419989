/* The loop: make a statement, ask the guard, let the server run it, look at the world. */
#include "session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"
#include "grammar.h"
#include "sql/printed.h"

static void print(const struct session *session)
{
    const struct counts *counts = &session->counts;
    (void)printf(
        "oracle: %s: %lld statements judged, %lld refused by the guard, %lld allowed"
        " by the guard: %lld executed without error, %lld with error, %lld ended by"
        " a limit; %lld findings; seed %llu\n",
        session->judge->name, counts->judged, counts->refused, counts->allowed,
        counts->done, counts->failed, counts->limited, counts->findings,
        (unsigned long long)session->seed);
    if (counts->own) {
        (void)printf("oracle: %s: %lld of the allowed statements called functions of the "
                     "database's own that allow_own_types allows\n",
                     session->judge->name, counts->own);
    }
    (void)fflush(stdout);
}

static void make(struct session *session, uint64_t number, struct buf *out)
{
    struct dice dice = dice_for(session->seed, number);
    buf_clear(out);
    if (dice_chance(&dice, session->generated)) {
        grammar_statement(&dice, &session->words, session->arena, out);
    } else {
        mutate_statement(&dice, &session->words, &session->corpus, session->arena, out);
    }
}

/* What a datasource does before a statement runs: the text is judged, then its print, and
 * the print is what the server gets. */
bool session_judge(struct session *session, struct arena *arena, const char *sql,
                   size_t size, struct outcome *out)
{
    enum dialect dialect = session->judge->dialect;
    const struct schema *schema = session->judge->schema();
    struct guard_result judged;
    struct printed printed;
    struct err err = {0};
    guard_check(arena, dialect, sql, size, schema, &judged);
    if (judged.verdict != GUARD_READ) {
        str_put(out->error, sizeof out->error, judged.reason);
        return false;
    }
    if (!printed_make(arena, dialect, arena_copy(arena, sql, size), &printed, &err)) {
        *out = (struct outcome){.kind = OUTCOME_FAILED};
        str_put(out->error, sizeof out->error, err.message);
        if (err.code == ERR_INTERNAL) {
            str_put(out->what, sizeof out->what, "the print is not the same statement");
        }
        return err.code == ERR_INTERNAL;
    }
    guard_check(arena, dialect, printed.sql, strlen(printed.sql), schema, &judged);
    if (judged.verdict != GUARD_READ) {
        str_put(out->error, sizeof out->error, judged.reason);
        return false;
    }
    session->judge->run(judged.sql, &judged, out);
    return true;
}

/* True: it is of a new kind. Numbers in it do not make one. */
static bool remember(struct session *session, const char *what)
{
    for (size_t i = 0; i < session->kind_count; i++) {
        if (str_equal(session->kinds[i], what)) {
            return false;
        }
    }
    if (session->kind_count < FINDINGS_MOST) {
        session->kinds[session->kind_count++] = memory_text(what);
    }
    return true;
}

static void found(struct session *session, uint64_t number, const char *sql,
                  const char *what)
{
    session->counts.findings++;
    if (!remember(session, what)) {
        return;
    }
    (void)fprintf(stderr,
                  "FOUND: %s: %s\n  seed %llu, statement %llu, after %.1f"
                  " s\n  SQL: %s\n",
                  session->judge->name, what, (unsigned long long)session->seed,
                  (unsigned long long)number,
                  (double)(clock_ms() - session->started_ms) / 1000, sql);
    struct arena *arena = arena_new();
    (void)fprintf(stderr, "  short: %s\n", reduce_statement(session, arena, sql, what));
    (void)fflush(stderr);
    arena_free(arena);
}

static void count(struct session *session, const struct outcome *outcome, const char *sql)
{
    struct counts *counts = &session->counts;
    counts->allowed++;
    counts->done += outcome->kind == OUTCOME_DONE;
    counts->failed += outcome->kind == OUTCOME_FAILED;
    counts->limited += outcome->kind == OUTCOME_LIMITED;
    counts->own += outcome->own;
    if (session->show_allowed ||
        (session->show_errors && outcome->kind != OUTCOME_DONE)) {
        (void)fprintf(stderr, "%s\n  %s\n", sql, outcome->error);
    }
}

/* Something changed since the last look: every statement again, with a look behind it. */
static void find_culprit(struct session *session, const char *changed)
{
    struct buf text;
    bool guilty = false;
    buf_init(&text, 1 << 20);
    for (size_t i = 0; i < session->recent_count && !guilty; i++) {
        char what[WHAT_SIZE];
        struct outcome outcome;
        make(session, session->recent[i], &text);
        if (session_judge(session, session->arena, buf_get(&text), text.size, &outcome) &&
            !session->judge->unchanged(what)) {
            found(session, session->recent[i], buf_get(&text), what);
            guilty = true;
        }
        arena_reset(session->arena);
    }
    if (!guilty) {
        found(session, session->recent_count ? session->recent[0] : 0,
              "(one of the statements from this one on; run again it did nothing)",
              changed);
    }
    buf_release(&text);
}

static void look(struct session *session)
{
    char what[WHAT_SIZE];
    if (!session->judge->unchanged(what)) {
        find_culprit(session, what);
        (void)session->judge->unchanged(what);
    }
    session->recent_count = 0;
}

static void step(struct session *session, struct buf *text)
{
    struct outcome outcome;
    uint64_t number = session->number++;
    make(session, number, text);
    session->counts.judged++;
    if (session_judge(session, session->arena, buf_get(text), text->size, &outcome)) {
        count(session, &outcome, buf_get(text));
        session->recent[session->recent_count++] = number;
        session->gone = outcome.kind == OUTCOME_GONE;
        if (outcome.what[0]) {
            found(session, number, buf_get(text), outcome.what);
        }
        if (!session->gone && session->recent_count == WATCH_EVERY) {
            look(session);
        }
    } else {
        session->counts.refused++;
        if (session->show_refused) {
            (void)fprintf(stderr, "%s\n  %s\n", buf_get(text), outcome.error);
        }
    }
    arena_reset(session->arena);
}

int session_run(struct session *session)
{
    enum { REPORT = 250000 };
    struct buf text;
    buf_init(&text, 1 << 20);
    session->started_ms = clock_ms();
    while (session->counts.judged < session->statements &&
           (!session->seconds ||
            clock_ms() - session->started_ms < session->seconds * 1000) &&
           session->kind_count < FINDINGS_MOST && !session->gone) {
        step(session, &text);
        if (session->counts.judged % REPORT == 0) {
            print(session);
        }
    }
    if (!session->gone) {
        look(session);
    }
    buf_release(&text);
    print(session);
    for (size_t i = 0; i < session->kind_count; i++) {
        memory_free(session->kinds[i]);
    }
    return session->counts.findings ? 1 : 0;
}

/* One statement per line: "tree:" must be found in what the server understood, "world:"
 * in what it did. */
static bool prove(struct session *session, const char *line)
{
    enum { LOOKS = 100, PAUSE_US = 100000 };
    struct outcome outcome = {0};
    bool tree = str_starts(line, "tree:");
    const char *sql = strchr(line, ':') + 1;
    const char *hole = strstr(sql, "{folder}");
    if (hole) {
        sql = arena_format(session->arena, "%.*s%s%s", (int)(hole - sql), sql,
                           session->judge->place->folder, hole + strlen("{folder}"));
    }
    struct guard_result none = {.verdict = GUARD_READ};
    char what[WHAT_SIZE] = "";
    session->judge->run(sql, tree ? &none : NULL, &outcome);
    bool seen = outcome.what[0] != '\0';
    for (int i = 0; i < LOOKS && !seen; i++) { /* some of it takes its time */
        (void)usleep(i ? PAUSE_US : 0);
        seen = !session->judge->unchanged(what);
    }
    (void)printf("%s: %s -> %s\n", seen ? "found" : "NOT FOUND", line,
                 outcome.what[0] ? outcome.what : what);
    if (!seen && outcome.error[0]) {
        (void)printf("  %s\n", outcome.error);
    }
    (void)session->judge->unchanged(what);
    return seen;
}

int session_prove(struct session *session)
{
    struct err err;
    struct texts lines = {0};
    size_t size;
    int missed = 0;
    char *text = file_read(session->arena, session->proof, 1 << 20, &size, &err);
    if (!text) {
        (void)fprintf(stderr, "oracle: %s\n", err.message);
        return 2;
    }
    str_split(session->arena, text, '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        if (lines.items[i][0] && lines.items[i][0] != '#') {
            missed += !prove(session, lines.items[i]);
        }
    }
    (void)printf("oracle: %s: %d of the proofs were not found out\n",
                 session->judge->name, missed);
    return missed ? 1 : 0;
}
