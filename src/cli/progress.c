/* What a question is doing, state by state: one updating line on a terminal, and above it
 * the plan as it is written. */
#include "cli/progress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/stop.h"

enum {
    TICK_MS = 100,
    QUIET_MS = 150,
    WORDS_SIZE = 64,
    FETCHED_SIZE = 200,
    STEPS_MOST = 16384
};

struct progress {
    pthread_mutex_t lock;
    char state[WORDS_SIZE];
    char status[WORDS_SIZE];
    char fetched[FETCHED_SIZE]; /* from where rows come, and how many there are */
    struct buf steps; /* of the plan, a line each, that are not on the screen yet */
};

struct state_words {
    const char *state;
    const char *words;
};

/*
 * States in the words of a person who waits; a state that is not here shows its status.
 */
static const struct state_words words_of_states[] = {
    {"INITIALIZING", "getting ready"},
    {"PARSE_INTENT", "reading the question"},
    {"RESOLVE_DATASOURCE", "choosing the database"},
    {"CHECK_FRESHNESS", "looking at the database"},
    {"EXTRACT_SCHEMA", "reading the schema"},
    {"NORMALIZE_SCHEMA", "reading the schema"},
    {"HASH_SCHEMA", "reading the schema"},
    {"ENRICH_SCHEMA", "sampling values"},
    {"CACHE_SCHEMA", "remembering the schema"},
    {"GET_CACHED_SCHEMA", "recalling the schema"},
    {"RECALL", "recalling earlier questions"},
    {"READ_LOCALLY", "reading the question"},
    {"EVALUATE_TABLES", "finding the tables"},
    {"REFINE_TABLES", "finding the tables"},
    {"SYNTHESIZE", "finding the tables"},
    {"INFER_JOINS", "connecting the tables"},
    {"SUMMARIZE_INTENT", "understanding the question"},
    {"SCORE_INTENT", "understanding the question"},
    {"ASK_CLARIFICATION", "preparing a clarifying question"},
    {"PLAN_QUERY", "planning"},
    {"GENERATE_SQL", "writing the SQL"},
    {"VALIDATE_QUERY", "checking the SQL"},
    {"SCORE_CONFIDENCE", "weighing the result"},
    {"DIAGNOSE_ERROR", "looking for the mistake"},
    {"CORRECT_SQL", "correcting the SQL"},
    {"PREVIEW_WRITE", "counting what would change"},
    {"OPTIMIZE_QUERY", "checking the cost"},
    {"SELECT_ENGINE", "choosing the engine"},
    {"EXECUTE_QUERY", "running the query"},
    {"FORMAT_RESULTS", "preparing the answer"},
    {"REPLY", "writing the answer"},
    {"DESCRIBE_SCHEMA", "describing the database"},
};

static const char *words_of(const char *state, const char *status)
{
    for (size_t i = 0; i < sizeof words_of_states / sizeof *words_of_states; i++) {
        if (str_equal(words_of_states[i].state, state)) {
            return words_of_states[i].words;
        }
    }
    return *status ? status : "working";
}

static void observe(void *context, const struct dgm_event *event)
{
    struct progress *progress = context;
    bool step = event->kind == DGM_REASONING && event->text;
    bool fetched = event->kind == DGM_PROGRESS && event->text;
    if (!step && !fetched && (event->kind != DGM_STATUS || !event->state)) {
        return;
    }
    (void)pthread_mutex_lock(&progress->lock);
    if (step) {
        (void)buf_format(&progress->steps, "%s\n", event->text);
    }
    (void)snprintf(progress->fetched, sizeof progress->fetched, "%s",
                   fetched ? event->text : "");
    (void)snprintf(progress->state, sizeof progress->state, "%s", event->state);
    (void)snprintf(progress->status, sizeof progress->status, "%s",
                   event->status ? event->status : "");
    (void)pthread_mutex_unlock(&progress->lock);
}

static bool can_show(const struct cli *cli)
{
    const char *terminal = getenv("TERM");
    return cli->err.terminal && !cli->quiet && !cli->json && terminal &&
           !str_equal(terminal, "dumb");
}

static void drop_steps(void *steps)
{
    buf_release(steps);
}

void progress_attach(struct cli *cli, struct dgm_request *request)
{
    /* now, not in the wait: by then the question's thread may be writing rows there */
    out_flush(&cli->out);
    if (!can_show(cli)) {
        return;
    }
    if (!cli->progress) {
        /* In the program's arena: an observer may be called a moment after the wait. */
        cli->progress = ARENA_NEW(cli->arena, struct progress);
        (void)pthread_mutex_init(&cli->progress->lock, NULL);
        buf_init(&cli->progress->steps, STEPS_MOST);
        arena_defer(cli->arena, drop_steps, &cli->progress->steps);
    }
    buf_clear(&cli->progress->steps);
    cli->progress->fetched[0] = '\0';
    cli->progress->state[0] = '\0';
    cli->progress->status[0] = '\0';
    request->observer = observe;
    request->context = cli->progress;
}

/* The steps that came since; they stay on the screen. */
static void draw_steps(struct cli *cli)
{
    (void)pthread_mutex_lock(&cli->progress->lock);
    out_foreign(&cli->err, buf_get(&cli->progress->steps));
    buf_clear(&cli->progress->steps);
    (void)pthread_mutex_unlock(&cli->progress->lock);
}

static void draw(struct cli *cli, int64_t elapsed_ms)
{
    char state[WORDS_SIZE];
    char status[WORDS_SIZE];
    char fetched[FETCHED_SIZE];
    (void)pthread_mutex_lock(&cli->progress->lock);
    memcpy(fetched, cli->progress->fetched, sizeof fetched);
    memcpy(state, cli->progress->state, sizeof state);
    memcpy(status, cli->progress->status, sizeof status);
    (void)pthread_mutex_unlock(&cli->progress->lock);
    struct out *out = &cli->err;
    out_text(out, "\r\033[K");
    out_shade(out, SHADE_DIM);
    draw_steps(cli);
    out_text(out, words_of(state, status));
    if (fetched[0]) {
        out_text(out, ", ");
        out_foreign(out, fetched); /* names of tables are theirs */
    }
    out_format(out, "%s %.1f s", out->utf8 ? " …" : " ...", (double)elapsed_ms / 1000);
    out_shade(out, SHADE_PLAIN);
    out_flush(out);
}

const struct dgm_answer *progress_wait(struct cli *cli, struct dgm_question *question)
{
    bool visible = cli->progress && can_show(cli);
    int64_t start_ms = clock_ms();
    bool drawn = false;
    const struct dgm_answer *answer = NULL;
    stop_watch(question);
    while (!answer) {
        int64_t elapsed_ms = clock_ms() - start_ms;
        if (visible && elapsed_ms >= QUIET_MS) {
            draw(cli, elapsed_ms);
            drawn = true;
        }
        answer = dgm_question_wait(question, visible ? TICK_MS : -1);
    }
    (void)stop_unwatch();
    if (drawn) {
        out_text(&cli->err, "\r\033[K");
        out_flush(&cli->err);
    }
    return answer;
}
