/* Places in SQL filled with literals that are ours. */
#include "sql/parameters.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "sql/lexer.h"

enum { SQL_MOST = 1 << 20 };

static const char *const types[PARAMETER_TYPES] = {
    [PARAMETER_TEXT] = "text",       [PARAMETER_INTEGER] = "integer",
    [PARAMETER_NUMBER] = "number",   [PARAMETER_DATE] = "date",
    [PARAMETER_BOOLEAN] = "boolean",
};

const char *parameter_type_name(enum parameter_type type)
{
    return types[type];
}

bool parameter_type_find(const char *name, enum parameter_type *type)
{
    for (int i = 0; i < PARAMETER_TYPES; i++) {
        if (str_equal(name, types[i])) {
            *type = (enum parameter_type)i;
            return true;
        }
    }
    return false;
}

bool parameter_name_good(const char *name)
{
    size_t size = name ? strnlen(name, PARAMETER_NAME_MOST + 1) : 0;
    bool good = size > 0 && size <= PARAMETER_NAME_MOST && isalpha((unsigned char)*name);
    for (size_t i = 0; good && i < size; i++) {
        good = isalnum((unsigned char)name[i]) || name[i] == '_';
    }
    return good;
}

/* ------------------------------------------------------------------ places */

struct place {
    const char *name; /* without the colon */
    size_t start;
    size_t end;
};

/* The dialects differ in what they call a parameter; a colon with a word right behind it
 * is one here in all of them, unless it is the half of a cast. */
static bool place_at(struct arena *arena, enum dialect dialect,
                     const struct tokens *tokens, size_t *index, struct place *out)
{
    char mark = dialect == DIALECT_BIGQUERY ? '@' : ':';
    const struct token *token = &tokens->items[*index];
    if (token->kind == TOKEN_PARAM && *token->text == mark) {
        *out = (struct place){token->text + 1, token->start, token->end};
        return true;
    }
    const struct token *word = token + 1;
    if (token_is_punct(token, ":") && word->kind == TOKEN_WORD &&
        word->start == token->end) {
        *out = (struct place){arena_text(arena, word->text), token->start, word->end};
        (*index)++;
        return true;
    }
    return false;
}

void parameters_find(struct arena *arena, enum dialect dialect, const char *sql,
                     struct texts *out)
{
    struct tokens tokens = {0};
    struct place place;
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        if (!place_at(arena, dialect, &tokens, &i, &place) ||
            !parameter_name_good(place.name)) {
            continue;
        }
        bool known = false;
        for (size_t k = 0; k < out->count; k++) {
            known = known || str_equal_nocase(out->items[k], place.name);
        }
        if (!known && out->count < PARAMETERS_MOST) {
            VEC_PUSH(arena, out, place.name);
        }
    }
}

/* ------------------------------------------------------------------ literals */

static void add_text(struct buf *out, enum dialect dialect, const char *text)
{
    /* in PostgreSQL a setting of the server decides what a backslash means, but for E'…'
     */
    bool marked = dialect == DIALECT_POSTGRES && strchr(text, '\\');
    bool escapes = marked || dialect_get(dialect)->backslash_escapes;
    (void)buf_text(out, marked ? "E'" : "'");
    for (; *text; text++) {
        if (*text == '\'') { /* BigQuery knows only the one way, the others both */
            (void)buf_char(out, escapes ? '\\' : '\'');
        } else if (*text == '\\' && escapes) {
            (void)buf_char(out, '\\');
        }
        (void)buf_char(out, *text);
    }
    (void)buf_char(out, '\'');
}

/* Two digits as a number; -1 when they are none. */
static int pair_of(const char *text)
{
    return isdigit((unsigned char)text[0]) && isdigit((unsigned char)text[1])
               ? (text[0] - '0') * 10 + (text[1] - '0')
               : -1;
}

static bool is_date(const char *text)
{
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-') {
        return false;
    }
    int month = pair_of(text + 5);
    int day = pair_of(text + 8);
    return pair_of(text) >= 0 && pair_of(text + 2) >= 0 && month >= 1 && month <= 12 &&
           day >= 1 && day <= days[month - 1];
}

static bool add_number(struct buf *out, const char *text, bool whole)
{
    int64_t integer = 0;
    double real = 0;
    if (str_to_int(text, &integer) && integer > INT64_MIN) {
        (void)buf_format(out, "%" PRId64, integer);
        return true;
    }
    /* digits as they were given: nothing is lost on the way */
    size_t size = strlen(text);
    const char *digits = text + (*text == '-');
    if (whole || !str_to_real(text, &real) || !isfinite(real) || size > 40 ||
        strspn(digits, "0123456789.") != strlen(digits) ||
        !isdigit((unsigned char)*digits) || !isdigit((unsigned char)text[size - 1])) {
        return false;
    }
    (void)buf_text(out, text);
    return true;
}

