/* Reads wishes for a chart, from the end of a question backwards. */
#include "chart/wish.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"

enum word_class {
    WORD_OTHER,
    WORD_LINE,
    WORD_BAR,
    WORD_AREA,
    WORD_ARC,
    WORD_SCATTER,
    WORD_LINE_CHART, /* as the five before, in the same order */
    WORD_BAR_CHART,
    WORD_AREA_CHART,
    WORD_ARC_CHART,
    WORD_SCATTER_CHART,
    WORD_TABLE,
    WORD_CHART,
    WORD_STACK,
    WORD_AS,
    WORD_IN,
    WORD_BY,
    WORD_ARTICLE,
    WORD_OF,
    WORD_POLITE,
    WORD_ABOUT
};

static const struct {
    enum word_class kind;
    const char *text;
} known[] = {
#define WISH(class_name, word_text) {WORD_##class_name, word_text},
#include "chart/wish_words.def"
#undef WISH
};

enum { WORDS_MOST = 24, WORD_MOST = 24, BY_MOST = 3, TEXT_MOST = 2000 };

struct word {
    char text[WORD_MOST]; /* in lower case; "" if it is longer */
    size_t start;
    size_t end;
};

/* The last words of a text. */
struct reader {
    const char *text;
    struct word words[WORDS_MOST];
    size_t count;
    bool cut; /* there are more words before them */
};

static bool is_letter(unsigned char c)
{
    return isalnum(c) || c >= 0x80 || c == '_';
}

/* ASCII, and the letters with accents of Latin-1 in UTF-8. */
static void lower(char *out, const char *text, size_t size)
{
    if (size >= WORD_MOST) {
        *out = '\0';
        return;
    }
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        bool accent = i && (unsigned char)text[i - 1] == 0xC3 && c >= 0x80 && c <= 0x9E;
        out[i] = accent ? (char)(c + 0x20) : c < 0x80 ? (char)tolower(c) : text[i];
    }
    out[size] = '\0';
}

static void read_words(struct reader *reader, const char *text)
{
    size_t size = strlen(text);
    *reader = (struct reader){.text = text};
    for (size_t at = 0; at < size;) {
        size_t end = at;
        while (end < size && is_letter((unsigned char)text[end])) {
            end++;
        }
        if (end == at) {
            at++;
            continue;
        }
        if (reader->count == WORDS_MOST) {
            memmove(reader->words, reader->words + 1,
                    (WORDS_MOST - 1) * sizeof *reader->words);
            reader->count--;
            reader->cut = true;
        }
        struct word *word = &reader->words[reader->count++];
        lower(word->text, text + at, end - at);
        word->start = at;
        word->end = end;
        at = end;
    }
}

static bool is(const struct reader *reader, size_t at, enum word_class kind)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].kind == kind && strcmp(known[i].text, reader->words[at].text) == 0) {
            return true;
        }
    }
    return false;
}

/* Is the word before `end` of this kind? Then `end` goes before it. */
static bool take(const struct reader *reader, size_t *end, enum word_class kind)
{
    if (*end && is(reader, *end - 1, kind)) {
        (*end)--;
        return true;
    }
    return false;
}

static void take_all(const struct reader *reader, size_t *end, enum word_class kind)
{
    while (take(reader, end, kind)) {}
}

static bool take_kind(const struct reader *reader, size_t *end, enum chart_kind *kind,
                      bool *charted)
{
    static const enum chart_kind kinds[] = {CHART_LINE, CHART_BAR, CHART_AREA, CHART_ARC,
                                            CHART_SCATTER};
    for (int i = 0; i < 5; i++) {
        bool plain = take(reader, end, (enum word_class)(WORD_LINE + i));
        if (plain || take(reader, end, (enum word_class)(WORD_LINE_CHART + i))) {
            *kind = kinds[i];
            *charted = *charted || !plain;
            return true;
        }
    }
    return false;
}

/* "stack(ed) by channel", "nach Kanal gestapelt": where it begins; false: it is not there. */
static bool read_stack_by(struct reader *reader, struct arena *arena, size_t *end,
                          struct chart_wish *out)
{
    bool last = *end && is(reader, *end - 1, WORD_STACK);
    for (size_t size = 1; size <= BY_MOST && size + 2 <= *end; size++) {
        size_t by = *end - 1 - size - (last ? 1 : 0);
        if (by < *end && is(reader, by, WORD_BY)) {
            size_t stack = by;
            while (!last && stack && is(reader, stack - 1, WORD_ABOUT)) {
                stack--; /* "stack them by" */
            }
            if (!last && !(stack && is(reader, stack - 1, WORD_STACK))) {
                continue;
            }
            size_t from = reader->words[by + 1].start;
            out->by = arena_copy(arena, reader->text + from,
                                 reader->words[by + size].end - from);
            out->kind = CHART_STACKED;
            *end = last ? by : stack - 1;
            take_all(reader, end, WORD_BAR);
            (void)take(reader, end, WORD_AS);
            return true;
        }
    }
    return false;
}

/* "a stacked bar chart", "gráfico de barras apiladas", before `end`. */
static bool read_chart(const struct reader *reader, size_t *end, struct chart_wish *out,
                       bool *charted)
{
    if (take(reader, end, WORD_TABLE)) {
        out->table = true;
        *charted = true;
        return true;
    }
    bool stack = take(reader, end, WORD_STACK);
    bool chart = take(reader, end, WORD_CHART);
    bool kind = take_kind(reader, end, &out->kind, charted);
    *charted = *charted || chart;
    stack = take(reader, end, WORD_STACK) || stack;
    size_t before = *end;
    if (kind && take(reader, &before, WORD_OF) && take(reader, &before, WORD_CHART)) {
        *charted = true;
        *end = before;
    }
    out->any = chart && !kind && !stack;
    if (stack) {
        out->kind = CHART_STACKED;
    }
    return kind || chart || stack;
}

static bool only_about(const struct reader *reader, size_t end)
{
    for (size_t i = 0; i < end; i++) {
        if (!is(reader, i, WORD_ABOUT) && !is(reader, i, WORD_ARTICLE) &&
            !is(reader, i, WORD_POLITE)) {
            return false;
        }
    }
    return !reader->cut;
}

static size_t before(const struct reader *reader, size_t word)
{
    size_t at = word < reader->count ? reader->words[word].start : strlen(reader->text);
    while (at && strchr(" ,;:-\t\n", reader->text[at - 1])) {
        at--;
    }
    return at;
}

bool wish_read(struct arena *arena, const char *text, struct wish *out)
{
    struct reader reader;
    bool charted = false;
    *out = (struct wish){.start = 0};
    if (!text || strlen(text) > TEXT_MOST) {
        return false;
    }
    read_words(&reader, text);
    size_t end = reader.count;
    while (take(&reader, &end, WORD_POLITE) ||
           (end > 1 && strcmp(reader.words[end - 1].text, "por") == 0 &&
            end < reader.count && end-- > 0)) {}
    if (!end) {
        return false;
    }
    bool found = read_stack_by(&reader, arena, &end, &out->chart);
    if (!found) {
        size_t whole = end;
        if (!read_chart(&reader, &end, &out->chart, &charted)) {
            return false;
        }
        (void)take(&reader, &end, WORD_ARTICLE);
        found = take(&reader, &end, WORD_AS) || (charted && take(&reader, &end, WORD_IN));
        /* "line chart", "make it a pie" say it without "as" */
        found = found || (only_about(&reader, end) && (charted || (end && whole > end)));
    }
    out->chart.given = found;
    out->start = before(&reader, end);
    out->alone = only_about(&reader, end);
    return found;
}
