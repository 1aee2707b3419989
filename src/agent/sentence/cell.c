/*
 * Texts of a database in a sentence. A cell may hold anything: it becomes one short line
 * without control or hidden characters, and stands in quotes if it could be taken for a
 * part of the sentence.
 */
#include <ctype.h>
#include <string.h>

#include "agent/sentence/telling.h"
#include "agent/suggest/suggest_columns.h"
#include "base/str.h"
#include "base/utf8.h"

enum {
    CELL_MOST = 60,    /* bytes of a cell */
    HEADING_MOST = 60, /* bytes of a heading */
    READ_MOST = 400,   /* bytes that are looked at */
    WORDS_MOST = 5,    /* a longer text reads like a sentence */
};

static bool is_blank(uint32_t code)
{
    return code <= ' ' || code == 0xa0 || utf8_is_unsafe(code) || utf8_is_hidden(code);
}

const char *cell_clean(struct arena *arena, const char *text, size_t size, size_t most)
{
    char out[READ_MOST * 3 + 8];
    size_t used = 0;
    bool gap = false;
    size_t at = 0;
    most = most < READ_MOST ? most : READ_MOST;
    while (at < size && at < READ_MOST && used <= most) {
        uint32_t code = 0;
        size_t bytes = utf8_next(text + at, size - at, &code);
        if (is_blank(code)) {
            gap = used > 0;
        } else {
            if (gap) {
                out[used++] = ' ';
                gap = false;
            }
            bool bad = code == 0xfffd;
            memcpy(out + used, bad ? "\xef\xbf\xbd" : text + at, bad ? 3 : bytes);
            used += bad ? 3 : bytes;
        }
        at += bytes;
    }
    if (used > most || at < size) {
        size_t kept = used > most ? utf8_cut(out, used, most) : used;
        memcpy(out + kept, "…", strlen("…"));
        used = kept + strlen("…");
    }
    return arena_copy(arena, out, used);
}

/* The quotes of all languages, with which a text could end its own. */
static size_t quote_at(const char *at)
{
    static const char *const quotes[] = {"“", "”", "„", "«", "»", "\""};
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        if (str_starts(at, quotes[i])) {
            return strlen(quotes[i]);
        }
    }
    return 0;
}

/* Could it be read as part of the sentence around it? */
static bool needs_quotes(const char *text)
{
    size_t words = 1;
    for (const char *at = text; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        words += byte == ' ';
        if (quote_at(at)) {
            return true;
        }
        if (byte < 0x80 && !isalnum(byte) && !strchr(" -'.&()/+_#", byte)) {
            return true;
        }
        if (byte == '.' && at[1] == ' ' && at - text > 2) {
            return true;
        }
    }
    return words > WORDS_MOST;
}

static const char *quoted(const struct telling *telling, const char *text)
{
    char *inside = arena_text(telling->arena, text);
    char *end = inside;
    for (const char *at = text; *at;) {
        size_t quote = quote_at(at);
        *end++ = quote ? '\'' : *at;
        at += quote ? quote : 1;
    }
    *end = '\0';
    struct slots slots = {.texts = {[SLOT_NAME] = inside}};
    return say_text(telling, PHRASE_QUOTED, &slots);
}

const char *cell_text(const struct telling *telling, const struct value *value)
{
    if (value->kind == VALUE_NULL) {
        return say_text(telling, PHRASE_NO_VALUE, NULL);
    }
    if (value->kind == VALUE_BOOL) {
        return say_text(telling, value->boolean ? PHRASE_YES : PHRASE_NO, NULL);
    }
    const char *text = NULL;
    if (value->kind == VALUE_TEXT || value->kind == VALUE_JSON) {
        text = cell_clean(telling->arena, value->text.data, value->text.size, CELL_MOST);
    } else {
        struct buf shown;
        buf_init(&shown, READ_MOST);
        value_show(&shown, value);
        text = cell_clean(telling->arena, buf_get(&shown), shown.size, CELL_MOST);
        buf_release(&shown);
    }
    if (!*text) {
        return say_text(telling, PHRASE_EMPTY_TEXT, NULL);
    }
    return value->kind == VALUE_TEXT || value->kind == VALUE_JSON
               ? needs_quotes(text) ? quoted(telling, text) : text
               : text;
}

static bool is_identifier(const char *name)
{
    size_t size = 0;
    while (isalnum((unsigned char)name[size]) || name[size] == '_') {
        size++;
    }
    return size && !name[size] && size <= HEADING_MOST;
}

/* "sum_total_amount": a total; "avg_price": an average. */
static const char *in_words(struct arena *arena, const char *words)
{
    if (str_starts_nocase(words, "sum ") && words[4]) {
        const char *rest = words + 4;
        return str_contains_nocase(rest, "total") ? rest
                                                  : arena_format(arena, "total %s", rest);
    }
    return str_starts_nocase(words, "avg ") && words[4]
               ? arena_format(arena, "average %s", words + 4)
               : words;
}

const char *cell_heading(const struct telling *telling, size_t column)
{
    const char *name = str_or_empty(telling->rows->columns[column].name);
    if (is_identifier(name)) {
        return in_words(telling->arena, suggest_words(telling->arena, name));
    }
    const char *text = cell_clean(telling->arena, name, strlen(name), HEADING_MOST);
    return !*text               ? say_text(telling, PHRASE_NO_VALUE, NULL)
           : needs_quotes(text) ? quoted(telling, text)
                                : text;
}
