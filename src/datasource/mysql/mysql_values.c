/* MySQL's types as words, and its cells as our values: nothing is lost on the way. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/mysql/mysql_driver.h"

enum { BINARY = 63 }; /* the character set of bytes that are no text */

struct field_type {
    enum enum_field_types type;
    enum mysql_kind kind;
    const char *name;
};

static const struct field_type field_types[] = {
    {MYSQL_TYPE_DECIMAL, MARIA_NUMBER, "DECIMAL"},
    {MYSQL_TYPE_NEWDECIMAL, MARIA_NUMBER, "DECIMAL"},
    {MYSQL_TYPE_TINY, MARIA_NUMBER, "TINYINT"},
    {MYSQL_TYPE_SHORT, MARIA_NUMBER, "SMALLINT"},
    {MYSQL_TYPE_INT24, MARIA_NUMBER, "MEDIUMINT"},
    {MYSQL_TYPE_LONG, MARIA_NUMBER, "INTEGER"},
    {MYSQL_TYPE_LONGLONG, MARIA_NUMBER, "BIGINT"},
    {MYSQL_TYPE_YEAR, MARIA_NUMBER, "YEAR"},
    {MYSQL_TYPE_FLOAT, MARIA_REAL, "FLOAT"},
    {MYSQL_TYPE_DOUBLE, MARIA_REAL, "DOUBLE"},
    {MYSQL_TYPE_NULL, MARIA_TEXT, ""},
    {MYSQL_TYPE_TIMESTAMP, MARIA_TEXT, "TIMESTAMP"},
    {MYSQL_TYPE_DATE, MARIA_TEXT, "DATE"},
    {MYSQL_TYPE_NEWDATE, MARIA_TEXT, "DATE"},
    {MYSQL_TYPE_TIME, MARIA_TEXT, "TIME"},
    {MYSQL_TYPE_DATETIME, MARIA_TEXT, "DATETIME"},
    {MYSQL_TYPE_BIT, MARIA_BITS, "BIT"},
    {MYSQL_TYPE_JSON, MARIA_JSON, "JSON"},
    {MYSQL_TYPE_GEOMETRY, MARIA_BYTES, "GEOMETRY"},
    {MYSQL_TYPE_ENUM, MARIA_TEXT, "ENUM"},
    {MYSQL_TYPE_SET, MARIA_TEXT, "SET"},
};

static const struct field_type *field_find(const MYSQL_FIELD *field)
{
    for (size_t i = 0; i < sizeof field_types / sizeof *field_types; i++) {
        if (field_types[i].type == field->type) {
            return &field_types[i];
        }
    }
    return NULL;
}

/* MariaDB keeps JSON as text and says so beside the type. */
static bool field_is_json(const MYSQL_FIELD *field)
{
    MARIADB_CONST_STRING format = {NULL, 0};
    return maria.field_attr &&
           maria.field_attr(&format, field, MARIADB_FIELD_ATTR_FORMAT_NAME) == 0 &&
           format.length == 4 && memcmp(format.str, "json", 4) == 0;
}

/* Types that the server sends as text under a name of their own: UUID, INET6. */
static bool field_is_named(const MYSQL_FIELD *field)
{
    MARIADB_CONST_STRING name = {NULL, 0};
    return maria.field_attr &&
           maria.field_attr(&name, field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME) == 0 &&
           name.length > 0;
}

static bool field_is_bool(const MYSQL_FIELD *field)
{
    return field->type == MYSQL_TYPE_TINY && field->length == 1;
}

enum mysql_kind mysql_kind_of(const MYSQL_FIELD *field)
{
    const struct field_type *type = field_find(field);
    if (field_is_bool(field)) {
        return MARIA_BOOL;
    }
    if (type) {
        return type->kind;
    }
    if (field_is_json(field)) {
        return MARIA_JSON;
    }
    return field->charsetnr == BINARY && !field_is_named(field) ? MARIA_BYTES
                                                                : MARIA_TEXT;
}

