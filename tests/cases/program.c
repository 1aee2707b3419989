/* The program's door: each step is a process of its own, as a person would run it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cases/player.h"

enum { OUTPUT_MOST = 64 * 1024 * 1024 };

static void add(struct player *player, struct texts *arguments, const char *argument)
{
    VEC_PUSH(player->arena, arguments, argument);
}

static void add_pair(struct player *player, struct texts *arguments, const char *flag,
                     const char *value)
{
    if (value) {
        add(player, arguments, flag);
        add(player, arguments, value);
    }
}

static void add_settings(struct player *player, struct texts *arguments,
                         const char *script)
{
    struct arena *arena = player->arena;
    add_pair(player, arguments, "--data",
             arena_format(arena, "%s/program", player->folder));
    add_pair(player, arguments, "--set", "llm.provider=scripted");
    add_pair(player, arguments, "--set", "agent.brain=llm");
    add_pair(player, arguments, "--set", "schema.enrich_timeout_s=" CASE_SAMPLING_S);
    add_pair(player, arguments, "--set", arena_format(arena, "llm.script=%s", script));
    add_pair(player, arguments, "--dictionary", player->dictionary);
    for (size_t i = 0; i < player->file->settings.count; i++) {
        add_pair(player, arguments, "--set", player->file->settings.items[i]);
    }
    add_pair(player, arguments, "--config", player->config);
    for (size_t i = 0; !player->config && i < player->databases.count; i++) {
        add_pair(player, arguments, "--db", player->databases.items[i]);
    }
}

static bool approved_write(const struct player *player)
{
    for (size_t i = 0; i < player->file->steps.count; i++) {
        if (player->file->steps.items[i].allow_write) {
            return true;
        }
    }
    return false;
}

static void add_step(struct player *player, const struct case_step *step,
                     struct texts *arguments)
{
    bool decision = step->kind == CASE_APPROVE || step->kind == CASE_REJECT ||
                    step->kind == CASE_WRONG || step->kind == CASE_GOOD ||
                    step->kind == CASE_RETRY || step->kind == CASE_READING;
    const char *id = player->query_id ? player->query_id : "none";
    add_pair(player, arguments, "--resume", step->kind == CASE_ANSWER ? id : NULL);
    add_pair(player, arguments, "--retry", step->kind == CASE_RETRY ? id : NULL);
    add_pair(player, arguments, "--reading",
             step->kind == CASE_READING ? step->text : NULL);
    add_pair(player, arguments, "--approve", step->kind == CASE_APPROVE ? id : NULL);
    add_pair(player, arguments, "--wrong", step->kind == CASE_WRONG ? id : NULL);
    add_pair(player, arguments, "--good", step->kind == CASE_GOOD ? id : NULL);
    add_pair(player, arguments, "--reject", step->kind == CASE_REJECT ? id : NULL);
    if (step->kind == CASE_ASK) {
        add_pair(player, arguments, "--session",
                 step->session ? step->session : player->session_id);
        add_pair(player, arguments, "--brain", step->brain);
        add_pair(player, arguments, "--db", step->datasource);
    }
    if (step->allow_write || (decision && approved_write(player))) {
        add(player, arguments, "--allow-write");
    }
    if (step->dry_run) {
        add(player, arguments, "--dry-run");
    }
    if (step->fresh) {
        add(player, arguments, "--fresh");
    }
    if (step->no_memory) {
        add(player, arguments, "--no-memory");
    }
    if (step->new_question) {
        add(player, arguments, "--new");
    }
    if (step->no_plan) {
        add(player, arguments, "--no-plan");
    }
    if (!decision) {
        add(player, arguments, "--");
        add(player, arguments, step->text);
    }
}

/* The child: nothing of the caller's settings may reach it. */
static void become(const struct player *player, struct texts *arguments, int output)
{
    char **words = arena_array(player->arena, arguments->count + 1, sizeof *words);
    for (size_t i = 0; i < arguments->count; i++) {
        words[i] = arena_text(player->arena, arguments->items[i]);
    }
    const char *sanitizer = getenv("ASAN_OPTIONS");
    char *environment[] = {
        arena_format(player->arena, "HOME=%s", player->folder),
        arena_format(player->arena, "PATH=%s", getenv("PATH") ? getenv("PATH") : ""),
        arena_format(player->arena, "ASAN_OPTIONS=%s", sanitizer ? sanitizer : ""),
        arena_format(player->arena, "UBSAN_OPTIONS=print_stacktrace=1"), NULL};
    int nothing = open("/dev/null", O_RDONLY);
    int errors = open(arena_format(player->arena, "%s/stderr", player->folder),
                      O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nothing >= 0 && errors >= 0 && dup2(nothing, 0) == 0 && dup2(output, 1) == 1 &&
        dup2(errors, 2) == 2 && chdir(player->folder) == 0) {
        (void)execve(player->program, words, environment);
    }
    _exit(127);
}

