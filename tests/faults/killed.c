/*
 * kill -9 as a question enters each state there is. Another process then opens the same
 * store: every question has come to rest, what was acknowledged is there and once, the
 * lessons are whole, and mending it has not touched a database.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/moves.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/id.h"
#include "base/str.h"
#include "cases/fixture.h"
#include "cases/player.h"

/* LATE: what was queued for the store is on disk by then. */
enum { WATCHDOG_MS = 300000, LATE_MS = 80, KILLS_MOST = 400 };

/* When the process is killed. */
enum when { ENTERED, LATER, WHENS };

/* What the killed process tells before it goes. */
struct moment {
    int state;
    int when;
    char id[ID_SIZE];
    char session_id[ID_SIZE];
    char said[512];
    uint64_t fingerprint;
};

struct killer {
    struct player *player;
    const bool (*done)[WHENS]; /* by state: killed there already */
    const struct case_step *step;
    int pipe;
};

static void pause_ms(long ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    (void)nanosleep(&time, NULL);
}

_Noreturn static void die(const struct killer *killer, enum state state, enum when when,
                          const char *id)
{
    struct moment moment = {.state = (int)state,
                            .when = (int)when,
                            .fingerprint = player_fingerprint(killer->player)};
    (void)snprintf(moment.id, sizeof moment.id, "%s", id);
    (void)snprintf(moment.session_id, sizeof moment.session_id, "%s",
                   str_or_empty(killer->player->session_id));
    (void)snprintf(moment.said, sizeof moment.said, "%s",
                   str_or_empty(killer->step->text));
    (void)!write(killer->pipe, &moment, sizeof moment);
    (void)kill(getpid(), SIGKILL);
    _exit(1);
}

static void observe(void *context, const struct dgm_event *event)
{
    const struct killer *killer = context;
    enum state state = STATE_INITIALIZING;
    if (event->kind != DGM_STATUS || !state_find(event->state, &state)) {
        return;
    }
    bool rests = state_get(state)->rest != REST_NO;
    if (!killer->done[state][ENTERED]) {
        die(killer, state, ENTERED, event->query_id);
    }
    if (rests && !killer->done[state][LATER]) {
        pause_ms(LATE_MS); /* the walk stands still here: what it does next is not done */
        die(killer, state, LATER, event->query_id);
    }
}

/* The question is acknowledged, and the process gone. */
static void die_accepted(struct killer *killer)
{
    struct dgm_error error;
    const struct player *player = killer->player;
    const struct dgm_request request = {.question = killer->step->text,
                                        .session_id = player->session_id,
                                        .durable = true};
    struct dgm_question *question = dgm_ask(player->dgm, &request, &error);
    if (question) {
        die(killer, STATE_INITIALIZING, ENTERED, dgm_question_id(question));
    }
}

/* In a process of its own. Returns when the case has nothing to be killed in. */
static int play(struct player *player, struct killer *killer)
{
    const struct case_file *file = player->file;
    struct played played;
    const struct case_step begin = {.kind = CASE_SESSION};
    if (!library_open(player) || !library_step(player, &begin, &played)) {
        return 2;
    }
    for (size_t i = 0; i < file->steps.count; i++) {
        const struct case_step *step = &file->steps.items[i];
        bool outside = false;
        killer->step = step;
        (void)player_outside(player, step, &played, &outside);
        if (outside || step->kind == CASE_SESSION) {
            continue;
        }
        if (step->kind == CASE_ASK && !killer->done[STATE_INITIALIZING][ENTERED]) {
            die_accepted(killer);
        }
        (void)library_step(player, step, &played);
    }
    library_close(player);
    return 0;
}

static int wrong(const char *what)
{
    (void)fprintf(stderr, "  %s\n", what);
    return 1;
}

/* What was said to the question that was killed, in the conversation and once. */
static int check_said(struct player *player, const struct moment *moment)
{
    struct dgm_error error;
    struct err err;
    if (!*moment->said) {
        return 0; /* a decision is no message */
    }
    char *text = dgm_session_get(player->dgm, moment->session_id, &error);
    if (!text) {
        return wrong("its conversation is gone");
    }
    const json_t *session = json_parse(player->arena, text, strlen(text), &err);
    dgm_free(text);
    int found = 0;
    size_t index = 0;
    const json_t *message = NULL;
    json_array_foreach(json_object_get(session, "messages"), index, message)
    {
        found += str_equal(json_text_at(message, "role"), "user") &&
                 str_equal(json_text_at(message, "query_id"), moment->id) &&
                 str_equal(json_text_at(message, "content"), moment->said);
    }
    return found == 1 ? 0
                      : wrong(found ? "what was said is there twice"
                                    : "what was said is missing");
}

