/* Literals of SQL as values of MongoDB, where both mean the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "datasource/mongodb/mongodb_plan.h"

enum { DIGITS_MOST = 15, NUMBER_SIZE = 64, DATE_SIZE = 10 };

/* A number, perhaps behind a sign. */
static bool number_read(const struct sql_node *node, char out[NUMBER_SIZE])
{
    bool minus = node->kind == SQL_UNARY && str_equal(node->text, "-");
    const struct sql_node *number = minus ? node->children[SINGLE_VALUE] : node;
    if (number->kind != SQL_NUMBER ||
        strspn(number->text, "0123456789.") != strlen(number->text) ||
        strlen(number->text) >= NUMBER_SIZE - 2) {
        return false;
    }
    (void)snprintf(out, NUMBER_SIZE, "%s%s", minus ? "-" : "", number->text);
    return true;
}

static bool number_append(const struct sql_node *node, enum mongodb_kind kind,
                          bson_t *out, const char *key)
{
    char text[NUMBER_SIZE];
    int64_t integer = 0;
    double real = 0;
    if (!number_read(node, text)) {
        return false;
    }
    if (kind == MONGODB_DECIMAL) {
        bson_decimal128_t decimal;
        return mongo.bson_decimal128_from_string(text, &decimal) &&
               mongo.bson_append_decimal128(out, key, -1, &decimal);
    }
    if (str_to_int(text, &integer)) {
        /* past 2^53 a double column would be compared otherwise there than here */
        bool safe = kind == MONGODB_INT ||
                    (integer < (INT64_C(1) << 53) && integer > -(INT64_C(1) << 53));
        return safe && mongo.bson_append_int64(out, key, -1, integer);
    }
    return strlen(text) <= DIGITS_MOST && str_to_real(text, &real) &&
           mongo.bson_append_double(out, key, -1, real);
}

static bool mongodb_literal_digits(const char *text, size_t count, int *out)
{
    *out = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *out = *out * 10 + (text[i] - '0');
    }
    return true;
}

static int64_t days_of(int year, int month, int day)
{
    int64_t shifted = month <= 2 ? year - 1 : year;
    int64_t era = shifted / 400;
    int64_t of_era = shifted - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* "2024-02-29", "2024-02-29 10:00:00", and up to three digits behind that. */
static bool time_read(const char *text, int64_t *ms)
{
    int year;
    int month;
    int day;
    int hour = 0;
    int minute = 0;
    int second = 0;
    int part = 0;
    size_t size = strlen(text);
    bool dated = size >= DATE_SIZE && mongodb_literal_digits(text, 4, &year) &&
                 text[4] == '-' && mongodb_literal_digits(text + 5, 2, &month) &&
                 text[7] == '-' && mongodb_literal_digits(text + 8, 2, &day) &&
                 year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
    if (!dated) {
        return false;
    }
    if (size > DATE_SIZE) {
        bool timed = size >= 19 && (text[10] == ' ' || text[10] == 'T') &&
                     mongodb_literal_digits(text + 11, 2, &hour) && text[13] == ':' &&
                     mongodb_literal_digits(text + 14, 2, &minute) && text[16] == ':' &&
                     mongodb_literal_digits(text + 17, 2, &second) && hour < 24 &&
                     minute < 60 && second < 60;
        bool parted = size == 19 || (size == 23 && text[19] == '.' &&
                                     mongodb_literal_digits(text + 20, 3, &part));
        if (!timed || !parted) {
            return false;
        }
    }
    *ms = (((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 +
          part;
    return true;
}

/* The text of a literal; NULL when it is none. */
static const char *text_of(const struct sql_node *node)
{
    return node->kind == SQL_STRING && node->flags == 0 ? node->text : NULL;
}

/* DATE '2024-02-29' has no time, and TIMESTAMP(0) would round. */
static bool type_fits(const struct sql_node *type, const char *text)
{
    bool plain = type->flags == 0 && !type->children[TYPE_ARGUMENTS] &&
                 !type->children[TYPE_DIMENSIONS];
    return plain && (str_equal_nocase(type->text, "timestamp") ||
                     (str_equal_nocase(type->text, "date") && strlen(text) == DATE_SIZE));
}

/* '2024-02-29 10:00:00', TIMESTAMP '2024-02-29 10:00:00', DATE '2024-02-29' */
static bool time_append(const struct sql_node *node, bson_t *out, const char *key)
{
    bool typed = node->kind == SQL_TYPED_STRING;
    const char *text = text_of(typed ? node->children[PAIR_RIGHT] : node);
    int64_t ms = 0;
    return text && (!typed || type_fits(node->children[PAIR_LEFT], text)) &&
           time_read(text, &ms) && mongo.bson_append_date_time(out, key, -1, ms);
}

/* Only as an id can it be found; which of two is greater, both sides see alike. */
static bool id_append(const char *text, bson_t *out, const char *key)
{
    bson_oid_t id;
    if (!text || strlen(text) != 24 || strspn(text, "0123456789abcdef") != 24) {
        return false; /* capitals are another text */
    }
    mongo.bson_oid_init_from_string(&id, text);
    return mongo.bson_append_oid(out, key, -1, &id);
}

static bool truth_append(const struct sql_node *node, bson_t *out, const char *key)
{
    bool yes = node->kind == SQL_CONSTANT && str_equal(node->text, "TRUE");
    bool no = node->kind == SQL_CONSTANT && str_equal(node->text, "FALSE");
    return (yes || no) && mongo.bson_append_bool(out, key, -1, yes);
}

bool mongodb_literal(const struct sql_node *node, const struct mongodb_column *column,
                     bson_t *out, const char *key)
{
    const char *text = text_of(node);
    switch (column->kind) {
    case MONGODB_INT:
    case MONGODB_REAL:
    case MONGODB_DECIMAL:
        return number_append(node, column->kind, out, key);
    case MONGODB_TEXT:
        return text && mongo.bson_append_utf8(out, key, -1, text, -1);
    case MONGODB_BOOL:
        return truth_append(node, out, key);
    case MONGODB_TIME:
        return time_append(node, out, key);
    case MONGODB_ID:
        return id_append(text, out, key);
    default:
        return false;
    }
}
