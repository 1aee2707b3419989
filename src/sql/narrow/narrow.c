/* The statement with each base table replaced by a subquery that returns only what the
 * user may see. */
#include "sql/narrow/narrow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "sql/narrow/narrow_state.h"

void narrow_add(struct narrowing *work, size_t start, size_t end, const char *text)
{
    VEC_PUSH(work->arena, &work->edits,
             ((struct narrow_edit){.start = start, .end = end, .text = text}));
}

static const char *slice(struct narrowing *work, size_t start, size_t end)
{
    return arena_copy(work->arena, work->sql + start, end - start);
}

/* The name under which the statement knows the table: as it is written. */
static const char *known_as(struct narrowing *work, const struct guard_place *place)
{
    if (place->set) {
        return "";
    }
    if (place->alias_end > place->alias_start) {
        return slice(work, place->alias_start, place->alias_end);
    }
    const char *last = slice(work, place->last_start, place->name_end);
    if (work->dialect == DIALECT_BIGQUERY && strchr(last, '.')) {
        const char *dot = strrchr(place->alias, '.'); /* `project.dataset.table` */
        last = narrow_quoted(work->arena, work->dialect, dot ? dot + 1 : place->alias,
                             false);
    }
    return arena_format(work->arena, " AS %s", last);
}

/* The table as the schema names it: what the guard has looked at is what is read, however
 * the engine searches for a name. */
static const char *exact_name(struct narrowing *work, const struct guard_place *place)
{
    return narrow_quoted(work->arena, work->dialect, place->table->name, true);
}

/* Its columns, masks in their place. BigQuery's and ClickHouse's fields come with the
 * column that holds them. */
static void put_columns(struct narrowing *work, const struct table *table, bool shown,
                        struct buf *out)
{
    struct texts done = {0};
    bool nested =
        work->dialect == DIALECT_BIGQUERY || work->dialect == DIALECT_CLICKHOUSE;
    for (size_t i = 0; i < table->columns.count; i++) {
        const char *name = table->columns.items[i].name;
        const char *dot = nested ? strchr(name, '.') : NULL;
        name = dot ? arena_copy(work->arena, name, (size_t)(dot - name)) : name;
        bool again = false;
        for (size_t k = 0; dot && k < done.count && !again; k++) {
            again = str_equal(done.items[k], name);
        }
        enum policy_mask mask = policy_mask_of(work->rules->policy, table, name);
        if (again || mask == POLICY_MASK_DENIED || (dot && mask != POLICY_MASK_NONE)) {
            continue;
        }
        if (dot) {
            VEC_PUSH(work->arena, &done, name);
        }
        const char *quoted = narrow_quoted(work->arena, work->dialect, name, false);
        (void)buf_text(out, out->size ? ", " : "");
        if (mask != POLICY_MASK_NONE) {
            (void)buf_format(out, "%s AS ",
                             shown ? "NULL"
                                   : narrow_mask(work->arena, work->dialect, mask, quoted,
                                                 work->rules->key));
        }
        (void)buf_text(out, quoted);
        if (mask != POLICY_MASK_NONE && !shown) {
            VEC_PUSH(work->arena, &work->out->masked,
                     arena_format(work->arena, "%s.%s", table->name, name));
        }
    }
}

/* Engines move conditions about. Behind a LIMIT that takes all rows they cannot put what
 * the statement computes (and how it fails) before the condition of the policy. */
static const char *fence(const struct narrowing *work)
{
    static const char *const fences[DIALECT_COUNT] = {
        [DIALECT_SQLITE] = " LIMIT -1",
        [DIALECT_DUCKDB] = " LIMIT 4611686018427387904",
        [DIALECT_POSTGRES] = " OFFSET 0",
        [DIALECT_MYSQL] = " LIMIT 9223372036854775807",
        [DIALECT_CLICKHOUSE] = " LIMIT 9223372036854775807",
        [DIALECT_BIGQUERY] = " LIMIT 9223372036854775807",
        [DIALECT_ODBC] = "",
    };
    return work->fence ? fences[work->dialect] : "";
}

/* What stands behind the name and is no alias: TABLESAMPLE, INDEXED BY, PARTITION. */
static const char *suffix(struct narrowing *work, const struct guard_place *place)
{
    return arena_format(work->arena, "%s%s%s",
                        slice(work, place->name_end, place->alias_start),
                        place->end > place->alias_end ? " " : "",
                        slice(work, place->alias_end, place->end));
}

