/* Tokens of a question. */
#include "parser/words/tokens.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "knowledge/words/fold.h"
#include "knowledge/words/stem.h"

enum {
    TEXT_MOST = 32768, /* bytes looked at */
    QUOTED_MOST = 400, /* bytes between two quotes that belong together */
    WORD_BYTES = 48,   /* of a token's folded text; the rest is cut off */
    THOUSANDS = 3,
};

/* Sorted. */
static const char *const common[] = {
    "a",      "all",   "an",    "and",   "any",  "are",    "as",    "at",    "average",
    "be",     "by",    "did",   "do",    "does", "each",   "every", "find",  "for",
    "from",   "give",  "had",   "has",   "have", "how",    "i",     "in",    "is",
    "it",     "its",   "least", "less",  "list", "many",   "me",    "more",  "most",
    "much",   "name",  "names", "no",    "not",  "number", "of",    "on",    "or",
    "return", "show",  "than",  "that",  "the",  "their",  "them",  "there", "these",
    "this",   "those", "to",    "total", "was",  "were",   "what",  "which", "who",
    "whose",  "with",
};

/* Sorted. */
static const char *const grammar[] = {
    "about",     "above",   "across",    "after",    "again",      "against",
    "along",     "also",    "although",  "always",   "am",         "among",
    "amongst",   "another", "anyone",    "anything", "around",     "because",
    "been",      "before",  "behind",    "being",    "below",      "between",
    "both",      "but",     "can",       "cannot",   "could",      "during",
    "either",    "else",    "ever",      "everyone", "everything", "except",
    "few",       "he",      "her",       "hers",     "him",        "his",
    "however",   "if",      "including", "into",     "itself",     "let",
    "many",      "may",     "might",     "mine",     "must",       "my",
    "neither",   "never",   "nobody",    "none",     "nor",        "nothing",
    "off",       "once",    "only",      "onto",     "other",      "others",
    "otherwise", "our",     "out",       "over",     "per",        "please",
    "rather",    "same",    "several",   "shall",    "she",        "should",
    "since",     "so",      "some",      "someone",  "something",  "such",
    "then",      "they",    "though",    "through",  "throughout", "till",
    "together",  "toward",  "towards",   "under",    "unless",     "until",
    "up",        "upon",    "us",        "versus",   "via",        "vs",
    "we",        "when",    "whenever",  "where",    "whereas",    "whether",
    "while",     "whom",    "why",       "will",     "within",     "without",
    "would",     "yet",     "you",       "your",     "yours",
};

static int text_order(const void *key, const void *row)
{
    const unsigned char *word = key;
    const unsigned char *other = *(const unsigned char *const *)row;
    return *word != *other ? *word - *other
                           : strcmp((const char *)word, (const char *)other);
}

bool token_is_among(const char *word, const char *const *sorted, size_t count)
{
    return bsearch(word, sorted, count, sizeof *sorted, text_order) != NULL;
}

bool token_is_common(const char *word)
{
    return token_is_among(word, common, sizeof common / sizeof *common);
}

