/* The sample values of a column: all, some, or their range. */
#include "knowledge/schema/schema_values.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "knowledge/schema/schema_line.h"
#include "knowledge/words/words.h"

enum {
    VALUE_LENGTH = 40, /* characters */
    RANGE_LENGTH = 26, /* a time with its fraction */
    DATE_LENGTH = 10,
    LONG_VALUE = 14, /* bytes of samples after which no more are added */
};

static bool among(const char *word, const char *const *words)
{
    for (; *words; words++) {
        if (strncmp(word, *words, strlen(*words)) == 0) {
            return true;
        }
    }
    return false;
}

/* The last word of a name says what it is: an email is one, an email_status is none. */
static bool schema_values_private(const struct column *column)
{
    static const char *const kinds[] = {"phon", "telephon", "fax",     "mobil", "email",
                                        "mail", "address",  "street",  "url",   "uri",
                                        "link", "websit",   "homepag", NULL};
    static const char *const endings[] = {"number", "no", "line", "1", "2", NULL};
    struct words words;
    struct word word;
    bool kind = false;
    words_init(&words, column->name);
    while (words_next(&words, &word)) {
        kind = among(word.folded, kinds) || (kind && among(word.folded, endings));
    }
    if (kind || column->samples.count == 0) {
        return kind;
    }
    const char *first = column->samples.items[0];
    return (strchr(first, '@') && !strchr(first, ' ')) || str_starts(first, "http://") ||
           str_starts(first, "https://");
}

/* Can the value be written without quotes, because it cannot be misread? */
static bool schema_values_is_plain(const char *text)
{
    bool letter = false;
    for (const char *at = text; *at; at++) {
        bool alpha = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
        bool other = (*at >= '0' && *at <= '9') || *at == '_' || *at == '-';
        if (!alpha && !(other && letter)) {
            return false;
        }
        letter = true;
    }
    return letter;
}

static void put_value(struct buf *out, const char *text, size_t most, bool bare)
{
    struct buf small;
    buf_init(&small, most * 4 + 16);
    schema_line_clean(&small, text, most);
    if (bare) {
        (void)buf_add(out, buf_get(&small), small.size);
    } else {
        writer_quote(out, buf_get(&small), small.size);
    }
    buf_release(&small);
}

static bool is_short(const struct column *column)
{
    for (size_t i = 0; i < column->samples.count; i++) {
        if (strlen(column->samples.items[i]) > VALUE_LENGTH) {
            return false;
        }
    }
    return true;
}

static void put_all(struct buf *out, const struct column *column)
{
    for (size_t i = 0; i < column->samples.count; i++) {
        const char *text = column->samples.items[i];
        (void)buf_text(out, i ? "|" : " {");
        put_value(out, text, VALUE_LENGTH, schema_values_is_plain(text));
    }
    (void)buf_char(out, '}');
}

static void put_some(struct buf *out, const struct column *column, size_t most)
{
    size_t count = column->samples.count < most ? column->samples.count : most;
    size_t shown = 0; /* bytes: two long ones show the form as well as three */
    for (size_t i = 0; i < count && shown <= LONG_VALUE; i++) {
        shown += strlen(column->samples.items[i]);
        (void)buf_text(out, i ? "," : " [");
        put_value(out, column->samples.items[i], VALUE_LENGTH, false);
    }
    (void)buf_text(out, ",…]");
}

/* Numbers, dates and times; a key's say nothing. */
static bool is_range(const char *text)
{
    return strspn(text, "0123456789") > 0 || (*text == '-' && text[1]);
}

/* 2023-01-04 08:15:00, 2023-01-04T08:15 */
static bool is_time(const char *text)
{
    static const char form[] = "0000-00-00";
    for (size_t i = 0; i < DATE_LENGTH; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == '-' ? text[i] != '-' : !digit) {
            return false;
        }
    }
    return text[DATE_LENGTH] == ' ' || text[DATE_LENGTH] == 'T';
}

bool schema_values_key(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct texts *columns = &table->foreign_keys.items[i].columns;
        for (size_t k = 0; k < columns->count; k++) {
            if (str_equal(columns->items[k], column->name)) {
                return true;
            }
        }
    }
    return column->primary;
}

static bool has_range(const struct table *table, const struct column *column)
{
    return column->least && column->greatest && is_range(column->least) &&
           is_range(column->greatest) && !schema_values_key(table, column);
}

static void put_range(struct buf *out, const struct column *column)
{
    (void)buf_char(out, ' ');
    put_value(out, column->least, RANGE_LENGTH, true);
    (void)buf_text(out, "..");
    /* the first of two times has shown their form */
    if (is_time(column->least) && is_time(column->greatest)) {
        (void)buf_add(out, column->greatest, DATE_LENGTH);
    } else {
        put_value(out, column->greatest, RANGE_LENGTH, true);
    }
}

bool schema_values_by_view(const struct schema_text_settings *settings,
                           const struct table *table)
{
    return settings->views && table->is_view && table->definition;
}

bool schema_values_shown(const struct schema_text_settings *settings,
                         const struct table *table, const struct column *column)
{
    return settings->samples && column->is_text && column->samples.count &&
           !schema_values_by_view(settings, table) && !schema_values_private(column) &&
           !(settings->ranges && has_range(table, column));
}

void schema_values_put(struct buf *out, const struct schema_text_settings *settings,
                       const struct table *table, const struct column *column)
{
    if (schema_values_shown(settings, table, column)) {
        if (column->samples_all && is_short(column)) {
            put_all(out, column);
        } else {
            put_some(out, column, settings->samples);
        }
    } else if (settings->ranges && has_range(table, column) &&
               !schema_values_by_view(settings, table) &&
               !schema_values_private(column)) {
        put_range(out, column);
    }
}
