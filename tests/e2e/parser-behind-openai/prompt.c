/* Prompts as prompts/ writes them, read back. */
#include "prompt.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "model/schema.h"

/* A line that is being read. */
struct cursor {
    struct arena *arena;
    const char *at;
};

static bool eat(struct cursor *cursor, const char *text)
{
    size_t size = strlen(text);
    if (strncmp(cursor->at, text, size) != 0) {
        return false;
    }
    cursor->at += size;
    return true;
}

/* A plain word, or anything in the quotes of the dialect. */
static char *read_name(struct cursor *cursor)
{
    const char *start = cursor->at;
    char quote = *start;
    if (quote == '"' || quote == '`') {
        const char *end = strchr(start + 1, quote);
        if (!end) {
            return NULL;
        }
        cursor->at = end + 1;
        return arena_copy(cursor->arena, start + 1, (size_t)(end - start) - 1);
    }
    while (*cursor->at && !strchr(" (),.:?", *cursor->at)) {
        cursor->at++;
    }
    return cursor->at == start
               ? NULL
               : arena_copy(cursor->arena, start, (size_t)(cursor->at - start));
}

/* "…" as JSON writes it. */
static char *read_string(struct cursor *cursor)
{
    const char *start = cursor->at;
    const char *end = start + 1;
    while (*end && *end != '"') {
        end += *end == '\\' && end[1] ? 2 : 1;
    }
    if (*end != '"') {
        return NULL;
    }
    cursor->at = end + 1;
    struct err err;
    const char *list =
        arena_format(cursor->arena, "[%.*s]", (int)(cursor->at - start), start);
    const json_t *json = json_parse(cursor->arena, list, strlen(list), &err);
    const char *text = json_string_value(json_array_get(json, 0));
    return text ? arena_text(cursor->arena, text) : NULL;
}

/* 0..2359, 2023-01-04 08:15:00..2025-12-30 */
static bool is_range(const char *at)
{
    size_t size = strcspn(at, ",)");
    return (isdigit((unsigned char)at[0]) || at[0] == '-') &&
           memmem(at, size, "..", strlen("..")) != NULL;
}

/* What may be said of a column behind its type. */
static bool type_ends(const char *at)
{
    return *at == ',' || *at == ')' || strncmp(at, " PK", 3) == 0 ||
           strncmp(at, " -> ", 4) == 0 || strncmp(at, " \"", 2) == 0 ||
           strncmp(at, " [", 2) == 0 || strncmp(at, " {", 2) == 0 ||
           (*at == ' ' && is_range(at + 1));
}

/* DECIMAL(10,2), DOUBLE PRECISION; a key that says none is a whole number, a column whose
 * values are shown holds texts. */
static char *read_type(struct cursor *cursor)
{
    bool key = strncmp(cursor->at, " PK", 3) == 0 || strncmp(cursor->at, " -> ", 4) == 0;
    bool text = strncmp(cursor->at, " [", 2) == 0 || strncmp(cursor->at, " {", 2) == 0;
    if (key || type_ends(cursor->at) || !eat(cursor, " ")) {
        return arena_text(cursor->arena, key ? "INTEGER" : text ? "TEXT" : "");
    }
    const char *start = cursor->at;
    int depth = 0;
    for (; *cursor->at; cursor->at++) {
        if (depth == 0 && type_ends(cursor->at)) {
            break;
        }
        depth += *cursor->at == '(';
        depth -= *cursor->at == ')';
    }
    return arena_copy(cursor->arena, start, (size_t)(cursor->at - start));
}

/* customers.id, sales.customers.id: the last part is the column. */
static bool read_reference(struct cursor *cursor, struct schema *schema,
                           struct table *table, const char *column)
{
    const char *target = read_name(cursor);
    const char *part = NULL;
    while (target && eat(cursor, ".")) {
        target = part ? arena_format(cursor->arena, "%s.%s", target, part) : target;
        part = read_name(cursor);
    }
    if (!target || !part) {
        return false;
    }
    struct foreign_key *key = VEC_ADD(schema->arena, &table->foreign_keys);
    key->table = arena_text(schema->arena, target);
    key->confidence = eat(cursor, "?") ? 0.9 : 1.0;
    VEC_PUSH(schema->arena, &key->columns, column);
    VEC_PUSH(schema->arena, &key->references, arena_text(schema->arena, part));
    return true;
}

/* A value of {open|"in transit"}. */
static char *read_plain(struct cursor *cursor)
{
    const char *start = cursor->at;
    if (*start == '"') {
        return read_string(cursor);
    }
    cursor->at += strcspn(cursor->at, "|}");
    return arena_copy(cursor->arena, start, (size_t)(cursor->at - start));
}

/* ["a","b",…] or {a|b} */
static bool read_samples(struct cursor *cursor, struct schema *schema,
                         struct column *column)
{
    bool all = eat(cursor, " {");
    if (!all && !eat(cursor, " [")) {
        return true;
    }
    do {
        char *text = all ? read_plain(cursor) : read_string(cursor);
        if (!text) {
            return false;
        }
        VEC_PUSH(schema->arena, &column->samples, arena_text(schema->arena, text));
    } while (eat(cursor, all ? "|" : ",") && !eat(cursor, "…"));
    return eat(cursor, all ? "}" : "]");
}

static bool read_range(struct cursor *cursor, struct schema *schema,
                       struct column *column)
{
    if (*cursor->at != ' ' || !is_range(cursor->at + 1)) {
        return true;
    }
    const char *least = cursor->at + 1;
    const char *dots = strstr(least, "..");
    cursor->at = dots + strcspn(dots, ",)");
    column->least = arena_copy(schema->arena, least, (size_t)(dots - least));
    column->greatest =
        arena_copy(schema->arena, dots + 2, (size_t)(cursor->at - dots - 2));
    return true;
}

