/* An answer as parts, and a new question made of changed parts. */
#include <string.h>

#include "datasource/datasource.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/writer.h"
#include "dragoman_store.h"
#include "parser/ir/ir_schema.h"
#include "parser/parts/parts.h"
#include "service/accounts/access.h"
#include "service/accounts/accounts.h"
#include "service/questions/question.h"
#include "service/questions/stored.h"
#include "sql/kept/kept_sql.h"
#include "sql/statement.h"

enum {
    TEXT_MOST = 4 << 20,
    CHANGED_MOST = 64 << 10,
    CELLS_MOST = 50,
    CELLS_BYTES = 1 << 20,
};

/* The answer that is looked at. Everything but the schema is in the arena. */
struct changing {
    struct dgm *dgm;
    struct arena *arena;
    const struct dgm_access *access;
    struct stored stored;
    const char *datasource;
    struct schema *schema; /* as the account sees it; a reference */
    struct parts_request request;
};

static void changing_init(struct changing *changing, struct dgm *dgm,
                          const struct dgm_access *access, struct dgm_error *error)
{
    *changing = (struct changing){.dgm = dgm, .arena = arena_new(), .access = access};
    instance_no_error(error);
}

static void changing_release(struct changing *changing)
{
    schema_unref(changing->schema);
    arena_free(changing->arena);
}

static bool cannot(struct err *err, const char *why)
{
    (void)err_set(err, ERR_CANNOT_ANSWER,
                  "This answer cannot be changed part by part: %s", why);
    return err_hint(err, "Change its SQL, or ask in other words.");
}

/* The SQL before its figures were corrected and without a LIMIT of ours. Amounts and dates
 * that are kept as text are columns again. */
static const char *sql_of(struct changing *changing, const json_t *checkpoint)
{
    const char *counted = json_text_at(checkpoint, "counted_from");
    const char *unlimited = json_text_at(checkpoint, "unlimited");
    const char *sql = counted ? counted : unlimited ? unlimited : changing->stored.sql;
    struct sql_statement statement;
    if (str_empty(sql)) {
        return NULL;
    }
    (void)sql_statement_read(changing->arena, changing->request.dialect, sql, strlen(sql),
                             &statement);
    const char *plain =
        statement.root
            ? kept_plain(changing->arena, &statement,
                         sql_resolve(changing->arena, &statement, changing->schema))
            : NULL;
    return plain ? plain : sql;
}

static bool find_datasource(struct changing *changing, const json_t *checkpoint,
                            struct err *err)
{
    const json_t *sources = json_array_at(checkpoint, "sources");
    if (!checkpoint ||
        !str_equal(changing->stored.question.state, state_name(STATE_FINISHED))) {
        return cannot(err, "it is not finished.");
    }
    if (json_array_size(sources) > 1) {
        return cannot(err, "it combines several databases.");
    }
    changing->datasource = json_text_at(json_array_get(sources, 0), "id");
    changing->datasource =
        changing->datasource ? changing->datasource : changing->stored.datasource;
    return true;
}

static bool changing_open(struct changing *changing, const char *query_id,
                          struct err *err)
{
    struct arena *arena = changing->arena;
    struct dgm *dgm = changing->dgm;
    struct stored *stored = &changing->stored;
    if (!instance_ready(dgm, err) ||
        !stored_open(dgm, arena, changing->access, query_id, stored, err)) {
        return false;
    }
    const char *text = str_or_empty(stored->question.checkpoint);
    const json_t *checkpoint = json_parse(arena, text, strlen(text), err);
    if (!find_datasource(changing, checkpoint, err)) {
        return false;
    }
    const char *account =
        changing->access ? access_account(changing->access) : stored->question.account;
    struct datasource *source =
        instance_datasource_for(dgm, arena, account, changing->datasource, err);
    changing->schema = source ? instance_schema(dgm, source, err) : NULL;
    if (!changing->schema) {
        return false;
    }
    changing->request = (struct parts_request){
        .schema = ir_schema_new(arena, changing->schema),
        .dialect = datasource_dialect(source),
        .today = clock_date(arena, clock_wall_s(), dgm->options->agent_time_zone),
        .question = stored->question.text,
    };
    changing->request.sql = sql_of(changing, checkpoint);
    return true;
}

/* ------------------------------------------------------------------ looking */

static void write_parts(const struct parts *parts, struct writer *writer)
{
    writer_key(writer, "parts");
    writer_object(writer);
    parts_write(parts, writer);
    writer_object_end(writer);
    writer_key(writer, "choices");
    parts_write_choices(parts, writer);
}

char *dgm_parts(struct dgm *dgm, const struct dgm_access *access, const char *query_id,
                struct dgm_error *error)
{
    struct err err;
    struct buf buf;
    struct writer writer;
    struct changing changing;
    err_clear(&err);
    changing_init(&changing, dgm, access, error);
    bool opened = changing_open(&changing, query_id, &err);
    struct parts *parts =
        opened ? parts_open(changing.arena, &changing.request, &err) : NULL;
    bool shown = parts || err.code == ERR_CANNOT_ANSWER;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    if (shown) {
        writer_object(&writer);
        writer_key_text(&writer, "query_id", query_id);
        writer_key_text(&writer, "datasource", changing.datasource);
        writer_key_bool(&writer, "fits", parts != NULL);
        writer_key_text(&writer, "reason", parts ? NULL : err.message);
        if (parts) {
            write_parts(parts, &writer);
        }
        writer_object_end(&writer);
    } else {
        (void)instance_fail(error, &err);
    }
    changing_release(&changing);
    char *text = shown ? buf_take(&buf) : NULL;
    buf_release(&buf);
    return text;
}

