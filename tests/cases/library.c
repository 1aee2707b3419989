/* The library's door: one instance for all steps of a case. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cases/player.h"

static bool complain(const struct player *player, const struct dgm_error *error)
{
    (void)fprintf(stderr, "%s: %s %s\n", player->file->path, error->code, error->message);
    return false;
}

static bool wants_writes(const struct case_file *file)
{
    for (size_t i = 0; i < file->steps.count; i++) {
        if (file->steps.items[i].allow_write) {
            return true;
        }
    }
    return false;
}

static bool configure(struct player *player, struct dgm_config *config,
                      struct dgm_error *error)
{
    struct arena *arena = player->arena;
    const struct case_file *file = player->file;
    const char *script = arena_format(arena, "%s/script", player->folder);
    const char *lines = case_script(file);
    struct err err;
    if (!file_write(script, lines, strlen(lines), &err)) {
        return false;
    }
    bool ok = dgm_config_set(config, "llm.provider", "scripted", error) &&
              dgm_config_set(config, "agent.brain", "llm", error) &&
              dgm_config_set(config, "schema.enrich_timeout_s", CASE_SAMPLING_S, error) &&
              dgm_config_set(config, "llm.script", script, error) &&
              dgm_config_set(config, "store.folder",
                             arena_format(arena, "%s/library", player->folder), error);
    if (ok && player->light) {
        ok = dgm_config_set(config, "log.level", "error", error) &&
             dgm_config_set(config, "store.url", "memory:", error);
    }
    if (ok && player->dictionary) {
        ok = dgm_config_set(config, "schema.dictionary", player->dictionary, error);
    }
    for (size_t i = 0; ok && i < file->settings.count; i++) {
        const char *setting = file->settings.items[i];
        const char *equals = strchr(setting, '=');
        ok = equals && dgm_config_set(
                           config, arena_copy(arena, setting, (size_t)(equals - setting)),
                           equals + 1, error);
    }
    if (ok && player->config) {
        ok = dgm_config_load(config, player->config, error);
    }
    for (size_t i = 0; ok && !player->config && i < player->databases.count; i++) {
        ok = dgm_config_add_datasource(config, NULL, player->databases.items[i], error);
    }
    if (ok && wants_writes(file)) {
        dgm_config_allow_writes(config);
    }
    return ok;
}

bool library_open(struct player *player)
{
    struct dgm_error error = {.code = ""};
    struct dgm_config *config = dgm_config_new();
    if (configure(player, config, &error)) {
        player->dgm = dgm_open(config, &error);
    }
    dgm_config_free(config);
    return player->dgm || complain(player, &error);
}

void library_close(struct player *player)
{
    dgm_close(player->dgm);
    player->dgm = NULL;
}

static bool new_session(struct player *player)
{
    struct dgm_error error;
    char *id = dgm_session_new(player->dgm, NULL, NULL, &error);
    if (!id) {
        return complain(player, &error);
    }
    player->session_id = arena_text(player->arena, id);
    dgm_free(id);
    return true;
}

static struct dgm_question *begin(struct player *player, const struct case_step *step,
                                  struct dgm_error *error)
{
    struct dgm_request request = {
        .question = step->text,
        .datasource = step->datasource,
        .session_id = step->session ? step->session : player->session_id,
        .brain = step->brain,
        .skip_plan = step->no_plan,
        .allow_write = step->allow_write,
        .dry_run = step->dry_run,
        .fresh = step->fresh,
        .skip_memory = step->no_memory,
        .new_question = step->new_question,
        .durable = player->durable,
        .observer = player->observer,
        .context = player->context,
    };
    const char *id = player->query_id ? player->query_id : "";
    switch (step->kind) {
    case CASE_ANSWER:
        return dgm_resume(player->dgm, id, step->text, &request, error);
    case CASE_APPROVE:
        return dgm_approve(player->dgm, id, true, &request, error);
    case CASE_REJECT:
        return dgm_approve(player->dgm, id, false, &request, error);
    case CASE_RETRY:
        return dgm_retry(player->dgm, id, &request, error);
    case CASE_READING:
        return dgm_reading(player->dgm, id, strtol(step->text, NULL, 10), &request,
                           error);
    case CASE_SQL:
        return dgm_run_sql(player->dgm, step->text, &request, error);
    default:
        return dgm_ask(player->dgm, &request, error);
    }
}

/* A refusal at the door looks as it does in the program's JSON. */
static const json_t *refusal(struct arena *arena, const struct dgm_error *error)
{
    json_t *fields = json_object();
    (void)json_object_set_new(fields, "code", json_string(error->code));
    (void)json_object_set_new(fields, "message", json_string(error->message));
    if (*error->detail) {
        (void)json_object_set_new(fields, "detail", json_string(error->detail));
    }
    if (*error->hint) {
        (void)json_object_set_new(fields, "hint", json_string(error->hint));
    }
    return json_keep(arena, json_pack("{s:s, s:o}", "status", "failed", "error", fields));
}

