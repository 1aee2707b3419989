/* What a link shows: a copy of an answer, or of those of a conversation. */
#include "service/links/link_taking.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "service/documents/kept.h"
#include "service/questions/stored.h"
#include "store/store.h"

enum { KILOBYTE = 1024, ANSWERS_MOST = 100, TITLE_MOST = 400 };

/* A copy in progress. */
struct work {
    struct dgm *dgm;
    struct arena *arena;
    const struct dgm_access *access;
    const char *chart;
    struct kept_limits limits; /* `bytes`: of all answers together, those that are left */
    json_t *answers;
    struct texts sources; /* each once */
};

static void note_sources(struct work *work, const char *list)
{
    struct texts ids = {0};
    str_split(work->arena, str_or_empty(list), ',', &ids);
    for (size_t i = 0; i < ids.count; i++) {
        bool known = str_empty(ids.items[i]);
        for (size_t j = 0; j < work->sources.count && !known; j++) {
            known = str_equal_nocase(work->sources.items[j], ids.items[i]);
        }
        if (!known) {
            VEC_PUSH(work->arena, &work->sources, ids.items[i]);
        }
    }
}

static bool add_answer(struct work *work, const char *query_id, struct err *err)
{
    struct stored stored;
    if (!stored_open(work->dgm, work->arena, work->access, query_id, &stored, err)) {
        return false;
    }
    json_t *kept =
        kept_answer(work->dgm, work->arena, &stored, work->chart, &work->limits, err);
    if (!kept) {
        return false;
    }
    const json_t *rows = json_array_at(kept, "rows");
    if (rows) {
        work->limits.bytes -= (int64_t)json_dumpb(rows, NULL, 0, JSON_COMPACT);
        work->limits.bytes = work->limits.bytes > 0 ? work->limits.bytes : 0;
    }
    (void)json_array_append(work->answers, kept);
    note_sources(work, stored_sources(&stored, work->arena));
    return true;
}

/* An answer whose rows are no longer stored: what the conversation still says of it. */
static void add_said(struct work *work, const char *question, const json_t *message)
{
    static const char *const pairs[][2] = {
        {"text", "content"}, {"sql", "sql_query"}, {"answered_at", "timestamp"}};
    json_t *kept = json_object();
    (void)json_object_set_new(kept, "version", json_integer(1));
    (void)json_object_set_new(kept, "question", json_string(str_or_empty(question)));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *text = json_text_at(message, pairs[i][1]);
        if (text) {
            (void)json_object_set_new(kept, pairs[i][0], json_string(text));
        }
    }
    (void)json_array_append_new(work->answers, kept);
}

/* The messages of a conversation: each answer once; what is unfinished is left out. */
static void add_messages(struct work *work, const json_t *messages)
{
    const char *question = NULL;
    const char *last = NULL; /* id of the answer that was added last */
    for (size_t i = 0;
         i < json_array_size(messages) && json_array_size(work->answers) < ANSWERS_MOST;
         i++) {
        struct err err;
        err_clear(&err);
        const json_t *message = json_array_get(messages, i);
        const char *id = json_text_at(message, "query_id");
        if (str_equal(json_text_at(message, "role"), "user")) {
            question = json_text_at(message, "content");
            continue;
        }
        if (id && !str_equal(id, last) && !add_answer(work, id, &err) &&
            err.code == ERR_QUERY_NOT_FOUND) {
            add_said(work, question, message);
        }
        last = id ? id : last;
    }
}

static bool take_conversation(struct work *work, const char *id, struct taking *out,
                              struct err *err)
{
    struct dgm_error error;
    char *text = dgm_session_get_for(work->dgm, work->access, id, &error);
    const json_t *session = text ? json_quick(work->arena, text, strlen(text)) : NULL;
    memory_free(text);
    if (!session) {
        return err_set(err, ERR_SESSION_NOT_FOUND, "Session not found or expired");
    }
    const json_t *messages = json_array_at(session, "messages");
    note_sources(work, json_text_at(session, "datasource"));
    add_messages(work, messages);
    if (!json_array_size(work->answers)) {
        (void)err_set(err, ERR_INVALID_DATA, "The conversation has no answers yet.");
        return err_hint(err, "Ask a question first.");
    }
    const char *title = json_text_at(session, "title");
    out->kind = "conversation";
    out->title = str_empty(title)
                     ? json_text_at(json_array_get(work->answers, 0), "question")
                     : title;
    return true;
}

static bool take_answer(struct work *work, const char *id, struct taking *out,
                        struct err *err)
{
    out->kind = "answer";
    if (!add_answer(work, id, err)) {
        return false;
    }
    out->title = json_text_at(json_array_get(work->answers, 0), "question");
    return true;
}

bool taking_make(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                 const struct dgm_share *share, struct taking *out, struct err *err)
{
    struct work work = {.dgm = dgm,
                        .arena = arena,
                        .access = access,
                        .chart = share->chart,
                        .limits = {.rows = dgm->options->share_max_rows,
                                   .bytes = dgm->options->share_max_kb * KILOBYTE},
                        .answers = json_keep(arena, json_array())};
    bool whole = !str_empty(share->session_id);
    *out = (struct taking){.subject = whole ? share->session_id : share->query_id};
    if (whole == !str_empty(share->query_id)) {
        return err_set(err, ERR_USAGE,
                       "Give the query_id of an answer or the session_id of a "
                       "conversation, one of the two.");
    }
    if (!(whole ? take_conversation(&work, share->session_id, out, err)
                : take_answer(&work, share->query_id, out, err))) {
        return false;
    }
    const char *title = str_or_empty(out->title);
    size_t size = strlen(title);
    out->title = size > TITLE_MOST
                     ? arena_copy(arena, title, utf8_cut(title, size, TITLE_MOST))
                     : title;
    out->datasources = work.sources.count ? str_join(arena, &work.sources, ",") : "";
    out->document = kept_document(arena, out->title, work.answers);
    return true;
}