/* ------------------------------------------------------------------ changing */

static struct run *make_run(struct changing *changing, const char *text,
                            const struct dgm_request *request, struct err *err)
{
    struct parts_change change;
    if (strlen(text) > CHANGED_MOST) {
        (void)err_set(err, ERR_INVALID_DATA, "The parts are longer than %d bytes.",
                      CHANGED_MOST);
        return NULL;
    }
    const json_t *changed = json_parse(changing->arena, text, strlen(text), err);
    struct parts *parts =
        changed ? parts_open(changing->arena, &changing->request, err) : NULL;
    if (!parts || !parts_change(parts, changed, &change, err) ||
        !ask_has_room(changing->dgm, err)) {
        return NULL;
    }
    struct question question = {
        .text = change.said,
        .datasource = changing->datasource,
        .session_id = changing->stored.question.session_id,
        .account = request_account(request),
        .language = request->language,
        .datasets = true,
        .key_id = request->access ? request->access->key_id : NULL,
        .reach = request->access ? request->access->datasources : NULL,
    };
    struct run *run = run_new(&changing->dgm->agent, &question, NULL);
    run_take_composed(run, change.sql, change.words);
    return run;
}

struct dgm_question *dgm_change(struct dgm *dgm, const char *query_id, const char *parts,
                                const struct dgm_request *request,
                                struct dgm_error *error)
{
    struct err err;
    struct changing changing;
    const struct dgm_request none = {0};
    struct dgm_question *question = NULL;
    request = request ? request : &none;
    err_clear(&err);
    changing_init(&changing, dgm, request->access, error);
    bool entered = limits_enter(dgm, request->access, &err);
    if (entered && changing_open(&changing, query_id, &err)) {
        struct run *run = make_run(&changing, str_or_empty(parts), request, &err);
        question = run ? question_begin(dgm, run, request, &err) : NULL;
    }
    if (entered) {
        request_settle(dgm, request, question);
    }
    changing_release(&changing);
    if (!question) {
        (void)instance_fail(error, &err);
    }
    return question;
}

/* ------------------------------------------------------------------ cells */

struct cells {
    struct writer writer;
    struct buf cell;
    size_t count;
    bool more;
};

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count == 2;
}

static bool take_cell(void *context, const struct value *values)
{
    struct cells *cells = context;
    if (cells->count == CELLS_MOST) {
        cells->more = true;
        return false;
    }
    if (values[0].kind == VALUE_NULL) {
        return true;
    }
    buf_truncate(&cells->cell, 0);
    value_show(&cells->cell, &values[0]);
    writer_object(&cells->writer);
    writer_key(&cells->writer, "value");
    writer_text_n(&cells->writer, cells->cell.data, cells->cell.size);
    writer_key(&cells->writer, "count");
    value_show_json(&cells->writer, &values[1]);
    writer_object_end(&cells->writer);
    cells->count++;
    return true;
}

/* A policy gives no more rows. */
static void cut_cells(void *context)
{
    struct cells *cells = context;
    cells->more = true;
}

/* The query runs like every other, under the policy of the account. */
static bool read_cells(struct changing *changing, const char *column, const char *search,
                       struct cells *cells, struct err *err)
{
    const struct dgm_request request = {.datasource = changing->datasource,
                                        .account = changing->stored.question.account,
                                        .access = changing->access};
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_cell, .context = cells, .cut = cut_cells};
    const struct run_delivery delivery = {
        .sink = &sink, .max_rows = CELLS_MOST, .max_bytes = CELLS_BYTES};
    struct parts *parts = parts_of_schema(changing->arena, &changing->request);
    const char *sql = NULL;
    bool ok = parts_values_sql(parts, column, search, &sql, err) &&
              ask_deliver(changing->dgm, &request, sql, &delivery, err);
    if (!ok && err->code == ERR_CLARIFICATION) {
        (void)err_set(err, ERR_FORBIDDEN,
                      "The values of a column cannot be listed: a person has to approve "
                      "every query of this datasource.");
        (void)err_hint(err, "Type the value instead.");
    }
    return ok;
}

char *dgm_part_values(struct dgm *dgm, const struct dgm_access *access,
                      const char *query_id, const char *column, const char *search,
                      struct dgm_error *error)
{
    struct err err;
    struct buf buf;
    struct changing changing;
    struct cells cells = {.count = 0};
    err_clear(&err);
    changing_init(&changing, dgm, access, error);
    buf_init(&buf, TEXT_MOST);
    buf_init(&cells.cell, CELLS_BYTES);
    writer_init(&cells.writer, &buf);
    writer_object(&cells.writer);
    writer_key(&cells.writer, "values");
    writer_array(&cells.writer);
    bool ok = changing_open(&changing, query_id, &err) &&
              read_cells(&changing, column, search, &cells, &err);
    writer_array_end(&cells.writer);
    writer_key_bool(&cells.writer, "more", cells.more);
    writer_object_end(&cells.writer);
    if (!ok) {
        (void)instance_fail(error, &err);
    }
    char *text = ok ? buf_take(&buf) : NULL;
    buf_release(&buf);
    buf_release(&cells.cell);
    changing_release(&changing);
    return text;
}
