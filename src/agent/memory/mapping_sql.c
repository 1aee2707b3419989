/* Lessons as a mapper of the names in SQL. */
#include <string.h>

#include "agent/memory/mapping.h"
#include "agent/memory/remembering.h"
#include "agent/run_statement.h"
#include "base/buf.h"
#include "base/str.h"

/* One name for another, everywhere in a query or only where tables stand. */
struct renaming {
    const char *from;
    const char *to;
    bool table;
};

/* A place of the SQL where the name stands, and whether the old one stays as an alias. */
struct place {
    uint32_t start;
    uint32_t end;
    bool alias;
};

struct places {
    struct place *items;
    size_t count;
    size_t capacity;
};

/* Does the name stand before a column's? */
static bool qualifies(const struct sql_nodes *columns, const char *name)
{
    for (size_t i = 0; i < columns->count; i++) {
        const struct sql_node *column = columns->items[i];
        if (column->count > 1 && str_equal_nocase(column->children[0]->text, name)) {
            return true;
        }
    }
    return false;
}

static void table_places(struct arena *arena, const struct sql_statement *statement,
                         const char *name, struct places *out)
{
    struct sql_node *root = statement->root;
    struct sql_nodes tables = {0};
    struct sql_nodes columns = {0};
    sql_collect(arena, root, SQL_TABLE, &tables);
    sql_collect(arena, root, SQL_COLUMN, &columns);
    for (size_t i = 0; i < tables.count; i++) {
        const struct sql_node *path = tables.items[i]->children[TABLE_PATH];
        if (path->count == 1 && str_equal_nocase(path->children[0]->text, name)) {
            struct place place = {path->start, path->end,
                                  !tables.items[i]->children[TABLE_ALIAS] &&
                                      qualifies(&columns, name)};
            VEC_PUSH(arena, out, place);
        }
    }
}

/* Headings follow, because other parts of the query may speak of them. */
static void heading_places(struct arena *arena, const struct sql_statement *statement,
                           const char *name, struct places *out)
{
    struct sql_nodes items = {0};
    sql_collect(arena, statement->root, SQL_ITEM, &items);
    for (size_t i = 0; i < items.count; i++) {
        const struct sql_node *item = items.items[i];
        for (size_t t = 0; item->text && t < statement->tokens.count; t++) {
            const struct token *token = &statement->tokens.items[t];
            if (token->end == item->end && str_equal(token->text, item->text) &&
                token->start >= item->children[SINGLE_VALUE]->end &&
                str_equal_nocase(item->text, name)) {
                struct place place = {(uint32_t)token->start, (uint32_t)token->end,
                                      false};
                VEC_PUSH(arena, out, place);
            }
        }
    }
}

static void name_places(struct arena *arena, const struct sql_statement *statement,
                        const char *name, struct places *out)
{
    struct sql_nodes names = {0};
    heading_places(arena, statement, name, out);
    sql_collect(arena, statement->root, SQL_NAME, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (str_equal_nocase(names.items[i]->text, name)) {
            struct place place = {names.items[i]->start, names.items[i]->end, false};
            VEC_PUSH(arena, out, place);
        }
    }
}

/* The next place behind a byte of the SQL; NULL when there is none. */
static const struct place *place_after(const struct places *places, size_t byte)
{
    const struct place *next = NULL;
    for (size_t i = 0; i < places->count; i++) {
        const struct place *place = &places->items[i];
        if (place->start >= byte && place->end > place->start &&
            (!next || place->start < next->start)) {
            next = place;
        }
    }
    return next;
}

static const char *rename_all(struct run *run, const char *sql,
                              const struct renaming *renaming)
{
    const struct sql_statement *statement = run_statement(run, sql);
    struct places places = {0};
    struct buf out;
    size_t copied = 0;
    (renaming->table ? table_places : name_places)(run->scratch, statement,
                                                   renaming->from, &places);
    buf_init(&out, (size_t)run->options->sql_max_length);
    for (const struct place *place; (place = place_after(&places, copied));) {
        (void)buf_add(&out, sql + copied, place->start - copied);
        dialect_quote(&out, statement->dialect, renaming->to, renaming->table);
        if (place->alias) {
            (void)buf_text(&out, " AS ");
            dialect_quote(&out, statement->dialect, renaming->from, false);
        }
        copied = place->end;
    }
    (void)buf_text(&out, sql + copied);
    const char *made = out.full || !copied ? sql : buf_clone(&out, run->arena);
    buf_release(&out);
    return made;
}

