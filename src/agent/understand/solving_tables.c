/* The schema as the user's corrections leave it: "use table X", "not Y". */
#include <string.h>

#include "agent/run_statement.h"
#include "agent/understand/solving.h"
#include "agent/suggest/suggest.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"

enum { SCHEMA_MOST = 64 * 1024 * 1024, OPTIONS_MOST = 4 };

static bool listed(const struct texts *names, const struct table *table)
{
    for (size_t i = 0; i < names->count; i++) {
        if (str_equal_nocase(names->items[i], table->name) ||
            str_equal_nocase(names->items[i], table->bare_name)) {
            return true;
        }
    }
    return false;
}

/* Chosen, or next to one that is: a chosen table may need it to be joined. */
static bool near_chosen(const struct schema *schema, const struct texts *names,
                        const struct table *table)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct table *chosen = schema_table(schema, names->items[i]);
        bool refers = false;
        if (chosen && (chosen == table ||
                       schema_key_between(schema, chosen, table, &refers) != NULL)) {
            return true;
        }
    }
    return false;
}

static bool stays(const struct run *run, const struct table *table)
{
    const struct correction *correction = &run->request.correction;
    return !listed(&correction->reject_tables, table) &&
           (!correction->use_tables.count ||
            near_chosen(run_schema(run), &correction->use_tables, table));
}

struct schema *solving_schema(struct run *run)
{
    const struct schema *whole = run_schema(run);
    const struct correction *correction = &run->request.correction;
    if (!correction->use_tables.count && !correction->reject_tables.count) {
        return NULL;
    }
    /* A deep copy, as the parser keeps what it has prepared longer than a run lives. */
    struct buf buf;
    struct writer writer;
    struct err err;
    buf_init(&buf, SCHEMA_MOST);
    writer_init(&writer, &buf);
    schema_write(whole, &writer);
    struct schema *copy = buf.full ? NULL : schema_read(buf_get(&buf), buf.size, &err);
    buf_release(&buf);
    size_t kept = 0;
    for (size_t i = 0; copy && i < copy->tables.count; i++) {
        const struct table *table = schema_table(whole, copy->tables.items[i].name);
        if (table && stays(run, table)) {
            copy->tables.items[kept++] = copy->tables.items[i];
        }
    }
    if (copy) {
        copy->tables.count = kept;
        schema_normalize(copy);
    }
    if (kept == 0) { /* names of nothing: what was there before is better */
        schema_unref(copy);
        copy = NULL;
    }
    return copy;
}

/* The SQL of a reading of one table, with a mark in the place of the table's name; NULL
 * when it has several. */
static const char *without_table(struct run *run, const struct run_reading *reading)
{
    const struct table *table =
        reading->tables.count == 1
            ? schema_table(run_schema(run), reading->tables.items[0])
            : NULL;
    const struct sql_statement *statement =
        table ? run_statement(run, reading->sql) : NULL;
    if (!statement || !statement->root) {
        return NULL;
    }
    struct sql_nodes names = {0};
    struct sql_node *marked = sql_clone(run->scratch, statement->root);
    sql_collect(run->scratch, marked, SQL_NAME, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (str_equal_nocase(names.items[i]->text, table->bare_name)) {
            names.items[i]->text = "?";
        }
    }
    return sql_statement_print(run->scratch, statement->dialect, marked);
}

bool solving_ask_table(struct run *run)
{
    struct clarification back = {
        .kind = CLARIFY_TABLES,
        .message = "Several tables could be meant. Which one should be used?"};
    const char *best = run->understanding.readings.count
                           ? without_table(run, &run->understanding.readings.items[0])
                           : NULL;
    for (size_t i = 0; best && i < run->understanding.readings.count && i < OPTIONS_MOST;
         i++) {
        const struct run_reading *reading = &run->understanding.readings.items[i];
        if (!str_equal(without_table(run, reading), best)) {
            continue;
        }
        const struct table *table =
            schema_table(run_schema(run), reading->tables.items[0]);
        VEC_PUSH(run->arena, &back.tables, table->name);
        VEC_PUSH(
            run->arena, &back.options,
            ((struct clarification_option){
                table->name, suggest_table_label(run->arena, table, reading->words)}));
    }
    if (back.options.count < 2) {
        return false;
    }
    back.selected = back.tables.items[0];
    run->answer.clarification = back;
    return true;
}