static void judge(struct player *player, bool good, struct played *played)
{
    struct dgm_error error = {.code = ""};
    if (dgm_feedback(player->dgm, NULL, player->query_id, good, &error)) {
        played->answer = json_keep(
            player->arena, json_pack("{s:s}", "verdict", good ? "good" : "wrong"));
    } else {
        played->exit_status = error.exit_status;
        played->answer = refusal(player->arena, &error);
    }
}

/* teach and lessons: the lessons of the first database. */
static bool lessons_step(struct player *player, const struct case_step *step,
                         struct played *played)
{
    struct dgm_error error = {.code = ""};
    struct err err;
    char *text = NULL;
    bool ok = step->kind == CASE_TEACH
                  ? dgm_lesson_import(player->dgm, NULL, NULL, step->text,
                                      strlen(step->text), &error) >= 0
                  : (text = dgm_lesson_list(player->dgm, NULL, NULL, &error)) != NULL;
    if (!ok) {
        played->exit_status = error.exit_status;
        played->answer = refusal(player->arena, &error);
    } else if (text) {
        played->answer =
            player_lessons(player, json_parse(player->arena, text, strlen(text), &err));
    }
    dgm_free(text);
    return true;
}

bool library_step(struct player *player, const struct case_step *step,
                  struct played *played)
{
    *played = (struct played){.answer = NULL};
    if (step->kind == CASE_SESSION) {
        return new_session(player);
    }
    if (step->kind == CASE_TEACH || step->kind == CASE_LESSONS) {
        return lessons_step(player, step, played);
    }
    struct dgm_error error = {.code = ""};
    if (step->kind == CASE_WRONG || step->kind == CASE_GOOD) {
        judge(player, step->kind == CASE_GOOD, played);
        return true;
    }
    struct dgm_question *question = begin(player, step, &error);
    if (!question) {
        played->exit_status = error.exit_status;
        played->answer = refusal(player->arena, &error);
        return true;
    }
    atomic_store(&player->question, question);
    player->query_id = arena_text(player->arena, dgm_question_id(question));
    const struct dgm_answer *answer = dgm_question_wait(question, player->timeout_ms);
    if (!answer) {
        (void)fprintf(stderr, "%s:%d: still at work after %lld ms\n", player->file->path,
                      step->number, (long long)player->timeout_ms);
        dgm_question_stop(question);
        (void)dgm_question_wait(question, -1);
        atomic_store(&player->question, NULL);
        dgm_question_free(question);
        return false;
    }
    const char *text = dgm_answer_json(answer);
    struct err err;
    err_clear(&err);
    played->exit_status = dgm_answer_exit_status(answer);
    played->answer = json_parse(player->arena, text, strlen(text), &err);
    atomic_store(&player->question, NULL);
    dgm_question_free(question);
    if (!played->answer) {
        (void)fprintf(stderr, "%s:%d: the answer is not JSON: %s\n", player->file->path,
                      step->number, err.message);
    }
    return played->answer != NULL;
}
