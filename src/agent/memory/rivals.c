/* When a lesson should hold back: the question names something else by that very word. */
#include "agent/memory/rivals.h"

#include <string.h>
#include <strings.h>

#include "knowledge/words/phrase.h"

static bool has_word(const struct phrase_words *words, const char *folded)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->items[i].folded, folded) == 0) {
            return true;
        }
    }
    return false;
}

/* How many different words of the question are in a name or in what was said for it. */
static size_t count_named(const struct phrase_words *question,
                          const struct phrase_words *name,
                          const struct phrase_words *said)
{
    size_t count = 0;
    for (size_t i = 0; i < question->count; i++) {
        const char *folded = question->items[i].folded;
        const struct phrase_words before = {question->items, i, i};
        if (!has_word(&before, folded) &&
            (has_word(name, folded) || (said && has_word(said, folded)))) {
            count++;
        }
    }
    return count;
}

static bool is_table_word(const struct phrase_words *question, size_t at)
{
    return at < question->count && question->items[at].size == strlen("table") &&
           strncasecmp(question->items[at].start, "table", strlen("table")) == 0;
}

/* "the Customers table", where there is one: no lesson may make another of it. */
static bool is_named_table(const struct run *run, const struct phrase_words *question,
                           const char *said, size_t first, size_t count)
{
    return schema_table(run_schema(run), said) &&
           ((first > 0 && is_table_word(question, first - 1)) ||
            is_table_word(question, first + count));
}

bool rivals_table(struct run *run, const struct phrase_words *question, const char *said,
                  const struct table *meant)
{
    const struct schema *schema = run_schema(run);
    struct phrase_words words;
    struct phrase_words name;
    phrase_split(run->scratch, said, &words);
    phrase_split(run->scratch, meant->bare_name, &name);
    size_t named = count_named(question, &name, &words);
    size_t first = 0;
    if (!phrase_find(question, &words, &first)) {
        return false; /* it is no word of the question that the lesson is about */
    }
    if (is_named_table(run, question, said, first, words.count)) {
        return true;
    }
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        phrase_split(run->scratch, table->bare_name, &name);
        if (table != meant && name.count > named &&
            count_named(question, &name, NULL) > named) {
            return true;
        }
    }
    return false;
}

bool rivals_column(struct run *run, const struct phrase_words *question, const char *said,
                   const struct table *meant)
{
    const struct schema *schema = run_schema(run);
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        struct phrase_words name;
        size_t first = 0;
        if (table == meant || !table_column(table, said)) {
            continue;
        }
        phrase_split(run->scratch, table->bare_name, &name);
        if (phrase_find(question, &name, &first)) {
            return true;
        }
    }
    return false;
}
