/* Replies in plain text: labelled lines, or just a statement. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"
#include "llm/reply.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A span as a JSON string; bad UTF-8 makes it nothing. */
static json_t *text_value(struct span text)
{
    return json_stringn(text.at, text.size);
}

/* Labels that models use on their own; each also ends the value before it. */
static const struct {
    const char *label;
    const char *key;
} labels[] = {
    {"sqlquery", "sql"},
    {"sql query", "sql"},
    {"sql_query", "sql"},
    {"final sql", "sql"},
    {"query", "sql"},
    {"sql", "sql"},
    {"explanation", "explanation"},
    {"reasoning", "reasoning"},
    {"confidence", "confidence"},
    {"tables", "tables"},
    {"plan", "plan"},
    {"question", "question"},
    {"answer", "answer"},
    {"sqlresult", "result"},
    {"note", "note"},
    {"notes", "note"},
};

static bool label_at(struct span line, const char *label, struct span *value)
{
    size_t size = strlen(label);
    if (line.size <= size || strncasecmp(line.at, label, size) != 0) {
        return false;
    }
    size_t at = size;
    while (at < line.size && strchr("* \t", line.at[at])) { /* "**SQL:** …" */
        at++;
    }
    if (at >= line.size || line.at[at] != ':') {
        return false;
    }
    at++;
    while (at < line.size && strchr("* \t", line.at[at])) {
        at++;
    }
    *value = (struct span){line.at + at, line.size - at};
    return true;
}

/* The key that a line starts with, or NULL. */
static const char *line_key(struct span line, const char *const *wanted,
                            struct span *value)
{
    while (line.size > 0 && strchr("*#- \t", *line.at)) {
        line.at++;
        line.size--;
    }
    for (const char *const *key = wanted; key && *key; key++) {
        if (label_at(line, *key, value)) {
            return *key;
        }
    }
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        if (label_at(line, labels[i].label, value)) {
            return labels[i].key;
        }
    }
    return NULL;
}

/* "|" alone is YAML's sign for a block; fences and quotes around a value say nothing. */
static struct span bare_value(struct span value)
{
    value = span_trim(value);
    if (value.size > 1 && (*value.at == '|' || *value.at == '>') &&
        strchr("\n\r-+ ", value.at[1])) {
        const char *stop = memchr(value.at, '\n', value.size);
        size_t skip = stop ? (size_t)(stop - value.at) : value.size;
        value = span_trim((struct span){value.at + skip, value.size - skip});
    }
    if (value.size >= 6 && memcmp(value.at, "```", 3) == 0) {
        const char *stop = memchr(value.at, '\n', value.size);
        size_t skip = stop ? (size_t)(stop - value.at) : 3;
        value = (struct span){value.at + skip, value.size - skip};
        if (value.size >= 3 && memcmp(value.at + value.size - 3, "```", 3) == 0) {
            value.size -= 3;
        }
        return span_trim(value);
    }
    if (value.size >= 2 && strchr("\"'`", *value.at) &&
        value.at[value.size - 1] == *value.at &&
        !memchr(value.at + 1, *value.at, value.size - 2)) {
        value = (struct span){value.at + 1, value.size - 2};
    }
    return value;
}

static void reply_text_put(json_t *object, const char *key, const char *from,
                           const char *to)
{
    struct span value = bare_value((struct span){from, (size_t)(to - from)});
    json_t *text = value.size ? text_value(value) : NULL;
    if (text && !json_object_get(object, key)) {
        (void)json_object_set_new(object, key, text);
    } else {
        json_decref(text);
    }
}

json_t *reply_labels(struct arena *arena, struct span text, const char *const *wanted)
{
    json_t *object = json_keep(arena, json_object());
    struct span rest = text;
    struct span line;
    const char *key = NULL;
    const char *from = NULL;
    while (span_line(&rest, &line)) {
        struct span value;
        const char *next = line_key(line, wanted, &value);
        if (next) {
            if (key) {
                reply_text_put(object, key, from, line.at);
            }
            key = next;
            from = value.at;
        }
    }
    if (key) {
        reply_text_put(object, key, from, text.at + text.size);
    }
    for (const char *const *name = wanted; name && *name; name++) {
        if (json_object_get(object, *name)) {
            return object;
        }
    }
    return !wanted && json_object_get(object, "sql") ? object : NULL;
}

/* Where a statement ends: at its semicolon, else at an empty line, else at the end. */
static size_t statement_size(struct span text)
{
    char quote = '\0';
    size_t blank = text.size;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.at[i];
        if (quote) {
            quote = c == quote ? '\0' : quote;
        } else if (c == '\'' || c == '"' || c == '`') {
            quote = c;
        } else if (c == ';') {
            return i;
        } else if (c == '\n' && blank == text.size && i + 1 < text.size &&
                   text.at[i + 1] == '\n') {
            blank = i;
        }
    }
    return blank;
}

json_t *reply_sql_object(struct arena *arena, struct span sql)
{
    sql = span_trim(sql);
    while (sql.size > 0 && sql.at[sql.size - 1] == ';') {
        sql = span_trim((struct span){sql.at, sql.size - 1});
    }
    json_t *text = sql.size ? text_value(sql) : NULL;
    if (!text) {
        return NULL;
    }
    json_t *object = json_keep(arena, json_object());
    (void)json_object_set_new(object, "sql", text);
    return object;
}

/*
 * A first word and one that must follow it somewhere: prose may begin with "Select" too.
 */
static const struct {
    const char *first;
    const char *later; /* or NULL: the first word is enough when in capitals */
} starts[] = {
    {"SELECT", "FROM"}, {"WITH", "SELECT"}, {"INSERT", "INTO"},
    {"UPDATE", "SET"},  {"DELETE", "FROM"}, {"CREATE", "TABLE"},
    {"DROP", "TABLE"},  {"ALTER", "TABLE"}, {"SELECT", NULL},
};

static bool has_word(struct span text, const char *word)
{
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= text.size; i++) {
        if (strncasecmp(text.at + i, word, size) == 0 &&
            (i == 0 || !is_word(text.at[i - 1])) &&
            (i + size == text.size || !is_word(text.at[i + size]))) {
            return true;
        }
    }
    return false;
}

static bool is_statement(struct span text)
{
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        size_t size = strlen(starts[i].first);
        if (!span_starts_nocase(text, starts[i].first) || size >= text.size ||
            is_word(text.at[size])) {
            continue;
        }
        if (starts[i].later ? has_word(text, starts[i].later)
                            : memcmp(text.at, starts[i].first, size) == 0) {
            return true;
        }
    }
    return false;
}

json_t *reply_sql(struct arena *arena, struct span text)
{
    struct span rest = text;
    struct span line;
    int tries = 0;
    while (span_line(&rest, &line)) {
        line = span_trim(line);
        bool candidate = false;
        for (size_t i = 0; i < sizeof starts / sizeof *starts && !candidate; i++) {
            candidate = span_starts_nocase(line, starts[i].first);
        }
        if (!candidate || ++tries > 16) {
            continue;
        }
        struct span sql = {line.at, (size_t)(text.at + text.size - line.at)};
        sql.size = statement_size(sql);
        if (is_statement(sql)) {
            return reply_sql_object(arena, sql);
        }
    }
    return NULL;
}