static const char *derived(struct narrowing *work, const struct guard_place *place,
                           const char *condition, bool shown)
{
    struct buf columns;
    buf_init(&columns, NARROW_SQL_MOST);
    put_columns(work, place->table, shown, &columns);
    const char *text =
        columns.size == 0
            ? NULL
            : arena_format(work->arena, "(SELECT %s FROM %s%s%s%s%s%s)%s",
                           buf_get(&columns),
                           slice(work, place->start, place->name_start),
                           exact_name(work, place), suffix(work, place),
                           condition ? " WHERE " : "", str_or_empty(condition),
                           condition ? fence(work) : "", known_as(work, place));
    text = columns.full ? NULL : text;
    buf_release(&columns);
    return text;
}

/* A condition that looks into other tables must not find a WITH of the same name there.
 */
static bool captured(struct narrowing *work, const char *condition)
{
    struct texts tables = {0};
    if (!condition || work->guard->ctes.count == 0) {
        return false;
    }
    narrow_condition_tables(work->arena, work->dialect, condition, &tables);
    for (size_t i = 0; i < work->guard->ctes.count; i++) {
        for (size_t k = 0; k < tables.count; k++) {
            if (str_equal_nocase(work->guard->ctes.items[i], tables.items[k])) {
                return !err_set(work->err, ERR_UNSAFE,
                                "WITH cannot use the name '%.80s' here.",
                                work->guard->ctes.items[i]);
            }
        }
    }
    return false;
}

static bool narrow_read(struct narrowing *work, const struct guard_place *place)
{
    if (!policy_touches(work->rules->policy, place->table)) {
        const char *name = exact_name(work, place);
        const char *written = slice(work, place->name_start, place->name_end);
        if (!str_equal(name, written)) {
            bool named = place->alias_end > place->alias_start;
            narrow_add(
                work, place->name_start, place->name_end,
                named ? name
                      : arena_format(work->arena, "%s%s", name, known_as(work, place)));
        }
        return true;
    }
    const char *condition =
        narrow_condition(work->arena, work->dialect, work->rules, place->table);
    if (captured(work, condition)) {
        return false;
    }
    struct narrow_edit edit = {.start = place->start,
                               .end = place->end,
                               .text = derived(work, place, condition, false),
                               .shown = derived(work, place, condition, true)};
    if (!edit.text || !edit.shown) {
        return err_set(work->err, ERR_UNSAFE, "The policy allows no column of '%.80s'.",
                       place->name);
    }
    VEC_PUSH(work->arena, &work->edits, edit);
    work->out->changed = true;
    if (condition) {
        VEC_PUSH(work->arena, &work->out->filtered, place->table->name);
        VEC_PUSH(work->arena, &work->out->hidden, condition);
    }
    return true;
}

/* A table in FROM without an alias, and not the place where it stands. */
static bool is_seen_table(const struct narrowing *work, const struct sql_node *column)
{
    bool inside = false;
    bool known = false;
    for (size_t i = 0; i < work->guard->places.count; i++) {
        const struct guard_place *place = &work->guard->places.items[i];
        inside = inside || (column->start >= place->start && column->start < place->end);
        known = known || (!place->target && place->alias_end == place->alias_start &&
                          str_equal_nocase(place->alias, column->children[1]->text));
    }
    return known && !inside;
}

/* main.orders.id -> orders.id: what stands in FROM now is known by its last name only. */
static void shorten_names(struct narrowing *work)
{
    struct sql_nodes columns = {0};
    struct sql_nodes stars = {0};
    sql_collect(work->arena, work->statement.root, SQL_COLUMN, &columns);
    sql_collect(work->arena, work->statement.root, SQL_STAR, &stars);
    for (size_t i = 0; i < columns.count; i++) {
        const struct sql_node *column = columns.items[i];
        size_t parts = column->count;
        for (size_t k = 0; k < stars.count; k++) { /* main.orders.* */
            parts += stars.items[k]->children[STAR_OF] == column;
        }
        if (parts > 2 && is_seen_table(work, column)) {
            narrow_add(work, column->start, column->children[1]->start, "");
        }
    }
}

static int edit_order(const void *a, const void *b)
{
    size_t left = ((const struct narrow_edit *)a)->start;
    size_t right = ((const struct narrow_edit *)b)->start;
    return (left > right) - (left < right);
}

static void keep(struct narrowing *work, struct buf *out, size_t from, size_t to)
{
    VEC_PUSH(work->arena, &work->out->pieces,
             ((struct narrow_piece){.from = from, .to = out->size, .size = to - from}));
    (void)buf_add(out, work->sql + from, to - from);
}

