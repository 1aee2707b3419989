/* What can be known about a question without a model. */
#include "agent/understand/intent_rules.h"

#include <ctype.h>
#include <string.h>

#include "agent/understand/intent_words.h"
#include "base/str.h"

/* The question's words, lower case, without punctuation. Bytes over 0x7F count as
 * letters. */
void intent_words(struct arena *arena, const char *question, struct texts *out)
{
    const char *at = question;
    while (*at && out->count < 4000) {
        size_t size = 0;
        while (isalnum((unsigned char)at[size]) || (unsigned char)at[size] >= 0x80 ||
               at[size] == '_' || (at[size] == '\'' && size)) {
            size++;
        }
        if (size) {
            VEC_PUSH(arena, out, str_lower(arena, arena_copy(arena, at, size)));
        }
        at += size ? size : 1;
    }
}

bool intent_in_list(const char *word, const char *const *list)
{
    for (; *list; list++) {
        if (word[0] == (*list)[0] && strcmp(word, *list) == 0) {
            return true;
        }
    }
    return false;
}

bool intent_any_in_list(const struct texts *words, const char *const *list)
{
    for (size_t i = 0; i < words->count; i++) {
        if (intent_in_list(words->items[i], list)) {
            return true;
        }
    }
    return false;
}

static const char *const schema_nouns[] = {"tables",  "table",    "schema", "columns",
                                           "column",  "fields",   "field",  "structure",
                                           "schemas", "database", NULL};
static const char *const schema_verbs[] = {
    "what",    "which", "list",  "show", "describe", "name",      "tell",
    "explain", "see",   "there", "have", "has",      "available", NULL};
static const char *const data_words[] = {
    "how",  "many", "much",  "count",   "average", "avg",   "sum", "total", "top",
    "per",  "each", "where", "most",    "least",   "max",   "min", "with",  "whose",
    "rows", "than", "by",    "between", "number",  "group", NULL};
static const char *const greetings[] = {"hi",  "hello",   "hey",     "thanks",  "thank",
                                        "bye", "goodbye", "morning", "evening", NULL};
static const char *const polite[] = {"you", "there", "good", "very",     "much", "again",
                                     "a",   "lot",   "all",  "dragoman", NULL};

static bool is_small_talk(const struct texts *words)
{
    bool greeting = false;
    for (size_t i = 0; i < words->count; i++) {
        if (intent_in_list(words->items[i], greetings)) {
            greeting = true;
        } else if (!intent_in_list(words->items[i], polite)) {
            return false;
        }
    }
    return greeting;
}

static bool asks_for_help(struct arena *arena, const struct texts *words)
{
    const char *text = str_join(arena, words, " ");
    static const char *const phrases[] = {
        "help",         "help me",         "what can you do", "who are you",
        "what are you", "how do you work", "what can i ask",  NULL};
    return intent_in_list(text, phrases);
}

/* Words that a question about the schema may hold besides its noun and its verb. */
static const char *const schema_fillers[] = {
    "the",  "a",       "an",     "of",      "in",      "on",    "is",       "are",
    "do",   "does",    "all",    "my",      "me",      "this",  "that",     "these",
    "its",  "it",      "your",   "our",     "we",      "you",   "i",        "can",
    "and",  "for",     "from",   "to",      "please",  "names", "types",    "every",
    "here", "contain", "inside", "stored",  "hold",    "holds", "contains", "look",
    "like", "exist",   "about",  "content", "entire",  "whole", "full",     "data",
    "kind", "kinds",   "sort",   "called",  "defined", NULL};

bool intent_is_schema_word(const char *word)
{
    return intent_in_list(word, schema_nouns) || intent_in_list(word, schema_verbs) ||
           intent_in_list(word, schema_fillers);
}

/* "what tables are there in planes?", "… in the planes database?": a name at the end. */
static bool ends_with_name(const struct texts *words)
{
    static const char *const after[] = {"database", "schema", NULL};
    size_t last = words->count - 1;
    last -= last && intent_in_list(words->items[last], after);
    return !intent_is_schema_word(words->items[last]);
}