/* Reads what the child says; false when it does not end in time. */
static bool listen_to(int from, int64_t timeout_ms, struct buf *out)
{
    int64_t deadline = clock_ms() + timeout_ms;
    for (;;) {
        int64_t left = deadline - clock_ms();
        struct pollfd wait = {.fd = from, .events = POLLIN};
        int ready = left > 0 ? poll(&wait, 1, (int)left) : 0;
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        if (ready <= 0) {
            return false;
        }
        char piece[65536];
        ssize_t size = read(from, piece, sizeof piece);
        if (size <= 0) {
            return size == 0;
        }
        (void)buf_add(out, piece, (size_t)size);
    }
}

static bool run(struct player *player, struct texts *arguments, struct buf *out,
                int *status)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        become(player, arguments, ends[1]);
    }
    (void)close(ends[1]);
    bool ended = child > 0 && listen_to(ends[0], player->timeout_ms, out);
    (void)close(ends[0]);
    if (child > 0 && !ended) {
        (void)kill(child, SIGKILL);
    }
    int how = 0;
    bool waited = child > 0 && waitpid(child, &how, 0) == child;
    *status = waited && WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return ended && waited;
}

/* The program has no command that begins a session; the library on the same folder has.
 */
static bool new_session(struct player *player)
{
    struct dgm_error error;
    struct dgm_config *config = dgm_config_new();
    const char *folder = arena_format(player->arena, "%s/program", player->folder);
    struct dgm *dgm = dgm_config_set(config, "store.folder", folder, &error)
                          ? dgm_open(config, &error)
                          : NULL;
    char *id = dgm ? dgm_session_new(dgm, NULL, NULL, &error) : NULL;
    player->session_id = arena_text(player->arena, id);
    dgm_free(id);
    dgm_close(dgm);
    dgm_config_free(config);
    return player->session_id != NULL;
}

static void show_errors(struct player *player)
{
    struct err err;
    size_t size = 0;
    const char *path = arena_format(player->arena, "%s/stderr", player->folder);
    const char *text = file_read(player->arena, path, OUTPUT_MOST, &size, &err);
    (void)fprintf(stderr, "standard error of the program:\n%s\n", text ? text : "");
}

/* teach and lessons; what is no JSON on the way out is nothing to compare. */
static bool lessons_step(struct player *player, const struct case_step *step,
                         struct played *played)
{
    struct err err;
    struct texts arguments = {0};
    const char *file = arena_format(player->arena, "%s/lessons.yaml", player->folder);
    bool teach = step->kind == CASE_TEACH;
    if (!file_write(file, step->text, strlen(step->text), &err)) {
        return false;
    }
    add(player, &arguments, player->program);
    add(player, &arguments, "lessons");
    add(player, &arguments, teach ? "import" : "list");
    add(player, &arguments, teach ? file : "--json");
    add_settings(player, &arguments, file);
    struct buf out;
    buf_init(&out, OUTPUT_MOST);
    bool ok = run(player, &arguments, &out, &played->exit_status);
    if (ok && !teach) {
        json_t *list = json_parse(player->arena, buf_get(&out), out.size, &err);
        played->answer = list ? player_lessons(player, list) : NULL;
    }
    buf_release(&out);
    return ok && (teach || played->answer);
}

bool program_step(struct player *player, const struct case_step *step,
                  struct played *played)
{
    *played = (struct played){.answer = NULL};
    if (step->kind == CASE_SESSION) {
        return new_session(player);
    }
    if (step->kind == CASE_TEACH || step->kind == CASE_LESSONS) {
        return lessons_step(player, step, played);
    }
    struct err err;
    const char *script =
        arena_format(player->arena, "%s/script-%d", player->folder, step->number);
    if (!file_write(script, step->script, strlen(step->script), &err)) {
        return false;
    }
    struct texts arguments = {0};
    add(player, &arguments, player->program);
    add(player, &arguments, step->kind == CASE_SQL ? "sql" : "ask");
    add(player, &arguments, "--json");
    add_settings(player, &arguments, script);
    add_step(player, step, &arguments);
    struct buf out;
    buf_init(&out, OUTPUT_MOST);
    bool ok = run(player, &arguments, &out, &played->exit_status);
    if (ok) {
        played->answer = json_parse(player->arena, buf_get(&out), out.size, &err);
    }
    if (!played->answer) {
        (void)fprintf(stderr, "%s:%d: the program printed no answer (exit %d): %s\n",
                      player->file->path, step->number, played->exit_status,
                      buf_get(&out));
        show_errors(player);
    }
    buf_release(&out);
    const char *id = json_text_at(played->answer, "query_id");
    if (id) {
        player->query_id = arena_text(player->arena, id);
    }
    return played->answer != NULL;
}
