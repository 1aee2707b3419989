/* Asks through all stages, as a user would. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "lab/eval/eval_state.h"

/* Always the best guess: there is no user to ask, and nothing is stored. */
static const char *const settings[][2] = {
    {"store.url", "memory:"},      {"agent.ask_when_vague", "false"},
    {"agent.min_confidence", "0"}, {"parser.ask", "0"},
    {"agent.approval", "false"},   {"agent.ask", "never"},
};

static bool add_databases(struct eval *eval, struct options *options, const json_t *list,
                          size_t count, struct err *err)
{
    struct map known;
    bool good = true;
    map_init(&known, false);
    for (size_t i = 0; i < count && good; i++) {
        const char *id = json_text_at(json_array_get(list, i), "db_id");
        if (!id || map_has(&known, id)) {
            continue;
        }
        struct arena *arena = arena_new();
        (void)map_set(&known, id, eval);
        good = options_add_datasource(
            options, id,
            arena_format(arena, "%s/%s/%s.sqlite", eval->request->databases, id, id),
            err);
        arena_free(arena);
    }
    map_release(&known);
    return good;
}

bool eval_agent_open(struct eval *eval, const json_t *list, size_t count, struct err *err)
{
    struct dgm_config config = {.options = options_clone(eval->options)};
    bool good = true;
    config.options->datasources.count = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && good; i++) {
        good = options_set(config.options, settings[i][0], settings[i][1], err);
    }
    if (good && !str_empty(eval->request->weights)) {
        good = options_set(config.options, "parser.weights", eval->request->weights, err);
    }
    if (good && add_databases(eval, config.options, list, count, err)) {
        struct dgm_error error;
        eval->dgm = dgm_open(&config, &error);
        good = eval->dgm || err_set(err, ERR_CONFIG, "%s", error.message);
    }
    options_free(config.options);
    return good && eval->dgm;
}

void eval_agent_close(struct eval *eval)
{
    if (eval->dgm) {
        dgm_close(eval->dgm);
    }
}

/* The last SQL that was written, before it gets a limit. */
struct heard {
    char *sql;
};

static void hear(void *context, const struct dgm_event *event)
{
    struct heard *heard = context;
    if (event->kind == DGM_SQL && event->text) {
        memory_free(heard->sql);
        heard->sql = memory_text(event->text);
    }
}

/* Models are told to add a LIMIT; here neither theirs nor that of dragoman is wanted. */
static const char *without_limit(struct arena *arena, const char *sql, int64_t rows)
{
    char *text = str_trim(arena, sql);
    size_t size = strlen(text);
    while (size && (text[size - 1] == ';' || text[size - 1] == ' ')) {
        text[--size] = '\0';
    }
    const char *limit = arena_format(arena, "limit %lld", (long long)rows);
    size_t tail = strlen(limit);
    if (size > tail && strcasecmp(text + size - tail, limit) == 0) {
        text[size - tail] = '\0';
    }
    return str_trim(arena, text);
}

/* A question may fail; where the first one finds no model, so will all the others. */
static void note_failure(struct eval *eval, const struct dgm_error *error)
{
    eval->failed++;
    eval->hopeless =
        eval->hopeless || (eval->done == 0 && str_starts(error->code, "LLM_"));
    if (eval->failed == 1) {
        (void)err_set(&eval->first_error, ERR_LLM_UNAVAILABLE, "%s", error->message);
        (void)err_hint(&eval->first_error, "%s", error->hint);
    }
}

static bool names_word(const struct dgm_answer *answer, const char *list,
                       const char *word)
{
    const char *item = NULL;
    for (size_t i = 0; (item = dgm_answer_item(answer, list, i)); i++) {
        if (!word || str_contains_nocase(item, word)) {
            return true;
        }
    }
    return false;
}

/* Is the user told about the word that has no place, and left in peace otherwise? */
static void note_words(struct eval *eval, const json_t *item,
                       const struct dgm_answer *answer)
{
    const char *word = json_text_at(item, "unplaced");
    bool left = names_word(answer, "unplaced", word);
    bool assumed = !left && names_word(answer, "assumptions", word);
    bool answered = dgm_answer_rows(answer) > 0 || dgm_answer_columns(answer) > 0;
    if (word) {
        eval->odd++;
        eval->odd_told += left || assumed || !answered;
        eval->odd_assumed += assumed;
        return;
    }
    eval->plain++;
    eval->doubted += left;
    eval->assumed += assumed;
}

/* One question, alone or in a conversation; NULL if it produced no SQL. */
static const char *ask_agent(struct eval *eval, const struct eval_question *question,
                             const char *text, const char *session,
                             struct eval_guess *out)
{
    struct heard heard = {0};
    struct dgm_error error;
    struct dgm_request request = {.question = text,
                                  .datasource = json_text_at(question->item, "db_id"),
                                  .session_id = session,
                                  .brain = eval->request->brain,
                                  .fresh = true,
                                  .observer = hear,
                                  .context = &heard};
    struct dgm_question *asked = dgm_ask(eval->dgm, &request, &error);
    const struct dgm_answer *answer = asked ? dgm_question_wait(asked, -1) : NULL;
    if (!asked || (answer && dgm_answer_error(answer, &error))) {
        note_failure(eval, &error);
    }
    if (answer) {
        note_words(eval, question->item, answer);
        const char *unplaced = dgm_answer_item(answer, "unplaced", 0);
        (void)snprintf(out->unplaced, sizeof out->unplaced, "%s",
                       unplaced ? unplaced : "");
        double sure = dgm_answer_parser_probability(answer);
        bool parser = str_equal(dgm_answer_text(answer, "brain"), "parser");
        out->score = fmax(dgm_answer_confidence(answer), 0);
        out->changes = dgm_answer_text(answer, "rewritten_query") != NULL;
        out->probability = parser ? fmax(sure, 0) : out->score;
        eval->by_parser += parser ? 1 : 0;
        eval->calls += dgm_answer_llm_calls(answer);
        eval->tokens += dgm_answer_tokens(answer);
        eval->ms[eval->done] = dgm_answer_ms(answer);
    }
    dgm_question_free(asked);
    const char *sql = heard.sql ? without_limit(question->arena, heard.sql,
                                                eval->options->sql_default_rows)
                                : NULL;
    memory_free(heard.sql);
    return sql;
}

void eval_agent_ask(struct eval *eval, const struct eval_question *question,
                    struct eval_guess *out)
{
    const json_t *history = json_array_at(question->item, "history");
    struct dgm_error error;
    size_t index = 0;
    const json_t *turn = NULL;
    double before = -1;
    char *session =
        json_array_size(history) ? dgm_session_new(eval->dgm, NULL, NULL, &error) : NULL;
    json_array_foreach(history, index, turn)
    {
        const char *text = json_text_at(turn, "question");
        if (text) {
            (void)ask_agent(eval, question, text, session, out);
            before = out->score;
        }
    }
    *out = (struct eval_guess){.before = before};
    out->sql = ask_agent(eval, question, question->text, session, out);
    dgm_free(session);
}