/* False when two edits lie across each other, or it grows too long. */
static bool apply(struct narrowing *work, bool shown, const char **sql)
{
    struct buf out;
    size_t at = 0;
    size_t end = work->statement.tokens.items[work->statement.tokens.count - 1].end;
    bool ok = true;
    buf_init(&out, NARROW_SQL_MOST);
    work->out->pieces.count = 0;
    for (size_t i = 0; ok && i < work->edits.count; i++) {
        const struct narrow_edit *edit = &work->edits.items[i];
        ok = edit->start >= at && edit->end >= edit->start && edit->end <= end;
        if (ok) {
            keep(work, &out, at, edit->start);
            (void)buf_text(&out, shown && edit->shown ? edit->shown : edit->text);
            at = edit->end;
        }
    }
    if (ok) {
        keep(work, &out, at, end);
    }
    ok = ok && !out.full;
    *sql = ok ? buf_clone(&out, work->arena) : NULL;
    buf_release(&out);
    return ok;
}

/* What was made meets the guard as what was given did: nothing may have become another
 * kind of statement on the way. */
static bool guarded_again(struct narrowing *work, const struct sql_statement *made,
                          struct guard_result *again)
{
    guard_check_statement(work->arena, made, NULL, again);
    return again->verdict == work->guard->verdict;
}

/* Masks and conditions, too, call built-in functions only. */
static bool own_unused(struct narrowing *work, const struct sql_statement *made,
                       const struct schema *schema)
{
    struct guard_result again = {0};
    if (!schema || schema->functions.count + schema->types.count == 0) {
        return true;
    }
    const char *own = guarded_again(work, made, &again)
                          ? guard_own_used(work->arena, work->dialect, schema, &again)
                          : "a name of its own";
    if (!own) {
        return true;
    }
    (void)err_set(
        work->err, ERR_UNSAFE,
        "The policy needs '%.60s', and this database has a function, operator or cast "
        "of its own with that name, which could be called in place of the "
        "built-in one.",
        own);
    return err_hint(work->err,
                    "Rename or drop it in the database, or choose another mask "
                    "or condition.");
}

/* Comparisons of columns and plain counting cannot fail on a row, so no fence is needed,
 * and indexes stay of use. DuckDB's comparisons cast, and tell what they could not. */
static bool needs_fence(const struct narrowing *work)
{
    return work->dialect == DIALECT_DUCKDB || !narrow_is_calm(work->statement.root);
}

/* SQLite: reading along an index shows the order of its columns, hidden ones too. */
static bool index_chosen(const struct narrowing *work)
{
    struct sql_nodes hints = {0};
    sql_collect(work->arena, work->statement.root, SQL_INDEX_HINT, &hints);
    for (size_t i = 0; i < hints.count; i++) {
        if (!sql_has(hints.items[i], FLAG_NOT)) {
            return true;
        }
    }
    return false;
}

/* A sample of so many rows is taken before the policy's condition: how many of them are left tells how many
 * are hidden. */
static bool unsampled(struct narrowing *work)
{
    struct sql_nodes tables = {0};
    sql_collect(work->arena, work->statement.root, SQL_TABLE, &tables);
    for (size_t i = 0; work->out->filtered.count && i < tables.count; i++) {
        if (tables.items[i]->children[TABLE_SAMPLE]) {
            work->err->position = (int)tables.items[i]->start;
            return err_set(work->err, ERR_UNSAFE,
                           "A sample of a table is not allowed where a policy hides "
                           "rows.");
        }
    }
    return true;
}

/* What stands in place of a table has none of its hidden columns; SQLite would say
 * NULL. */
static bool pseudos_unused(struct narrowing *work)
{
    for (size_t i = 0; work->out->changed && i < work->guard->pseudos.count; i++) {
        const struct guard_pseudo *pseudo = &work->guard->pseudos.items[i];
        if (!pseudo->table || policy_touches(work->rules->policy, pseudo->table)) {
            (void)err_set(work->err, ERR_INVALID_SQL,
                          "Column '%.80s' cannot be read under a policy.", pseudo->name);
            work->err->position = (int)pseudo->position;
            return err_hint(work->err, "Use a declared column of the table.");
        }
    }
    return true;
}

/* A view that the policy names may leave out rows of tables that the policy hides. */
static void note_table(struct narrowing *work, const struct guard_place *place)
{
    const struct table *table = place->table;
    const struct policy *policy = work->rules->policy;
    VEC_PUSH(work->arena, &work->out->tables, exact_name(work, place));
    work->out->rows_hidden =
        work->out->rows_hidden ||
        narrow_condition(work->arena, work->dialect, work->rules, table) ||
        ((table->is_view || table->shows) && policy_lists_table(policy, table));
}

