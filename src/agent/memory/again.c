/* "As a pie": the rows of the last answer again. */
#include "agent/memory/again.h"

#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "chart/wish.h"
#include "model/rows_json.h"
#include "store/store.h"

/* The answer of the last message, if it has all its rows and is of the same conversation. */
static const json_t *last_answer(struct run *run)
{
    const struct messages *history = &run->request.history;
    struct store_question stored = {.id = NULL};
    struct err err;
    err_clear(&err);
    const char *id = history->count ? history->items[history->count - 1].query_id : NULL;
    if (!id || !store_question_get(run->agent->store, run->arena, id, &stored, &err) ||
        !stored.answer ||
        !str_equal(str_or_empty(stored.account), str_or_empty(run->question.account)) ||
        !str_equal(stored.session_id, run->question.session_id)) {
        return NULL;
    }
    const json_t *json =
        json_parse(run->arena, stored.answer, strlen(stored.answer), &err);
    bool whole = json && str_equal(json_text_at(json, "type"), "rows") &&
                 !json_bool_at(json, "incomplete", false);
    return whole ? json : NULL;
}

static void take_words(struct run *run, const json_t *json)
{
    struct answer *answer = &run->answer;
    const char *meant = json_text_at(json, "rewritten_query");
    answer->rewritten = meant ? meant : json_text_at(json, "question");
    answer->datasource = json_text_at(json, "datasource");
    answer->summary = json_text_at(json, "summary");
    answer->sql = json_text_at(json, "sql");
    run->query.unlimited = run->request.history.items[run->request.history.count - 1].sql;
    answer->text = json_text_at(json, "text");
    answer->explanation = json_text_at(json, "explanation");
    const json_t *engine = json_object_at(json, "engine");
    answer->engine = json_text_at(engine, "name");
    answer->brain = brain_kind_find(json_text_at(json, "brain"));
    json_texts_at(run->arena, json, "tables_used", &answer->tables);
    json_texts_at(run->arena, json, "assumptions", &answer->assumptions);
    json_texts_at(run->arena, json, "dates_used", &answer->dates_used);
}

bool again_take(struct run *run)
{
    struct wish wish;
    struct answer *answer = &run->answer;
    if (run->request.given_sql || run->question.fresh || run->exchange.reply ||
        !wish_read(run->arena, run->question.text, &wish) || !wish.alone) {
        return false;
    }
    const json_t *json = last_answer(run);
    if (!json || !rows_read(&answer->rows, run->arena, json)) {
        return false;
    }
    if (json_bool_at(json, "truncated", false)) {
        answer->rows.cut = ROWS_CUT_BY_COUNT;
        run_warn(run, "Only the first %zu rows are shown; there are more.",
                 answer->rows.count);
    }
    take_words(run, json);
    answer->has_rows = true;
    answer->type = "rows";
    answer->intent = INTENT_TEXT_TO_SQL;
    answer->wish = wish.chart;
    answer->message =
        arena_format(run->arena, "The rows of the last answer, shown again.");
    return true;
}

/* The message and its answer, which has the SQL of the answer before. */
static bool is_again(struct run *run, const struct messages *kept, size_t at)
{
    struct wish wish;
    const struct message *items = run->request.history.items;
    return kept->count && at + 1 < run->request.history.count &&
           str_equal(items[at].role, "user") &&
           str_equal(items[at + 1].role, "assistant") && items[at + 1].sql &&
           str_equal(items[at + 1].sql, kept->items[kept->count - 1].sql) &&
           wish_read(run->scratch, items[at].content, &wish) && wish.alone;
}

void again_forget(struct run *run)
{
    struct messages *history = &run->request.history;
    struct messages kept = {.items = history->items};
    for (size_t i = 0; i < history->count; i++) {
        if (is_again(run, &kept, i)) {
            i++;
        } else {
            kept.items[kept.count++] = history->items[i];
        }
    }
    history->count = kept.count;
}
