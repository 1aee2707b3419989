/* What a question names of a schema, and whether it is whole. */
#include <string.h>
#include <strings.h>

#include "agent/understand/intent_rules.h"
#include "agent/understand/intent_words.h"
#include "base/str.h"

/* Same word, give or take a plural. */
static bool same_word(const char *a, const char *b)
{
    if (str_equal_nocase(a, b)) {
        return true;
    }
    size_t m = strlen(a);
    size_t n = strlen(b);
    if (m > n) {
        return same_word(b, a);
    }
    if (n == m + 1 && (b[m] == 's' || b[m] == 'S') && str_starts_nocase(b, a)) {
        return true;
    }
    if (n == m + 2 && str_ends_nocase(b, "es") && str_starts_nocase(b, a)) {
        return true;
    }
    return n == m + 2 && str_ends_nocase(b, "ies") && str_ends_nocase(a, "y") && m > 1 &&
           strncasecmp(a, b, m - 1) == 0;
}

/* The names of tables go before what a dictionary calls them. */
static const struct table *intent_table_called(const struct schema *schema,
                                               const char *words)
{
    for (size_t i = 0; schema && i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        for (size_t k = 0; k < table->synonyms.count; k++) {
            if (same_word(words, table->synonyms.items[k])) {
                return table;
            }
        }
    }
    return NULL;
}

/* "order items" also names order_items. */
const struct table *intent_table_named(struct arena *arena, const struct schema *schema,
                                       const struct texts *words)
{
    const char *joined = str_join(arena, words, "_");
    for (size_t i = 0; schema && i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        if (same_word(joined, table->bare_name)) {
            return table;
        }
    }
    return intent_table_called(schema, str_join(arena, words, " "));
}

static bool texts_hold(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal_nocase(texts->items[i], text)) {
            return true;
        }
    }
    return false;
}

void intent_tables(struct arena *arena, const char *text, const struct schema *schema,
                   struct texts *out)
{
    struct texts words = {0};
    intent_words(arena, text, &words);
    for (size_t i = 0; i < words.count; i++) {
        for (size_t size = 3; size > 0; size--) { /* "order items" names no orders */
            struct texts some = {words.items + i, size, size};
            const struct table *table =
                i + size <= words.count ? intent_table_named(arena, schema, &some) : NULL;
            if (table && !texts_hold(out, table->name)) {
                VEC_PUSH(arena, out, table->name);
            }
            if (table) {
                i += size - 1;
                break;
            }
        }
    }
}

bool intent_names_table(struct arena *arena, const char *text,
                        const struct schema *schema)
{
    struct texts named = {0};
    intent_tables(arena, text, schema, &named);
    return named.count > 0;
}

bool intent_refers_back(struct arena *arena, const char *question)
{
    static const char *const starts[] = {"and",  "or",   "but",     "only", "just", "now",
                                         "also", "then", "instead", "same", "not",  NULL};
    static const char *const back[] = {"those", "these",   "them",  "they",     "their",
                                       "it",    "its",     "that",  "ones",     "him",
                                       "her",   "instead", "again", "previous", NULL};
    struct texts words = {0};
    intent_words(arena, question, &words);
    return words.count == 0 || intent_in_list(words.items[0], starts) ||
           intent_any_in_list(&words, back);
}

bool intent_leans(struct arena *arena, const char *question, const struct schema *schema)
{
    return intent_refers_back(arena, question) ||
           !intent_names_table(arena, question, schema);
}

bool intent_off_topic(struct arena *arena, const char *question)
{
    static const char *const topics[] = {
        "weather", "forecast",  "recipe", "recipes",   "joke",       "jokes",
        "poem",    "song",      "story",  "capital",   "translate",  "translation",
        "news",    "horoscope", "lyrics", "president", "philosophy", "essay",
        "haiku",   "riddle",    NULL};
    struct texts words = {0};
    intent_words(arena, question, &words);
    return intent_any_in_list(&words, topics);
}

/* "how many orders came in?", "list the customers of Rome": a form that no answer to a
 * question back has. */
bool intent_is_full(struct arena *arena, const char *text)
{
    static const char *const asking[] = {
        "how", "what", "which", "who", "whose", "where", "when", "why",    "is",
        "are", "do",   "does",  "did", "has",   "have",  "can",  "what's", NULL};
    static const char *const telling[] = {"show", "list", "count",   "give",     "find",
                                          "tell", "get",  "display", "describe", NULL};
    static const char *const before[] = {"please", "ok",   "okay", "now", "so",
                                         "well",   "then", "but",  "and", NULL};
    struct texts words = {0};
    intent_words(arena, text, &words);
    size_t at = 0;
    while (at < words.count && intent_in_list(words.items[at], before)) {
        at++;
    }
    if (words.count < at + 3) {
        return false;
    }
    const char *first = words.items[at];
    bool mark = str_ends(str_trim(arena, text), "?");
    /* "how many of them": a mark or a command makes it a whole question */
    return intent_in_list(first, telling) ||
           (intent_in_list(first, asking) && (mark || words.count >= at + 4));
}