static int check_answer(struct player *player, const struct moment *moment)
{
    struct dgm_error error;
    struct err err;
    char *text = dgm_answer_load(player->dgm, moment->id, &error);
    if (!text) {
        return wrong("the question is unknown");
    }
    const json_t *answer = json_parse(player->arena, text, strlen(text), &err);
    dgm_free(text);
    const char *status = json_text_at(answer, "status");
    const json_t *why = json_object_get(answer, "error");
    if (str_equal(status, "failed")) {
        return json_text_at(why, "code") ? 0 : wrong("it failed without a code");
    }
    return str_equal(status, "finished") || str_equal(status, "stopped")
               ? 0
               : wrong("it has not come to rest");
}

/* They can be written to a file and read again: none is half there. */
static int check_lessons(struct player *player)
{
    struct dgm_error error;
    char *text = dgm_lesson_export(player->dgm, NULL, NULL, "json", &error);
    bool ok = !text ||
              dgm_lesson_import(player->dgm, NULL, NULL, text, strlen(text), &error) >= 0;
    dgm_free(text);
    return ok ? 0 : wrong("a lesson is not whole");
}

static int check_store(struct player *player)
{
    const char *path =
        arena_format(player->arena, "%s/library/dragoman.db", player->folder);
    const json_t *rows =
        fixture_look(player->arena, path,
                     "SELECT (SELECT integrity_check FROM pragma_integrity_check),"
                     " (SELECT COUNT(*) FROM questions WHERE state NOT IN"
                     " ('AWAIT_USER', 'FINISHED', 'FAILED', 'STOPPED'))");
    const json_t *row = json_array_get(json_object_get(rows, "rows"), 0);
    return str_equal(json_string_value(json_array_get(row, 0)), "ok") &&
                   json_integer_value(json_array_get(row, 1)) == 0
               ? 0
               : wrong("the store is not whole, or a question in it not at rest");
}

/* In a process of its own, as after a restart. */
static int look(struct player *player, const struct moment *moment)
{
    player->session_id = NULL;
    if (!library_open(player)) {
        return 1;
    }
    (void)dgm_recover(player->dgm);
    int64_t until = clock_ms() + WATCHDOG_MS;
    while (dgm_at_work(player->dgm) && clock_ms() < until) {
        pause_ms(10);
    }
    int failures =
        check_answer(player, moment) + check_said(player, moment) + check_lessons(player);
    if (moment->fingerprint != player_fingerprint(player)) {
        failures += wrong("a database was changed");
    }
    library_close(player);
    return failures + check_store(player);
}

static bool in_child(int (*work)(struct player *, void *), struct player *player,
                     void *context, int *status)
{
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int result = work(player, context);
        (void)fflush(NULL);
        _exit(result ? 1 : 0);
    }
    return child > 0 && waitpid(child, status, 0) == child;
}

static int child_play(struct player *player, void *killer)
{
    return play(player, killer);
}

static int child_look(struct player *player, void *moment)
{
    return look(player, moment);
}

/* One kill, if the case has a state where none was; *over: it has not. */
static int kill_once(const struct case_file *file, bool done[][WHENS], bool *over)
{
    struct player player = {.timeout_ms = WATCHDOG_MS, .durable = true};
    struct moment moment;
    int ends[2];
    int status = 0;
    *over = true;
    if (!player_open(&player, file) || pipe(ends) != 0) {
        return 1;
    }
    struct killer killer = {
        .player = &player, .done = (const bool(*)[WHENS])done, .pipe = ends[1]};
    player.observer = observe;
    player.context = &killer;
    bool ran = in_child(child_play, &player, &killer, &status);
    (void)close(ends[1]);
    bool killed = read(ends[0], &moment, sizeof moment) == (ssize_t)sizeof moment;
    (void)close(ends[0]);
    int failures = ran && (killed || WIFEXITED(status)) ? 0 : 1;
    if (killed) {
        *over = false;
        done[moment.state][moment.when] = true;
        player.observer = NULL;
        bool looked = in_child(child_look, &player, &moment, &status);
        failures += !looked || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    if (failures) {
        (void)fprintf(stderr, "%s: killed %s in %s\n", file->path,
                      killed && moment.when == LATER ? "late" : "at once",
                      killed ? state_name((enum state)moment.state) : "?");
    }
    player_close(&player);
    return failures;
}

int main(int argc, char **argv)
{
    static bool done[STATE_COUNT][WHENS];
    int failures = 0;
    int kills = 0;
    for (int i = 1; i < argc; i++) {
        struct case_file *file = case_load(argv[i]);
        bool over = file == NULL;
        failures += over;
        while (!over && kills < KILLS_MOST) {
            failures += kill_once(file, done, &over);
            kills += !over;
        }
        case_free(file);
    }
    for (int state = 0; state < STATE_COUNT; state++) {
        if (!done[state][ENTERED]) {
            (void)fprintf(stderr, "no question was killed in %s\n",
                          state_name((enum state)state));
            failures++;
        }
    }
    (void)printf("%d kills, %d failures\n", kills, failures);
    return failures ? 1 : 0;
}