bool token_is_naming(const char *word)
{
    static const char *const naming[] = {"name", "names", "number", "total", "average"};
    for (size_t i = 0; i < sizeof naming / sizeof *naming; i++) {
        if (strcmp(word, naming[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool token_is_grammar(const char *word)
{
    return token_is_common(word) ||
           token_is_among(word, grammar, sizeof grammar / sizeof *grammar);
}

struct scan {
    struct arena *arena;
    struct tokens *out;
    const char *text;
    size_t size;
    size_t at;
    size_t quote_end; /* of the quote that is open; 0: none is */
};

/* Quotes plain, control characters and bad bytes gone: offsets are into this. */
static char *clean(struct arena *arena, const char *question, size_t *size)
{
    size_t length = strnlen(question, TEXT_MOST);
    char *text = arena_alloc(arena, length + 1);
    size_t count = 0;
    for (size_t at = 0; at < length;) {
        struct fold_char c;
        size_t bytes = fold_next(question + at, length - at, &c);
        if (c.kind == FOLD_SPACE) {
            text[count++] = ' ';
        } else if (c.kind == FOLD_MARK && c.code < 0x80) {
            text[count++] = (char)c.code;
        } else if (c.kind != FOLD_NOTHING && c.code != 0xFFFD) {
            memcpy(text + count, question + at, bytes);
            count += bytes;
        }
        at += bytes;
    }
    text[count] = '\0';
    *size = count;
    return text;
}

static struct fold_char peek(const struct scan *scan, size_t at, size_t *bytes)
{
    struct fold_char c = {.kind = FOLD_SPACE};
    *bytes = at < scan->size ? fold_next(scan->text + at, scan->size - at, &c) : 0;
    return c;
}

static void add(struct scan *scan, enum token_kind kind, size_t start, size_t end)
{
    char text[WORD_BYTES];
    size_t size = 0;
    struct token *token = VEC_ADD(scan->arena, scan->out);
    token->upper = true;
    for (size_t at = start; at < end;) {
        struct fold_char c;
        at += fold_next(scan->text + at, scan->size - at, &c);
        token->capital = token->capital || (size == 0 && c.upper);
        token->upper = token->upper && c.upper;
        if (size + 4 < sizeof text && c.kind != FOLD_NOTHING) {
            size += fold_put(text + size, c.code);
        }
    }
    token->kind = kind;
    token->start = (uint32_t)start;
    token->end = (uint32_t)end;
    token->quoted = scan->quote_end > start && kind != TOKEN_QUOTE;
    token->text = kind == TOKEN_QUOTE ? "\"" : arena_copy(scan->arena, text, size);
    token->stem = token->text;
    if (kind == TOKEN_WORD) {
        char stem[STEM_SIZE];
        size_t length = stem_word(stem, token->text);
        token->stem = arena_copy(scan->arena, stem, length);
    }
    scan->at = end;
}

static bool digit_at(const struct scan *scan, size_t at)
{
    return at < scan->size && scan->text[at] >= '0' && scan->text[at] <= '9';
}

/* A comma belongs to the number when exactly three digits follow: "1,000" but
 * "2014,2015".
 */
static bool groups_thousands(const struct scan *scan, size_t at)
{
    size_t digits = 0;
    while (digits <= THOUSANDS && digit_at(scan, at + 1 + digits)) {
        digits++;
    }
    return scan->text[at] == ',' && digits == THOUSANDS;
}

static void take_number(struct scan *scan)
{
    size_t end = scan->at;
    while (digit_at(scan, end) || (end < scan->size && groups_thousands(scan, end))) {
        end++;
    }
    if (end < scan->size && scan->text[end] == '.' && digit_at(scan, end + 1)) {
        end++;
        while (digit_at(scan, end)) {
            end++;
        }
    }
    add(scan, TOKEN_NUMBER, scan->at, end);
}

static void take_word(struct scan *scan)
{
    size_t bytes = 0;
    size_t end = scan->at;
    while (peek(scan, end, &bytes).kind == FOLD_LETTER) {
        end += bytes;
    }
    add(scan, TOKEN_WORD, scan->at, end);
}

static bool word_before(const struct scan *scan, size_t at)
{
    size_t start = at;
    while (start > 0 && ((unsigned char)scan->text[--start] & 0xC0) == 0x80) {}
    size_t bytes = 0;
    enum fold_kind kind = at > 0 ? peek(scan, start, &bytes).kind : FOLD_SPACE;
    return kind == FOLD_LETTER || kind == FOLD_DIGIT || kind == FOLD_ALONE;
}

/* Where the quote that opens here closes; 0 when it does not: an apostrophe, inches. */
static size_t closing(const struct scan *scan)
{
    char quote = scan->text[scan->at];
    bool single = quote == '\'';
    if ((quote != '"' && !single) || (single && word_before(scan, scan->at))) {
        return 0;
    }
    size_t last = scan->at + QUOTED_MOST;
    for (size_t end = scan->at + 1; end < scan->size && end < last; end++) {
        if (scan->text[end] != quote || end == scan->at + 1) {
            continue;
        }
        size_t bytes = 0;
        enum fold_kind next = peek(scan, end + 1, &bytes).kind;
        if (!single || (next != FOLD_LETTER && next != FOLD_DIGIT)) {
            return end;
        }
    }
    return 0;
}

static void take_mark(struct scan *scan, size_t bytes)
{
    if (scan->quote_end && scan->at == scan->quote_end) {
        scan->quote_end = 0;
        add(scan, TOKEN_QUOTE, scan->at, scan->at + 1);
        return;
    }
    size_t end = scan->quote_end ? 0 : closing(scan);
    add(scan, end ? TOKEN_QUOTE : TOKEN_MARK, scan->at, scan->at + bytes);
    scan->quote_end = end ? end : scan->quote_end;
}

void tokens_split(struct arena *arena, const char *question, struct tokens *out)
{
    struct scan scan = {.arena = arena, .out = out};
    *out = (struct tokens){0};
    scan.text = out->text = clean(arena, question ? question : "", &scan.size);
    while (scan.at < scan.size) {
        size_t bytes = 0;
        struct fold_char c = peek(&scan, scan.at, &bytes);
        if (c.kind == FOLD_SPACE || c.kind == FOLD_NOTHING) {
            scan.at += bytes;
        } else if (out->count == TOKENS_MAX) {
            out->cut = true;
            return;
        } else if (digit_at(&scan, scan.at)) {
            take_number(&scan);
        } else if (c.kind == FOLD_LETTER) {
            take_word(&scan);
        } else if (c.kind == FOLD_ALONE || c.kind == FOLD_DIGIT) {
            add(&scan, TOKEN_WORD, scan.at, scan.at + bytes);
        } else {
            take_mark(&scan, bytes);
        }
    }
    out->cut = question && strnlen(question, TEXT_MOST) == TEXT_MOST;
}

size_t tokens_phrase(const struct tokens *tokens, size_t at, const char *phrase)
{
    size_t count = 0;
    for (; *phrase; count++) {
        const struct token *token =
            at + count < tokens->count ? &tokens->items[at + count] : NULL;
        if (token && *token->text != *phrase) { /* nearly always */
            return 0;
        }
        size_t size = token ? strlen(token->text) : 0;
        if (size == 0 || token->quoted || strncmp(phrase, token->text, size) != 0 ||
            (phrase[size] != ' ' && phrase[size] != '\0')) {
            return 0;
        }
        phrase += size + (phrase[size] == ' ');
    }
    return count;
}
