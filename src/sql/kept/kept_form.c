/* Templates of SQL, one for each dialect. */
#include "sql/kept/kept_form.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum { FORM_MOST = 4096 };

static const char *replaced(struct arena *arena, const char *inner, const char *what,
                            const char *with)
{
    return arena_format(arena, "REPLACE(%s, '%s', '%s')", inner, what, with);
}

/* The digits with a sign and a point: "($1,200.50)" becomes "-1200.50". */
static const char *plain_digits(struct arena *arena, const struct kept *kept,
                                const char *text)
{
    const char *sql = text;
    if (kept->plain) {
        return arena_format(arena, "TRIM(%s)",
                            text); /* a call, so that it is read as such once */
    }
    if (kept->unit) {
        sql = replaced(arena, sql, kept->unit, "");
    }
    sql = replaced(arena, sql, kept->comma ? "." : ",", "");
    if (kept->comma) {
        sql = replaced(arena, sql, ",", ".");
    }
    sql = replaced(arena, sql, " ", "");
    sql = replaced(arena, sql, "(", "-");
    return replaced(arena, sql, ")", "");
}

/* %1$s: the column; %2$s: its digits. A cell without any digit is not 0 but unknown. */
static const char *const amounts[DIALECT_COUNT] = {
    [DIALECT_SQLITE] = "CASE WHEN %1$s GLOB '*[0-9]*' THEN CAST(%2$s AS REAL) END",
    [DIALECT_DUCKDB] = "TRY_CAST(%2$s AS DOUBLE)",
    [DIALECT_POSTGRES] = "CASE WHEN %1$s ~ '[0-9]' THEN CAST(%2$s AS NUMERIC) END",
    [DIALECT_MYSQL] =
        "CASE WHEN %1$s REGEXP '[0-9]' THEN CAST(%2$s AS DECIMAL(30, 4)) END",
    [DIALECT_CLICKHOUSE] = "toFloat64OrNull(%2$s)",
    [DIALECT_BIGQUERY] = "SAFE_CAST(%2$s AS NUMERIC)",
};

/* substr(x, 7, 4) for the years of DD.MM.YYYY */
static const char *part(struct arena *arena, const char *text, const char *layout,
                        char letter)
{
    const char *at = strchr(layout, letter);
    return at ? arena_format(arena, "SUBSTR(%s, %d, %zu)", text, (int)(at - layout) + 1,
                             strspn(at, (char[]){letter, '\0'}))
              : "'01'";
}

/* 2024-07-13 as text: SQLite has no dates, and some engines read no other form. */
static const char *iso_text(struct arena *arena, const char *layout, const char *text)
{
    if (str_equal(layout, "YYYY-MM")) {
        return arena_format(arena, "%s || '-01'", text);
    }
    return arena_format(arena, "%s || '-' || %s || '-' || %s",
                        part(arena, text, layout, 'Y'), part(arena, text, layout, 'M'),
                        part(arena, text, layout, 'D'));
}

/* "%d.%m.%Y" of DD.MM.YYYY */
static const char *format_of(struct arena *arena, const char *layout)
{
    struct buf out;
    buf_init(&out, FORM_MOST);
    for (const char *at = layout; *at; at++) {
        if (at > layout && at[0] == at[-1]) {
            continue;
        }
        (void)buf_format(&out, "%s%c", strchr("YMD", *at) ? "%" : "",
                         *at == 'M'   ? 'm'
                         : *at == 'D' ? 'd'
                                      : *at);
    }
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

static const char *date_sql(struct arena *arena, enum dialect dialect, const char *layout,
                            const char *text)
{
    bool month = !strchr(layout, 'D');
    const char *day = month ? arena_format(arena, "%c01", layout[4]) : "";
    const char *format =
        arena_format(arena, "%s%s", format_of(arena, layout),
                     month ? arena_format(arena, "%c%%d", layout[4]) : "");
    switch ((int)dialect) {
    case DIALECT_SQLITE:
        return iso_text(arena, layout, text);
    case DIALECT_DUCKDB:
        return arena_format(arena, "CAST(TRY_STRPTIME(%s%s, '%s') AS DATE)", text,
                            month ? arena_format(arena, " || '%s'", day) : "", format);
    case DIALECT_POSTGRES:
        return arena_format(arena,
                            "CASE WHEN LENGTH(%s) = %zu THEN TO_DATE(%s, '%s') END", text,
                            strlen(layout), text, layout);
    case DIALECT_MYSQL:
        return month ? arena_format(arena, "STR_TO_DATE(CONCAT(%s, '%s'), '%s')", text,
                                    day, format)
                     : arena_format(arena, "STR_TO_DATE(%s, '%s')", text, format);
    case DIALECT_CLICKHOUSE:
        return arena_format(arena, "toDateOrNull(%s)", iso_text(arena, layout, text));
    case DIALECT_BIGQUERY:
        return arena_format(arena, "SAFE_CAST(%s AS DATE)",
                            iso_text(arena, layout, text));
    default:
        return NULL;
    }
}

const char *kept_form_sql(struct arena *arena, enum dialect dialect,
                          const struct kept *kept, const char *text)
{
    if (kept->form == KEPT_DATE) {
        return date_sql(arena, dialect, kept->layout, text);
    }
    if (kept->form != KEPT_AMOUNT || !amounts[dialect]) {
        return NULL;
    }
    /* the column stands twice in some forms, so the places are told apart by number */
    struct buf out;
    buf_init(&out, FORM_MOST);
    const char *digits = plain_digits(arena, kept, text);
    for (const char *at = amounts[dialect]; *at; at++) {
        if (str_starts(at, "%1$s") || str_starts(at, "%2$s")) {
            (void)buf_text(&out, at[1] == '1' ? text : digits);
            at += strlen("%1$s") - 1;
        } else {
            (void)buf_char(&out, *at);
        }
    }
    const char *sql = buf_clone(&out, arena);
    buf_release(&out);
    return sql;
}
