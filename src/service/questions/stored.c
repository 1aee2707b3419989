/* Opens a stored question and its answer, if the account may see it. */
#include "service/questions/stored.h"

#include <string.h>

#include "base/str.h"
#include "service/accounts/access.h"
#include "service/questions/resume.h"

bool stored_open(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                 const char *query_id, struct stored *out, struct err *err)
{
    *out = (struct stored){.json = NULL};
    if (!instance_store(dgm, err) ||
        !resume_find(dgm, arena, str_or_empty(query_id), &out->question, err)) {
        return false;
    }
    const struct dgm_request request = {.access = access};
    if (!request_sees_question(&request, &out->question)) {
        return err_set(err, ERR_QUERY_NOT_FOUND, "There is no question with this id.");
    }
    if (!out->question.answer) {
        return err_set(err, ERR_QUERY_NOT_FOUND, "The question has no answer yet.");
    }
    out->json =
        json_parse(arena, out->question.answer, strlen(out->question.answer), err);
    out->sql = json_text_at(out->json, "sql");
    out->datasource = json_text_at(out->json, "datasource");
    const char *summary = json_text_at(out->json, "summary");
    out->title = str_empty(summary) ? json_text_at(out->json, "question") : summary;
    return out->json != NULL;
}

const char *stored_sources(const struct stored *stored, struct arena *arena)
{
    struct texts ids = {0};
    const char *text = str_or_empty(stored->question.checkpoint);
    const json_t *checkpoint = json_quick(arena, text, strlen(text));
    size_t index = 0;
    const json_t *source = NULL;
    json_array_foreach(json_array_at(checkpoint, "sources"), index, source)
    {
        const char *id = json_text_at(source, "id");
        if (id) {
            VEC_PUSH(arena, &ids, id);
        }
    }
    return ids.count ? str_join(arena, &ids, ",") : stored->datasource;
}

bool stored_rows(const struct stored *stored, struct arena *arena, struct rows *rows,
                 struct err *err)
{
    if (rows_read(rows, arena, stored->json)) {
        return true;
    }
    (void)err_set(err, ERR_INVALID_DATA, "The answer has no rows.");
    return err_hint(err, "Only answers that are tables can be drawn or exported.");
}