/* "how many tables are there?", "how many columns has orders?": counted from the schema.
 */
static bool counts_schema(const struct texts *words)
{
    static const char *const nouns[] = {"tables", "columns", "fields", "views", NULL};
    static const char *const before[] = {"in",   "of",    "has", "have",
                                         "does", "table", NULL};
    size_t at = 0;
    if (words->count >= 3 && strcmp(words->items[0], "how") == 0 &&
        strcmp(words->items[1], "many") == 0) {
        at = 2;
    } else if (words->count >= 3 && strcmp(words->items[0], "number") == 0 &&
               strcmp(words->items[1], "of") == 0) {
        at = 2;
    }
    if (at == 0 || words->count > 10 || !intent_in_list(words->items[at], nouns)) {
        return false;
    }
    size_t named = 0;
    for (size_t i = at + 1; i < words->count; i++) {
        const char *last = words->items[i - 1];
        bool article = strcmp(last, "the") == 0 || named > 0; /* "order items" */
        if (intent_is_schema_word(words->items[i])) {
            continue;
        }
        if (++named > 2 || !(article || intent_in_list(last, before))) {
            return false; /* "how many tables were booked" */
        }
    }
    return true;
}

/* Whole sentences that name nothing. */
static bool asks_what_is_there(struct arena *arena, const struct texts *words)
{
    static const char *const phrases[] = {"what data do you have",
                                          "what data is there",
                                          "what data is available",
                                          "what data do we have",
                                          "what is in here",
                                          "what's in here",
                                          "what is in the database",
                                          "what's in the database",
                                          "what can i ask about",
                                          "what do you know about",
                                          "what's in it",
                                          "what is in it",
                                          "which data do you have",
                                          "what information do you have",
                                          "what information is there",
                                          "show tables",
                                          "list tables",
                                          "show me what you have",
                                          NULL};
    return intent_in_list(str_join(arena, words, " "), phrases);
}

/* "what tables are there?", "which columns does the table orders have?": made of such
 * words alone, but for a name; "the names of customers in both tables" asks for data. */
static bool asks_for_schema(const struct texts *words)
{
    static const char *const of_a_table[] = {"table", "schema", "columns",   "column",
                                             "field", "fields", "structure", NULL};
    static const char *const of_its_rows[] = {"data", "content", NULL};
    size_t others = 0;
    for (size_t i = 0; i < words->count; i++) {
        if (intent_in_list(words->items[i], data_words)) {
            return false;
        }
        others += !intent_is_schema_word(words->items[i]);
    }
    if (others && intent_any_in_list(words, of_its_rows)) {
        return false; /* "the data in the table users" */
    }
    size_t most = intent_any_in_list(words, of_a_table) ? 2
                  : ends_with_name(words)               ? 1
                                                        : 0;
    return others <= most && words->count <= 12 &&
           intent_any_in_list(words, schema_nouns) &&
           intent_any_in_list(words, schema_verbs);
}

enum intent intent_guess(struct arena *arena, const char *question)
{
    struct texts words = {0};
    intent_words(arena, question, &words);
    if (words.count == 0) {
        return INTENT_CLARIFICATION;
    }
    if (is_small_talk(&words) || asks_for_help(arena, &words) ||
        intent_is_chatter(arena, question)) {
        return INTENT_GENERAL;
    }
    bool describe = (strcmp(words.items[0], "describe") == 0 ||
                     strcmp(words.items[0], "desc") == 0) &&
                    words.count <= 5;
    return describe || asks_for_schema(&words) || counts_schema(&words) ||
                   asks_what_is_there(arena, &words)
               ? INTENT_SCHEMA_QUERY
               : INTENT_TEXT_TO_SQL;
}

const char *intent_small_talk(struct arena *arena, const char *question)
{
    struct texts words = {0};
    intent_words(arena, question, &words);
    if (words.count && is_small_talk(&words)) {
        static const char *const thanks[] = {"thanks", "thank", NULL};
        return intent_any_in_list(&words, thanks)
                   ? "You are welcome."
                   : "Hello! Ask me something about your data, for example: how many "
                     "customers are there?";
    }
    if (words.count && asks_for_help(arena, &words)) {
        return "I answer questions about your databases: ask in plain language, and I "
               "write "
               "the SQL, check that it only reads, run it and show the result. Try "
               "\"what "
               "tables are there?\" to see what can be asked about.";
    }
    return intent_chatter(arena, question);
}

