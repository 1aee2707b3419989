/* Masked columns: what a select list holds in their place, in each dialect. */
#include "base/str.h"
#include "sql/narrow/narrow_state.h"

/* $ is the column, # its value as text, @ the key as a literal. */
struct mask_words {
    const char *as_text;
    const char *text_type;
    const char *hash;
    const char *joined; /* '***' and the last four */
    const char *last;
    const char *first;
    const char *year;
};

static const struct mask_words words[DIALECT_COUNT] = {
    [DIALECT_SQLITE] = {"CAST($ AS TEXT)", "TEXT", "dragoman_hash(@, $)",
                        "'***' || substr(#, -4)", "length(#)", "substr(#, 1, 1) || '***'",
                        "substr(#, 1, 4)"},
    [DIALECT_DUCKDB] = {"CAST($ AS VARCHAR)", "VARCHAR", "md5(@ || #)",
                        "'***' || right(#, 4)", "length(#)", "left(#, 1) || '***'",
                        "left(#, 4)"},
    [DIALECT_POSTGRES] = {"CAST($ AS text)", "text", "md5(@ || #)",
                          "'***' || right(#, 4)", "length(#)", "left(#, 1) || '***'",
                          "left(#, 4)"},
    [DIALECT_MYSQL] = {"CAST($ AS CHAR)", "text", "sha2(concat(@, #), 256)",
                       "concat('***', right(#, 4))", "char_length(#)",
                       "concat(left(#, 1), '***')", "left(#, 4)"},
    [DIALECT_CLICKHOUSE] = {"toString($)", "String", "lower(hex(MD5(concat(@, #))))",
                            "concat('***', reverseUTF8(substringUTF8(reverseUTF8(#), 1, "
                            "4)))",
                            "lengthUTF8(#)", "concat(substringUTF8(#, 1, 1), '***')",
                            "substringUTF8(#, 1, 4)"},
    [DIALECT_BIGQUERY] = {"CAST($ AS STRING)", "STRING", "to_hex(sha256(concat(@, #)))",
                          "concat('***', right(#, 4))", "char_length(#)",
                          "concat(left(#, 1), '***')", "left(#, 4)"},
    [DIALECT_ODBC] = {NULL, "VARCHAR", NULL, NULL, NULL, NULL, NULL},
};

static void fill_in(struct buf *out, const struct mask_words *with, const char *form,
                    const char *column, const char *key)
{
    for (; *form; form++) {
        if (*form == '$') {
            (void)buf_text(out, column);
        } else if (*form == '#') {
            fill_in(out, with, with->as_text, column, key);
        } else if (*form == '@') {
            (void)buf_text(out, key);
        } else {
            (void)buf_char(out, *form);
        }
    }
}

static char *expression(struct arena *arena, const struct mask_words *with,
                        enum policy_mask mask, const char *column, const char *key)
{
    struct buf buf;
    buf_init(&buf, NARROW_SQL_MOST);
    if (mask == POLICY_MASK_LAST4) { /* four of four would be all of it */
        fill_in(&buf, with, "CASE WHEN ", column, key);
        fill_in(&buf, with, with->last, column, key);
        fill_in(&buf, with, " > 4 THEN ", column, key);
        fill_in(&buf, with, with->joined, column, key);
        fill_in(&buf, with, " WHEN $ IS NULL THEN NULL ELSE '***' END", column, key);
    } else {
        fill_in(&buf, with,
                mask == POLICY_MASK_HASH   ? with->hash
                : mask == POLICY_MASK_YEAR ? with->year
                                           : with->first,
                column, key);
    }
    char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}

const char *narrow_key(struct arena *arena, enum dialect dialect, const char *key)
{
    return sql_statement_print(arena, dialect, sql_node(arena, SQL_STRING, key));
}

char *narrow_mask(struct arena *arena, enum dialect dialect, enum policy_mask mask,
                  const char *column, const char *key)
{
    const struct mask_words *with = &words[dialect];
    char *literal = narrow_literal(arena, dialect, str_or_empty(key));
    if (mask == POLICY_MASK_REDACT) {
        return arena_text(arena, "'***'");
    }
    if (mask == POLICY_MASK_NULL || !with->as_text ||
        (mask == POLICY_MASK_HASH && str_empty(key))) {
        /* never true, and of the column's own type */
        return arena_format(arena, "CASE WHEN 1 = 0 THEN %s END", column);
    }
    return expression(arena, with, mask, column, literal);
}

const char *narrow_mask_type(enum dialect dialect, enum policy_mask mask,
                             const char *type)
{
    return mask == POLICY_MASK_NULL || mask == POLICY_MASK_NONE ||
                   (!words[dialect].as_text && mask != POLICY_MASK_REDACT)
               ? type
               : words[dialect].text_type;
}
