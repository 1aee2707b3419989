/* Dates as text: to_char, strftime, DATE_FORMAT and their formats. */
#include <ctype.h>
#include <string.h>

#include "sql/dialects/translate.h"

/* One part of a date in each dialect's formats; NULL: it has none. SQLite's names of months
 * and days are a CASE (forms.def). */
static const struct code {
    const char *codes[DIALECT_COUNT]; /* s d p m c b o */
    const char *form;                 /* its row in forms.def, where that has no code */
} codes[] = {
    {{"%Y", "%Y", "YYYY", "%Y", "%Y", "%Y", "yyyy"}, NULL},
    {{NULL, "%B", "FMMonth", "%M", NULL, "%B", "MMMM"}, "name of the month"},
    {{NULL, "%B", "TMMonth", NULL, NULL, NULL, NULL}, "name of the month"},
    {{NULL, "%b", "Mon", "%b", "%b", "%b", "MMM"}, NULL},
    {{"%m", "%m", "MM", "%m", "%m", "%m", "MM"}, NULL},
    {{"%j", "%j", "DDD", "%j", "%j", "%j", NULL}, NULL},
    {{"%d", "%d", "DD", "%d", "%d", "%d", "dd"}, NULL},
    {{"%H", "%H", "HH24", "%H", "%H", "%H", "HH"}, NULL},
    {{NULL, "%I", "HH12", "%h", "%h", "%I", "hh"}, NULL},
    {{"%M", "%M", "MI", "%i", "%i", "%M", "mm"}, NULL},
    {{"%S", "%S", "SS", "%s", "%S", "%S", "ss"}, NULL},
    {{NULL, "%A", "FMDay", "%W", "%W", "%A", "dddd"}, "name of the weekday"},
    {{NULL, "%a", "Dy", "%a", "%a", "%a", "ddd"}, NULL},
    {{NULL, "%p", "AM", "%p", "%p", "%p", "tt"}, NULL},
    {{NULL, "%y", "YY", "%y", "%y", "%y", "yy"}, NULL},
    {{"%w", "%w", NULL, "%w", "%w", "%w", NULL}, NULL},
    {{NULL, "%G", "IYYY", "%x", "%G", "%G", NULL}, NULL},
    {{NULL, "%V", "IW", "%v", "%V", "%V", NULL}, NULL},
};

/* Spellings of codes that mean one of the above, and codes of several parts. */
static const struct {
    enum dialect dialect;
    const char *code;
    const char *same;
} others[] = {
    {DIALECT_SQLITE, "%F", "%Y-%m-%d"},
    {DIALECT_SQLITE, "%T", "%H:%M:%S"},
    {DIALECT_DUCKDB, "%x", "%Y-%m-%d"},
    {DIALECT_MYSQL, "%S", "%s"},
    {DIALECT_MYSQL, "%I", "%h"},
    {DIALECT_MYSQL, "%T", "%H:%i:%s"},
    {DIALECT_CLICKHOUSE, "%s", "%S"},
    {DIALECT_CLICKHOUSE, "%F", "%Y-%m-%d"},
    {DIALECT_CLICKHOUSE, "%T", "%H:%i:%S"},
    {DIALECT_BIGQUERY, "%F", "%Y-%m-%d"},
    {DIALECT_BIGQUERY, "%T", "%H:%M:%S"},
    {DIALECT_POSTGRES, "yyyy", "YYYY"},
    {DIALECT_POSTGRES, "mm", "MM"},
    {DIALECT_POSTGRES, "dd", "DD"},
    {DIALECT_POSTGRES, "hh24", "HH24"},
    {DIALECT_POSTGRES, "mi", "MI"},
    {DIALECT_POSTGRES, "ss", "SS"},
    {DIALECT_POSTGRES, "HH", "HH12"},
    {DIALECT_POSTGRES, "PM", "AM"},
};

static const struct code *code_at(enum dialect dialect, const char *text, size_t *size)
{
    const struct code *best = NULL;
    *size = 0;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        const char *code = codes[i].codes[dialect];
        if (code && str_starts(text, code) && strlen(code) > *size) {
            best = &codes[i];
            *size = strlen(code);
        }
    }
    return best;
}

/* The format with each code in its first spelling. */
static const char *plain_format(struct translation *translation, const char *format)
{
    enum dialect dialect = translation->from;
    const char *text = "";
    while (*format) {
        const char *same = NULL;
        size_t size = 1;
        size_t known = 0;
        (void)code_at(dialect, format, &known);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            size_t length = strlen(others[i].code);
            if (others[i].dialect == dialect && str_starts(format, others[i].code) &&
                length > known) {
                same = others[i].same;
                size = length;
            }
        }
        size = same || !known ? size : known;
        text = arena_format(translation->arena, "%s%.*s", text,
                            same ? (int)strlen(same) : (int)size, same ? same : format);
        format += size;
    }
    return text;
}