static void mapping_sql_check(struct run *run, const char *sql,
                              const struct schema *schema, struct guard_result *out)
{
    *out = (struct guard_result){0};
    run_guard(run, sql, schema, out);
}

static bool names_table(const struct run *run, const struct guard_result *sql,
                        const struct table *table)
{
    for (size_t i = 0; i < sql->tables.count; i++) {
        if (schema_table(run_schema(run), sql->tables.items[i]) == table) {
            return true;
        }
    }
    return false;
}

/* One pass for the names that the schema lacks, which must not be worse for it, then one
 * for names that it has, where the outcome must be right in every name. */
static const char *map_pass(struct run *run, const char *sql, bool known)
{
    struct guard_result before;
    mapping_sql_check(run, sql, NULL, &before);
    if (before.verdict != GUARD_READ) {
        return sql; /* never a write, and nothing that is not understood */
    }
    for (size_t i = 0; i < before.tables.count; i++) {
        const char *name = before.tables.items[i];
        bool there = schema_table(run_schema(run), name) != NULL;
        const struct table *table = there == known ? mapping_table(run, name) : NULL;
        if (!table || names_table(run, &before, table)) {
            continue;
        }
        struct renaming renaming = {name, table->name, true};
        const char *made = rename_all(run, sql, &renaming);
        struct guard_result after;
        mapping_sql_check(run, made, known ? run_schema(run) : NULL, &after);
        if (after.verdict == GUARD_READ && !after.unknown.count) {
            sql = made;
        }
    }
    return sql;
}

/* The column that lessons mean by a name the tables of the query do not have. */
static const char *mapped_column(struct run *run, const struct guard_result *sql,
                                 const char *name)
{
    for (size_t i = 0; run->memory.remembered && i < run->memory.remembered->all.count;
         i++) {
        const struct lesson *lesson = &run->memory.remembered->all.items[i];
        const char *dot = strrchr(lesson->actual_name, '.');
        if (lesson->kind != LESSON_COLUMN || !dot ||
            !str_equal_nocase(lesson->schema_name, name) ||
            !remembering_trusts(run, lesson)) {
            continue;
        }
        const char *of = arena_copy(run->scratch, lesson->actual_name,
                                    (size_t)(dot - lesson->actual_name));
        const struct table *table = schema_table(run_schema(run), of);
        const struct column *column = table ? table_column(table, dot + 1) : NULL;
        if (column && names_table(run, sql, table)) {
            struct remembered_lesson *item = remembering_add(
                run, lesson,
                arena_format(run->arena, "\"%s\" means the column \"%s.%s\"",
                             lesson->schema_name, table->name, column->name));
            if (item) {
                item->table = table;
                item->column = column;
                item->told = true;
            }
            return column->name;
        }
    }
    return NULL;
}

static const char *map_columns(struct run *run, const char *sql)
{
    struct guard_result before;
    mapping_sql_check(run, sql, run_schema(run), &before);
    for (size_t i = 0; before.verdict == GUARD_READ && i < before.unknown.count; i++) {
        const char *dot = strrchr(before.unknown.items[i], '.');
        const char *name = dot ? dot + 1 : before.unknown.items[i];
        const char *meant = mapped_column(run, &before, name);
        if (!meant) {
            continue;
        }
        struct renaming renaming = {name, meant, false};
        const char *made = rename_all(run, sql, &renaming);
        struct guard_result after;
        mapping_sql_check(run, made, run_schema(run), &after);
        if (after.verdict == GUARD_READ && after.unknown.count < before.unknown.count) {
            sql = made;
        }
    }
    return sql;
}

const char *mapping_sql(struct run *run, const char *sql)
{
    remembering_find(run);
    if (!run->memory.remembered || run->memory.remembered->all.count == 0) {
        return sql;
    }
    return map_columns(run, map_pass(run, map_pass(run, sql, false), true));
}