static bool read_column(struct cursor *cursor, struct schema *schema, struct table *table)
{
    char *name = read_name(cursor);
    if (!name) {
        return false;
    }
    char *type = read_type(cursor);
    struct column *column = table_add_column(schema, table, name, type);
    column->primary = eat(cursor, " PK");
    bool good = true;
    while (good && eat(cursor, " -> ")) {
        good = read_reference(cursor, schema, table, column->name);
    }
    if (good && strncmp(cursor->at, " \"", 2) == 0) {
        cursor->at++;
        char *comment = read_string(cursor);
        column->comment = comment ? arena_text(schema->arena, comment) : NULL;
        good = comment != NULL;
    }
    return good && read_range(cursor, schema, column) &&
           read_samples(cursor, schema, column);
}

/* orders(id INTEGER PK, …) -- 12,000 rows; false when it is no such line. */
static bool read_table(struct arena *arena, struct schema *schema, const char *line)
{
    struct cursor cursor = {arena, line};
    const char *name = read_name(&cursor);
    while (name && eat(&cursor, ".")) {
        const char *part = read_name(&cursor);
        name = part ? arena_format(arena, "%s.%s", name, part) : NULL;
    }
    if (!name || !eat(&cursor, "(")) {
        return false;
    }
    struct table *table = schema_add_table(schema, name);
    table->row_count = -1;
    bool good = true;
    do {
        good = read_column(&cursor, schema, table);
    } while (good && eat(&cursor, ", "));
    if (!good || !eat(&cursor, ")")) {
        schema->tables.count--;
        return false;
    }
    table->is_view = strstr(cursor.at, "view") != NULL;
    return true;
}

static void add_samples(struct value_index *index, const struct schema *schema)
{
    for (size_t t = 0; t < schema->tables.count; t++) {
        const struct table *table = &schema->tables.items[t];
        for (size_t c = 0; c < table->columns.count; c++) {
            const struct texts *samples = &table->columns.items[c].samples;
            for (size_t i = 0; i < samples->count; i++) {
                struct value_place place = {(uint32_t)t, (uint32_t)c};
                (void)value_index_add(index, place, samples->items[i],
                                      strlen(samples->items[i]));
            }
        }
    }
}

/* - customers.city = "Rome" */
static void add_cell(struct arena *arena, const char *line, struct prompt *out)
{
    const char *equals = strstr(line, " = \"");
    const char *dot = equals ? memrchr(line, '.', (size_t)(equals - line)) : NULL;
    if (!dot || !str_starts(line, "- ")) {
        return;
    }
    struct cursor cursor = {arena, equals + 3};
    const char *text = read_string(&cursor);
    const char *table = arena_copy(arena, line + 2, (size_t)(dot - line) - 2);
    const char *column = arena_copy(arena, dot + 1, (size_t)(equals - dot) - 1);
    const struct table *found = schema_table(out->schema, table);
    const struct column *cell = found ? table_column(found, column) : NULL;
    if (text && cell) {
        struct value_place place = {(uint32_t)(found - out->schema->tables.items),
                                    (uint32_t)(cell - found->columns.items)};
        (void)value_index_add(out->index, place, text, strlen(text));
    }
}

/* SQLite in "DATABASE SCHEMA (SQLite):" */
static bool find_dialect(const char *line, enum dialect *dialect)
{
    for (int i = 0; i < DIALECT_COUNT; i++) {
        if (strstr(line, dialect_get((enum dialect)i)->title)) {
            *dialect = (enum dialect)i;
            return true;
        }
    }
    return false;
}

static const char *after(struct arena *arena, const char *line, const char *start)
{
    return str_starts(line, start) ? arena_text(arena, line + strlen(start)) : NULL;
}

/* Lines of the conversation: whose they are. */
static void read_history(struct arena *arena, const char *line, struct prompt *out,
                         const char **asked)
{
    const char *user = after(arena, line, "User: ");
    const char *sql = after(arena, line, "  SQL: ");
    if (user) {
        *asked = user;
    } else if (sql) {
        out->previous_question = *asked;
        out->previous_sql = sql;
    }
}

static void read_lines(struct arena *arena, const char *user, struct prompt *out)
{
    struct texts lines = {0};
    bool in_schema = false;
    const char *asked = NULL;
    str_split(arena, user, '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        const char *line = lines.items[i];
        const char *question = after(arena, line, "Question: ");
        if (str_equal(line, "TABLES:") ||
            (str_ends(line, "):") && find_dialect(line, &out->dialect))) {
            in_schema = true;
        } else if (question || str_starts(line, "RECENT CONVERSATION:")) {
            in_schema = false;
            out->question = question ? question : out->question;
        } else if (in_schema) {
            (void)read_table(arena, out->schema, line);
        } else {
            read_history(arena, line, out, &asked);
        }
    }
}

bool prompt_read(struct arena *arena, const char *user, struct prompt *out)
{
    const char *today = strstr(user, "Today is ");
    *out = (struct prompt){.schema = schema_new(), .index = value_index_new(NULL)};
    out->today = today ? arena_copy(arena, today + 9, strcspn(today + 9, ".\n")) : NULL;
    read_lines(arena, user, out);
    out->schema->dialect = dialect_name(out->dialect);
    schema_normalize(out->schema);
    add_samples(out->index, out->schema);
    struct texts lines = {0};
    str_split(arena, user, '\n', &lines);
    for (size_t i = 0; i < lines.count; i++) {
        add_cell(arena, lines.items[i], out);
    }
    value_index_freeze(out->index);
    return out->schema->tables.count > 0 && out->question;
}

void prompt_release(struct prompt *prompt)
{
    schema_unref(prompt->schema);
    value_index_unref(prompt->index);
}