/* A character between the codes that means itself in the dialect. */
static bool formats_is_plain(enum dialect dialect, char c)
{
    bool words = dialect == DIALECT_POSTGRES || dialect == DIALECT_ODBC;
    return c != '%' && c != '"' && c != '\\' && c != '\'' &&
           !(words && isalpha((unsigned char)c)) && (unsigned char)c < 0x80;
}

/* Quotes words, where a format would read codes in them. */
static const char *write_plain(struct translation *translation, char c)
{
    return arena_format(
        translation->arena,
        translate_to(translation, "p") && isalpha((unsigned char)c) ? "\"%c\"" : "%c", c);
}

static struct sql_node *write_call(struct translation *translation, struct sql_node *date,
                                   const char *format)
{
    static const struct {
        const char *letters;
        const char *name;
        bool format_first;
    } names[] = {{"s", "strftime", true},        {"d", "strftime", false},
                 {"p", "to_char", false},        {"m", "DATE_FORMAT", false},
                 {"c", "formatDateTime", false}, {"b", "FORMAT_DATE", true}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (translate_to(translation, names[i].letters)) {
            struct sql_node *text = make_string(translation, format);
            struct sql_node *copy = sql_clone(translation->arena, date);
            return make_call(translation, names[i].name,
                             names[i].format_first ? text : copy,
                             names[i].format_first ? copy : text, NULL);
        }
    }
    return translate_refuse(translation, "the database cannot write dates by a format");
}

/* piece || piece */
static struct sql_node *joined(struct translation *translation, struct sql_node *left,
                               struct sql_node *right)
{
    return !left ? right : !right ? left : make_pair(translation, "||", left, right);
}

/* The date by the format, in the words of the dialect that is needed. */
static struct sql_node *write_format(struct translation *translation,
                                     struct sql_node *date, const char *format)
{
    struct sql_node *made = NULL;
    const char *run = "";
    while (*format && !translation->impossible) {
        size_t size = 1;
        const struct code *code = code_at(translation->from, format, &size);
        const char *written = code ? code->codes[translation->to] : NULL;
        if (code && !written && code->form && translate_to(translation, "s")) {
            struct sql_node *before = *run ? write_call(translation, date, run) : NULL;
            struct sql_node *name = forms_make(translation, code->form, date, NULL);
            made = joined(translation, joined(translation, made, before), name);
            run = "";
        } else if (code && !written) {
            return translate_refuse(translation, "a part of the date format has no "
                                                 "equivalent");
        } else if (code) {
            run = arena_format(translation->arena, "%s%s", run, written);
        } else if (!formats_is_plain(translation->from, *format)) {
            return translate_refuse(translation, "the date format is not known");
        } else {
            size = 1;
            run = arena_format(translation->arena, "%s%s", run,
                               write_plain(translation, *format));
        }
        format += size;
    }
    return joined(translation, made,
                  *run || !made ? write_call(translation, date, run) : NULL);
}

struct sql_node *formats_call(struct translation *translation, struct sql_node *node)
{
    static const struct {
        const char *name;
        const char *letters;
        size_t format;
    } names[] = {{"to_char", "po", 1},        {"strftime", "s", 0},
                 {"strftime", "d", 1},        {"strftime", "d", 0},
                 {"date_format", "mo", 1},    {"formatdatetime", "c", 1},
                 {"format_date", "b", 0},     {"format_datetime", "b", 0},
                 {"format_timestamp", "b", 0}};
    if (translation->from == translation->to) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!is_call(node, names[i].name, 2) ||
            !translate_from(translation, names[i].letters) ||
            !sql_is(call_argument(node, names[i].format), SQL_STRING)) {
            continue;
        }
        struct sql_node *date = call_argument(node, 1 - names[i].format);
        enum value_class class = class_of(translation, date);
        if (class == CLASS_INTEGER || class == CLASS_REAL ||
            !class_is_date(translation, date)) {
            return translate_refuse(translation,
                                    "what is written by a format is no date");
        }
        const char *format =
            plain_format(translation, call_argument(node, names[i].format)->text);
        struct sql_node *made =
            write_format(translation, translate_node(translation, date), format);
        if (made && !str_equal_nocase(made->text, node->text)) {
            translate_note(translation, node->text,
                           sql_is(made, SQL_CALL) ? made->text : "text joined by ||");
        }
        return made;
    }
    return NULL;
}