static bool add_literal(struct buf *out, enum dialect dialect,
                        const struct parameter *parameter)
{
    const char *value = parameter->value;
    bool yes = false;
    if (!value) {
        return buf_text(out, "NULL");
    }
    switch (parameter->type) {
    case PARAMETER_INTEGER:
    case PARAMETER_NUMBER:
        return add_number(out, value, parameter->type == PARAMETER_INTEGER);
    case PARAMETER_DATE:
        add_text(out, dialect, value);
        return is_date(value);
    case PARAMETER_BOOLEAN:
        if (!str_to_bool(value, &yes)) {
            return false;
        }
        return buf_text(out, dialect == DIALECT_SQLITE || dialect == DIALECT_ODBC
                                 ? (yes ? "1" : "0")
                                 : (yes ? "TRUE" : "FALSE"));
    case PARAMETER_TEXT:
    default:
        add_text(out, dialect, value);
        return true;
    }
}

/* Is what was written one literal, with the very value that was given? */
static bool reads_back(struct arena *arena, enum dialect dialect, const char *literal,
                       const struct parameter *parameter)
{
    struct tokens tokens = {0};
    lexer_run(arena, dialect, literal, strlen(literal), &tokens);
    const struct token *first = tokens.items;
    bool quoted = parameter->value && (parameter->type == PARAMETER_TEXT ||
                                       parameter->type == PARAMETER_DATE);
    if (quoted) {
        return tokens.count == 1 && first->kind == TOKEN_STRING &&
               str_equal(first->text, parameter->value);
    }
    bool minus = token_is_punct(first, "-");
    return tokens.count == (minus ? 2U : 1U) &&
           (first[minus].kind == TOKEN_NUMBER || first[minus].kind == TOKEN_WORD);
}

static const char *literal_of(struct arena *arena, enum dialect dialect,
                              const struct parameter *parameter, struct err *err)
{
    struct buf buf;
    size_t size =
        parameter->value ? strnlen(parameter->value, PARAMETER_VALUE_MOST + 1) : 0;
    buf_init(&buf, SQL_MOST);
    bool ok = size <= PARAMETER_VALUE_MOST &&
              utf8_valid(str_or_empty(parameter->value), size, NULL) &&
              add_literal(&buf, dialect, parameter);
    const char *literal = ok ? buf_clone(&buf, arena) : NULL;
    buf_release(&buf);
    if (literal && reads_back(arena, dialect, literal, parameter)) {
        return literal;
    }
    (void)err_set(err, ERR_USAGE, "The value of '%.64s' is not a valid %s.",
                  parameter->name, types[parameter->type]);
    (void)err_hint(err,
                   "Dates are written 2024-01-31, numbers 12.5, yes and no as true "
                   "and false; texts have %d bytes at most.",
                   PARAMETER_VALUE_MOST);
    return NULL;
}

static const struct parameter *parameter_of(const struct parameter *parameters,
                                            size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal_nocase(parameters[i].name, name)) {
            return &parameters[i];
        }
    }
    return NULL;
}

const char *parameters_bind(struct arena *arena, enum dialect dialect, const char *sql,
                            const struct parameter *parameters, size_t count,
                            struct err *err)
{
    struct tokens tokens = {0};
    struct place place;
    struct buf out;
    size_t done = 0;
    buf_init(&out, SQL_MOST);
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        if (!place_at(arena, dialect, &tokens, &i, &place)) {
            continue;
        }
        const struct parameter *parameter = parameter_of(parameters, count, place.name);
        if (!parameter) {
            continue;
        }
        const char *literal = literal_of(arena, dialect, parameter, err);
        if (!literal) {
            buf_release(&out);
            return NULL;
        }
        (void)buf_add(&out, sql + done, place.start - done);
        /* blanks, so that no word before or behind can grow together with it */
        (void)buf_format(&out, " %s ", literal);
        done = place.end;
    }
    (void)buf_text(&out, sql + done);
    const char *bound = out.full ? NULL : buf_clone(&out, arena);
    buf_release(&out);
    if (!bound) {
        (void)err_set(err, ERR_QUESTION_TOO_LONG, "The SQL is too long.");
    }
    return bound;
}
