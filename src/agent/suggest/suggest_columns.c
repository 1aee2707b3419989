/* What a column is good for in a question. */
#include "agent/suggest/suggest_columns.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

enum {
    NAME_MOST = 256,
    CATEGORY_MOST = 30, /* distinct values */
    CELL_MOST = 40,     /* bytes of a value in a question */
};

/* One bit for each letter in it, whatever its case; the rest of the signs share one. */
static uint32_t letters_in(const char *text)
{
    uint32_t letters = 0;
    for (; *text; text++) {
        unsigned at = ((unsigned char)*text | 0x20U) - 'a';
        letters |= 1U << (at < 26 ? at : 26);
    }
    return letters;
}

static bool has_part(const char *text, const char *const *parts)
{
    uint32_t letters = text ? letters_in(text) : 0;
    for (; text && *parts; parts++) {
        unsigned first = ((unsigned char)**parts | 0x20U) - 'a';
        /* most parts are missing from the first letter on, which is quickly seen */
        if (letters >> (first < 26 ? first : 26) & 1 &&
            str_contains_nocase(text, *parts)) {
            return true;
        }
    }
    return false;
}

char *suggest_words(struct arena *arena, const char *name)
{
    char words[NAME_MOST + 1];
    size_t size = 0;
    for (const char *c = name; *c && size < NAME_MOST; c++) {
        bool hump = c > name && isupper((unsigned char)*c) != 0 &&
                    islower((unsigned char)c[-1]) != 0;
        bool gap = *c == '_' || *c == '-' || *c == '.';
        if (hump) {
            words[size++] = ' ';
        }
        if (size < NAME_MOST) {
            words[size++] = gap ? ' ' : (char)tolower((unsigned char)*c);
        }
    }
    words[size] = '\0';
    return str_squeeze(arena, words);
}

static bool is_plural(const char *words)
{
    static const char *const ends[] = {
        "people",      "staff",     "data",     "media", "news", "weather", "equipment",
        "information", "personnel", "children", "women", "men",  NULL};
    for (const char *const *end = ends; *end; end++) {
        if (str_ends(words, *end)) {
            return true;
        }
    }
    return str_ends(words, "s") && !str_ends(words, "ss");
}

char *suggest_things(struct arena *arena, const struct table *table)
{
    char *words = suggest_words(arena, table->bare_name);
    size_t size = strlen(words);
    if (size < 2 || is_plural(words) || !isalpha((unsigned char)words[size - 1])) {
        return words;
    }
    if (words[size - 1] == 'y' && !strchr("aeiou", words[size - 2])) {
        return arena_format(arena, "%.*sies", (int)size - 1, words);
    }
    bool hisses = str_ends(words, "ss") || str_ends(words, "x") ||
                  str_ends(words, "ch") || str_ends(words, "sh");
    return arena_format(arena, "%s%s", words, hisses ? "es" : "s");
}

char *suggest_things_in(struct arena *arena, const struct schema *schema,
                        const struct table *table)
{
    char *words = suggest_words(arena, table->bare_name);
    return schema->tables.count == 1 && !is_plural(words) ? arena_text(arena, "rows")
                                                          : suggest_things(arena, table);
}

bool suggest_is_date(const struct table *table, const struct column *column)
{
    static const char *const parts[] = {"date", "time", "_at", "created", "day", NULL};
    (void)table;
    return has_part(column->name, parts) || has_part(column->type, parts);
}

bool suggest_is_key(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct texts *columns = &table->foreign_keys.items[i].columns;
        for (size_t j = 0; j < columns->count; j++) {
            if (str_equal_nocase(columns->items[j], column->name)) {
                return true;
            }
        }
    }
    return column->primary || str_equal_nocase(column->name, "id") ||
           str_ends_nocase(column->name, "_id") || str_ends(column->name, "Id") ||
           str_ends(column->name, "ID");
}

bool suggest_is_measure(const struct table *table, const struct column *column)
{
    static const char *const types[] = {"int",  "real",  "dec", "num",
                                        "doub", "float", NULL};
    static const char *const not_added[] = {
        "year", "month", "code", "zip",  "phone", "number",   "lat",
        "lon",  "flag",  "is_",  "rank", "index", "order_by", NULL};
    return has_part(column->type, types) && !suggest_is_key(table, column) &&
           !has_part(column->type, (const char *const[]){"bool", "point", NULL}) &&
           !has_part(column->name, not_added) && !suggest_is_date(table, column);
}

bool suggest_is_sayable(const char *cell)
{
    size_t size = cell ? strlen(cell) : 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)cell[i];
        if (c < ' ' || c == '"' || c == '\'' || c == '?' || c == '%' || c == '\\') {
            return false;
        }
    }
    return size > 0 && size <= CELL_MOST && !str_empty(cell);
}

bool suggest_is_category(const struct table *table, const struct column *column)
{
    /* of a large table, only the samples tell how many values there are */
    int64_t distinct = column->distinct < 0 && column->samples_all
                           ? (int64_t)column->samples.count
                           : column->distinct;
    bool repeats = table->row_count < 0 || distinct < table->row_count;
    return column->is_text && column->samples.count && distinct > 0 &&
           distinct <= CATEGORY_MOST && repeats && !suggest_is_key(table, column) &&
           !suggest_is_date(table, column);
}
