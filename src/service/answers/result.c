/* All rows of a result, from the stored answer or by running the SQL again. */
#include "service/answers/result.h"

#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "model/brain.h"
#include "service/accounts/access.h"
#include "service/questions/question.h"
#include "service/questions/stored.h"

/* Finds the SQL and datasource; the checkpoint has the SQL without our LIMIT. */
static void find_sql(struct arena *arena, const struct stored *stored, struct result *out)
{
    struct err ignored;
    err_clear(&ignored);
    const char *text = str_or_empty(stored->question.checkpoint);
    const json_t *checkpoint = json_parse(arena, text, strlen(text), &ignored);
    const char *unlimited = json_text_at(checkpoint, "unlimited");
    out->sql = unlimited ? unlimited : stored->sql;
    bool own = json_text_at(checkpoint, "given_sql") ||
               brain_kind_find(json_text_at(stored->json, "brain")) == BRAIN_NONE;
    out->worded = !own || json_text_at(checkpoint, "composed");
    out->datasource = stored_sources(stored, arena);
}

bool result_open(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                 const char *query_id, struct result *out, struct err *err)
{
    struct stored stored;
    *out = (struct result){.access = access};
    if (!stored_open(dgm, arena, access, query_id, &stored, err) ||
        !stored_rows(&stored, arena, &out->rows, err)) {
        return false;
    }
    out->whole = out->rows.cut == ROWS_WHOLE;
    out->again = true;
    out->title = stored.title;
    out->account = stored.question.account;
    find_sql(arena, &stored, out);
    return true;
}

static bool stream_rows(const struct rows *rows, const struct datasource_sink *sink,
                        int64_t max_rows)
{
    bool on = sink->columns(sink->context, rows->columns, rows->column_count);
    for (size_t i = 0; on && i < rows->count && (int64_t)i <= max_rows; i++) {
        on = sink->row(sink->context, &rows->cells[i * rows->column_count]);
    }
    return true;
}

bool result_stream(struct dgm *dgm, const struct result *result,
                   const struct datasource_sink *sink, int64_t max_rows,
                   int64_t max_bytes, struct err *err)
{
    if (result->whole) {
        return stream_rows(&result->rows, sink, max_rows);
    }
    if (str_empty(result->sql)) {
        return err_set(err, ERR_INVALID_DATA, "The answer has no SQL to run again.");
    }
    const struct dgm_request request = {.datasource = result->datasource,
                                        .account = result->account,
                                        .access = result->access,
                                        .observer = result->observer,
                                        .context = result->context};
    const struct run_delivery delivery = {.sink = sink,
                                          .max_rows = max_rows,
                                          .max_bytes = max_bytes,
                                          .again = result->again,
                                          .worded = result->worded};
    return ask_deliver(dgm, &request, result->sql, &delivery, err);
}

enum dialect result_dialect(struct dgm *dgm, const struct result *result)
{
    struct err ignored;
    err_clear(&ignored);
    bool several = result->datasource && strchr(result->datasource, ',');
    struct arena *keeper = arena_new();
    struct datasource *source =
        several ? NULL
                : instance_datasource_for(dgm, keeper,
                                          result->access ? access_account(result->access)
                                                         : result->account,
                                          result->datasource, &ignored);
    enum dialect dialect = source ? datasource_dialect(source) : DIALECT_DUCKDB;
    arena_free(keeper);
    return dialect;
}
