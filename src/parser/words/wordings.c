/* Phrases of periods and negation, written out. */
#include "parser/words/wordings.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "parser/words/tokens.h"

enum { QUESTION_MOST = 65536, YEAR_DIGITS = 4 };

/* Words with blanks between them; `year`: one must follow, and stays. */
static const struct wording {
    const char *said;
    const char *plain;
    bool year;
} wordings[] = {
    {"no longer than", "at most", false},
    {"no longer", "not", false},
    {"year to date", "this year", false},
    {"ytd", "this year", false},
    {"quarter to date", "this quarter", false},
    {"qtd", "this quarter", false},
    {"month to date", "this month", false},
    {"mtd", "this month", false},
    {"first half of", "between january and june", true},
    {"1 st half of", "between january and june", true},
    {"second half of", "between july and december", true},
    {"2 nd half of", "between july and december", true},
    {"h 1", "between january and june", true},
    {"h 2", "between july and december", true},
    /* the network takes them for this week, and for a day of the week */
    {"within a week", "within 7 days", false},
    {"within one week", "within 7 days", false},
    {"within 1 week", "within 7 days", false},
    {"within a month", "within 30 days", false},
    {"within one month", "within 30 days", false},
    {"within 1 month", "within 30 days", false},
    {"than a week", "than one week", false},
    {"than a month", "than one month", false},
};

enum { WORDINGS = sizeof wordings / sizeof *wordings };

static bool is_year(const struct tokens *tokens, size_t at)
{
    return at < tokens->count && tokens->items[at].kind == TOKEN_NUMBER &&
           strlen(tokens->items[at].text) == YEAR_DIGITS &&
           (strncmp(tokens->items[at].text, "19", 2) == 0 ||
            strncmp(tokens->items[at].text, "20", 2) == 0);
}

/* How many tokens from here on are said so; 0: they are not. */
static size_t said_at(const struct tokens *tokens, size_t at,
                      const struct wording *wording)
{
    size_t count = tokens_phrase(tokens, at, wording->said);
    return wording->year && !is_year(tokens, at + count) ? 0 : count;
}

/* "in h1 2025", "in the first half of 2025": the words before go with it. */
static size_t start_of(const struct tokens *tokens, size_t from, size_t at)
{
    static const char *const before[] = {"the", "in", "during", "for"};
    size_t start = at;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        if (start > from && strcmp(tokens->items[start - 1].text, before[i]) == 0) {
            start--;
        }
    }
    return start;
}

const char *wordings_write_out(struct arena *arena, const struct tokens *tokens)
{
    struct buf buf;
    size_t from = 0; /* token after what was written */
    size_t text = 0; /* where its text goes on */
    buf_init(&buf, QUESTION_MOST);
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = 0; k < WORDINGS; k++) {
            size_t count = said_at(tokens, i, &wordings[k]);
            if (count) {
                size_t start = start_of(tokens, from, i);
                (void)buf_add(&buf, tokens->text + text,
                              tokens->items[start].start - text);
                (void)buf_text(&buf, wordings[k].plain);
                from = i + count;
                text = tokens->items[from - 1].end;
                i = from - 1;
                break;
            }
        }
    }
    const char *out = NULL;
    if (text) {
        (void)buf_text(&buf, tokens->text + text);
        out = arena_text(arena, buf_get(&buf));
    }
    buf_release(&buf);
    return out;
}