static const char *const empty_words[] = {
    "show",   "me",       "list",  "get",    "give",      "display",     "find",
    "fetch",  "see",      "view",  "the",    "a",         "an",          "some",
    "please", "my",       "our",   "us",     "i",         "want",        "to",
    "need",   "can",      "you",   "could",  "would",     "like",        "for",
    "of",     "from",     "in",    "data",   "info",      "information", "details",
    "table",  "database", "stuff", "things", "something", "records",     "let",
    "and",    NULL};

bool intent_asks_change(struct arena *arena, const char *question)
{
    static const char *const before[] = {"please", "can",  "could", "you",   "now",
                                         "i",      "want", "to",    "would", "like",
                                         "then",   "go",   "and",   NULL};
    static const char *const verbs[] = {"delete", "drop",   "truncate", "update",
                                        "insert", "remove", "erase",    "wipe",
                                        "purge",  "alter",  "rename",   NULL};
    /* "drop in sales", "remove rate", "update frequency": nouns */
    static const char *const after[] = {"in",   "of",    "by",    "rate",      "rates",
                                        "per",  "is",    "are",   "frequency", "date",
                                        "time", "count", "times", "dates",     NULL};
    struct texts words = {0};
    intent_words(arena, question, &words);
    size_t at = 0;
    while (at < words.count && intent_in_list(words.items[at], before)) {
        at++;
    }
    return at + 1 < words.count && intent_in_list(words.items[at], verbs) &&
           !intent_in_list(words.items[at + 1], after);
}

static const char *const vague_times[] = {"recent", "recently", "lately", NULL};

bool intent_vague_time(struct arena *arena, const char *question)
{
    static const char *const measure[] = {"most",  "day",    "days", "week",  "weeks",
                                          "month", "months", "year", "years", NULL};
    struct texts words = {0};
    intent_words(arena, question, &words);
    return intent_any_in_list(&words, vague_times) &&
           !intent_any_in_list(&words, measure);
}

char *intent_drop_vague_time(struct arena *arena, const char *question)
{
    struct texts words = {0};
    struct texts kept = {0};
    str_split(arena, question, ' ', &words);
    for (size_t i = 0; i < words.count; i++) {
        struct texts bare = {0};
        intent_words(arena, words.items[i], &bare);
        if (!intent_any_in_list(&bare, vague_times)) {
            VEC_PUSH(arena, &kept, words.items[i]);
        }
    }
    return str_join(arena, &kept, " ");
}

bool intent_uses_clock(struct arena *arena, const char *question)
{
    static const char *const words_of_now[] = {
        "today", "yesterday", "tomorrow", "now", "current", "currently", "this",
        "last",  "past",      "next",     "ago", "recent",  "recently",  "previous",
        "since", "lately",    "ytd",      "old", "age",     NULL};
    struct texts words = {0};
    intent_words(arena, question, &words);
    return intent_any_in_list(&words, words_of_now);
}

enum clarity intent_clarity(struct arena *arena, const char *question,
                            const struct schema *schema, bool in_conversation,
                            const struct table **subject)
{
    struct texts words = {0};
    struct texts rest = {0};
    intent_words(arena, question, &words);
    for (size_t i = 0; i < words.count; i++) {
        if (!intent_in_list(words.items[i], empty_words)) {
            VEC_PUSH(arena, &rest, words.items[i]);
        }
    }
    *subject = NULL;
    if (in_conversation) {
        return CLARITY_CLEAR; /* "and the suppliers?" means what it meant before */
    }
    if (rest.count == 0) {
        return CLARITY_VAGUE;
    }
    *subject = intent_table_named(arena, schema, &rest);
    if (*subject || intent_vague_time(arena, question)) {
        return CLARITY_AMBIGUOUS;
    }
    return CLARITY_CLEAR;
}