static bool narrow_places(struct narrowing *work)
{
    const struct guard_place *target = NULL;
    if (work->dialect == DIALECT_SQLITE && index_chosen(work)) {
        return err_set(work->err, ERR_UNSAFE,
                       "INDEXED BY is not allowed under a policy.");
    }
    for (size_t i = 0; i < work->guard->places.count; i++) {
        const struct guard_place *place = &work->guard->places.items[i];
        if (!place->table || !policy_has_table(work->rules->policy, place->table)) {
            (void)err_set(work->err, ERR_INVALID_SQL, "Table '%.80s' does not exist.",
                          place->name);
            work->err->position = (int)place->start;
            return false;
        }
        note_table(work, place);
        target = place->target ? place : target;
        if (!place->target && !narrow_read(work, place)) {
            return false;
        }
    }
    return !target || narrow_write(work, target);
}

/* The two texts with all edits made, each read once: what is to run, and the same without
 * masks, for the guard. */
static bool make(struct narrowing *work, struct sql_statement *made,
                 struct sql_statement *shown)
{
    const char *texts[2];
    if (!apply(work, true, &texts[1]) || !apply(work, false, &texts[0])) {
        return false;
    }
    (void)sql_statement_read(work->arena, work->dialect, texts[0], strlen(texts[0]),
                             made);
    *shown = *made;
    if (!str_equal(texts[0], texts[1])) {
        (void)sql_statement_read(work->arena, work->dialect, texts[1], strlen(texts[1]),
                                 shown);
    }
    return made->root;
}

bool narrow_sql(struct arena *arena, const struct sql_statement *statement,
                const struct guard_result *guard, const struct schema *schema,
                const struct narrow_rules *rules, struct narrow_result *out,
                struct err *err)
{
    *out = (struct narrow_result){.sql = statement->text};
    struct narrowing work = {.arena = arena,
                             .dialect = statement->dialect,
                             .sql = statement->text,
                             .guard = guard,
                             .rules = rules,
                             .statement = *statement,
                             .out = out,
                             .err = err};
    if (!statement->root) {
        (void)err_set(err, ERR_INVALID_SQL, "%s", statement->reason);
        err->position = (int)statement->position;
        return false;
    }
    work.fence = needs_fence(&work);
    if (!narrow_places(&work) || !pseudos_unused(&work) || !unsampled(&work)) {
        return false;
    }
    shorten_names(&work);
    narrow_names(&work);
    if (work.edits.count > 1) {
        qsort(work.edits.items, work.edits.count, sizeof *work.edits.items, edit_order);
    }
    struct sql_statement made;
    struct sql_statement shown;
    struct guard_result again = {0};
    if (!make(&work, &made, &shown) || !guarded_again(&work, &shown, &again)) {
        return err_set(err, ERR_UNSAFE, "The policy cannot be applied to this query.");
    }
    if (!own_unused(&work, &made, schema) ||
        !printed_make_statement(arena, &made, &out->printed, err)) {
        return false;
    }
    out->sql = out->printed.sql;
    return true;
}

/* The position of a byte of the narrowed SQL in the original; -1: we added it. */
static int narrow_position(const struct narrow_result *result, int position)
{
    position = printed_position(&result->printed, position);
    for (size_t i = 0; position >= 0 && i < result->pieces.count; i++) {
        const struct narrow_piece *piece = &result->pieces.items[i];
        if ((size_t)position >= piece->to && (size_t)position < piece->to + piece->size) {
            return (int)(piece->from + (size_t)position - piece->to);
        }
    }
    return -1;
}

/* The condition as the engine got it. */
static const char *condition_printed(const struct narrow_result *result,
                                     const char *condition)
{
    struct sql_statement statement;
    struct arena *arena = result->printed.arena;
    const char *sql = arena_format(arena, "SELECT 1 FROM t WHERE %s", condition);
    if (!sql_statement_read(arena, result->printed.dialect, sql, strlen(sql),
                            &statement)) {
        return condition;
    }
    const struct sql_node *select = statement.root->children[QUERY_BODY];
    return sql_statement_print(arena, statement.dialect, select->children[SELECT_WHERE]);
}

static bool tells(const struct err *err, const char *condition)
{
    return str_contains_nocase(err->message, condition) ||
           str_contains_nocase(err->detail, condition);
}

void narrow_error(const struct narrow_result *result, bool ran, struct err *err)
{
    err->position = narrow_position(result, err->position);
    if (!result->changed || err->code != ERR_INVALID_SQL) {
        return;
    }
    bool told = ran; /* an engine quotes the value that it could not use */
    for (size_t i = 0; i < result->hidden.count && !told; i++) {
        const char *condition = result->hidden.items[i];
        told = tells(err, condition) ||
               tells(err, condition_printed(result, condition)) ||
               strstr(err->message, "near '") != NULL;
    }
    if (told) {
        (void)err_set(err, ERR_INVALID_SQL,
                      "The database could not compute the query on the rows it read.");
    }
    err->detail[0] = '\0';
}
