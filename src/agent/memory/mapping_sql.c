/* Lessons as a mapper of the names in SQL. */
#include <string.h>

#include "agent/memory/mapping.h"
#include "agent/memory/remembering.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/lexer.h"

/* One name for another, everywhere in a query or only where tables stand. */
struct renaming {
    const char *from;
    const char *to;
    bool table;
};

static bool is_name(const struct token *token, const char *name)
{
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_NAME) &&
           str_equal_nocase(token->text, name);
}

/* After FROM or JOIN, or after a comma where no column has the name. */
static bool table_place(const struct tokens *tokens, size_t at,
                        const struct guard_result *sql)
{
    const struct token *before = at ? &tokens->items[at - 1] : NULL;
    if (!before || token_is(before, "from") || token_is(before, "join")) {
        return before != NULL;
    }
    for (size_t i = 0; i < sql->columns.count; i++) {
        const char *dot = strrchr(sql->columns.items[i], '.');
        if (is_name(&tokens->items[at], dot ? dot + 1 : sql->columns.items[i])) {
            return false;
        }
    }
    return token_is_punct(before, ",");
}

static bool has_alias(const struct tokens *tokens, size_t at)
{
    const struct token *next = &tokens->items[at + 1];
    return token_is(next, "as") || next->kind == TOKEN_NAME ||
           (next->kind == TOKEN_WORD && next->keyword == KEYWORD_NONE);
}

static bool qualifies(const struct tokens *tokens, const char *name)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (is_name(&tokens->items[i], name) &&
            token_is_punct(&tokens->items[i + 1], ".")) {
            return true;
        }
    }
    return false;
}

static const char *rename_all(struct run *run, const char *sql,
                              const struct guard_result *names,
                              const struct renaming *renaming)
{
    enum dialect dialect = datasource_dialect(run_datasource(run));
    struct tokens tokens = {0};
    struct buf out;
    size_t copied = 0;
    lexer_run(run->scratch, dialect, sql, strlen(sql), &tokens);
    buf_init(&out, (size_t)run->options->sql_max_length);
    for (size_t i = 0; i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        bool after_dot = i && token_is_punct(&tokens.items[i - 1], ".");
        if (!is_name(token, renaming->from) ||
            (renaming->table && (after_dot || !table_place(&tokens, i, names)))) {
            continue;
        }
        (void)buf_add(&out, sql + copied, token->start - copied);
        dialect_quote(&out, dialect, renaming->to, renaming->table);
        if (renaming->table && !has_alias(&tokens, i) &&
            qualifies(&tokens, renaming->from)) {
            (void)buf_text(&out, " AS ");
            dialect_quote(&out, dialect, renaming->from, false);
        }
        copied = token->end;
    }
    (void)buf_text(&out, sql + copied);
    const char *made = out.full || !copied ? sql : buf_clone(&out, run->arena);
    buf_release(&out);
    return made;
}

static void look(struct run *run, const char *sql, const struct schema *schema,
                 struct guard_result *out)
{
    *out = (struct guard_result){0};
    guard_check(run->scratch, datasource_dialect(run_datasource(run)), sql, strlen(sql),
                schema, out);
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
    look(run, sql, NULL, &before);
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
        const char *made = rename_all(run, sql, &before, &renaming);
        struct guard_result after;
        look(run, made, known ? run_schema(run) : NULL, &after);
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
    look(run, sql, run_schema(run), &before);
    for (size_t i = 0; before.verdict == GUARD_READ && i < before.unknown.count; i++) {
        const char *dot = strrchr(before.unknown.items[i], '.');
        const char *name = dot ? dot + 1 : before.unknown.items[i];
        const char *meant = mapped_column(run, &before, name);
        if (!meant) {
            continue;
        }
        struct renaming renaming = {name, meant, false};
        const char *made = rename_all(run, sql, &before, &renaming);
        struct guard_result after;
        look(run, made, run_schema(run), &after);
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