const char *mysql_type_of(const MYSQL_FIELD *field)
{
    const struct field_type *type = field_find(field);
    bool bytes = mysql_kind_of(field) == MARIA_BYTES;
    if (field_is_bool(field)) {
        return "BOOLEAN";
    }
    if (type) {
        bool large = type->type == MYSQL_TYPE_LONGLONG && field->flags & UNSIGNED_FLAG;
        return large ? "BIGINT UNSIGNED" : type->name;
    }
    if (field->flags & ENUM_FLAG) {
        return "ENUM";
    }
    if (field->flags & SET_FLAG) {
        return "SET";
    }
    if (field_is_json(field)) {
        return "JSON";
    }
    if (field->type == MYSQL_TYPE_STRING) {
        return bytes ? "BINARY" : "CHAR";
    }
    if (field->type == MYSQL_TYPE_VAR_STRING || field->type == MYSQL_TYPE_VARCHAR) {
        return bytes ? "VARBINARY" : "VARCHAR";
    }
    return bytes ? "BLOB" : "TEXT";
}

/* Whole numbers that fit are integers; every other decimal keeps its digits. */
static struct value value_of_number(struct arena *scratch, const char *text, size_t size)
{
    struct value value = {.kind = VALUE_INT};
    if (!memchr(text, '.', size) && str_to_int(text, &value.integer)) {
        return value;
    }
    return text_as_value(scratch, VALUE_NUMBER, text, size);
}

/* Eight bytes at most, the highest first. */
static struct value value_of_bits(struct arena *scratch, const char *text, size_t size)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size && i < sizeof bits; i++) {
        bits = bits << 8 | (unsigned char)text[i];
    }
    if (bits <= INT64_MAX) {
        return (struct value){.kind = VALUE_INT, .integer = (int64_t)bits};
    }
    const char *digits = arena_format(scratch, "%llu", (unsigned long long)bits);
    return text_as_value(scratch, VALUE_NUMBER, digits, strlen(digits));
}

struct value mysql_value(struct arena *scratch, enum mysql_kind kind, const char *text,
                         size_t size)
{
    struct value value = {.kind = VALUE_NULL};
    switch (kind) {
    case MARIA_BOOL:
        if (size == 1 && (text[0] == '0' || text[0] == '1')) {
            value.kind = VALUE_BOOL;
            value.boolean = text[0] == '1';
            return value;
        }
        return value_of_number(scratch, text, size);
    case MARIA_NUMBER:
        return value_of_number(scratch, text, size);
    case MARIA_REAL:
        value.kind = VALUE_REAL;
        value.real = strtod(text, NULL);
        return value;
    case MARIA_BYTES:
        value.kind = VALUE_BLOB;
        value.text.data = text;
        value.text.size = size;
        return value;
    case MARIA_BITS:
        return value_of_bits(scratch, text, size);
    case MARIA_JSON:
        return text_as_value(scratch, VALUE_JSON, text, size);
    case MARIA_TEXT:
        break;
    }
    return text_as_value(scratch, VALUE_TEXT, text, size);
}

/* The width in int(10) is about printing: it is no part of the type. */
static bool width_is_idle(const char *word)
{
    static const char *const words[] = {"TINYINT", "SMALLINT", "MEDIUMINT", "INTEGER",
                                        "BIGINT",  "YEAR",     NULL};
    for (const char *const *at = words; *at; at++) {
        if (str_equal(word, *at)) {
            return true;
        }
    }
    return false;
}

const char *mysql_type_name(struct arena *arena, const char *type)
{
    enum { NAME_MOST = 700 }; /* a longer list of words helps nobody */
    if (str_starts(type, "tinyint(1)")) {
        return "BOOLEAN";
    }
    size_t size = strcspn(type, "( ");
    char *word = arena_copy(arena, type, size);
    for (char *at = word; *at; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    const char *name = str_equal(word, "INT") ? "INTEGER" : word;
    const char *rest = type + size;
    if (*rest == '(' && width_is_idle(name)) {
        rest += strcspn(rest, ")");
        rest += *rest == ')';
    }
    if (strlen(rest) > NAME_MOST) {
        return name;
    }
    char *tail = arena_text(arena, rest);
    char *last = strrchr(tail, ')'); /* words in brackets stay; UNSIGNED comes after */
    for (char *at = last ? last : tail; *at; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    return arena_format(arena, "%s%s", name, tail);
}
