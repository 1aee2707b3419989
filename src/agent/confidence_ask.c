/* The clarifying question for a weak factor. */
#include <string.h>

#include "agent/confidence.h"
#include "agent/understand/language.h"
#include "agent/understand/solving.h"
#include "agent/understand/placing/placing.h"
#include "agent/suggest/suggest.h"
#include "agent/understand/readings.h"
#include "agent/understand/understanding.h"
#include "base/str.h"
#include "knowledge/words/words.h"

enum { MOST_OTHERS = 3 };

static void offer(struct run *run, const char *value, const char *label)
{
    VEC_PUSH(run->arena, &run->answer.clarification.options,
             ((struct clarification_option){value, label}));
}

static const char *reading_of(const struct run *run)
{
    return run->answer.summary ? run->answer.summary : run_question_text(run);
}

/* The reading itself is the first option, so that "yes" is enough. */
static void offer_reading(struct run *run)
{
    offer(run, "yes",
          arena_format(run->arena, "Yes, that is what I mean: %s", reading_of(run)));
}

static bool is_used(const struct run *run, const char *table)
{
    for (size_t i = 0; i < run->answer.tables.count; i++) {
        if (str_equal_nocase(run->answer.tables.items[i], table)) {
            return true;
        }
    }
    return false;
}

/* The question names nothing of the query: asks whether it is the right table. */
static void ask_table(struct run *run)
{
    struct clarification *back = &run->answer.clarification;
    size_t count = 0;
    const struct table **tables = understanding_candidates(run, &count);
    back->message = arena_format(
        run->arena, "Which table holds what you are looking for? I would look in %s.",
        str_join(run->scratch, &run->answer.tables, " and "));
    offer_reading(run);
    for (size_t i = 0; i < count && back->options.count <= MOST_OTHERS; i++) {
        if (!is_used(run, tables[i]->name)) {
            offer(run,
                  arena_format(run->arena, "use table %s not %s", tables[i]->name,
                               str_join(run->scratch, &run->answer.tables, ", ")),
                  suggest_table_label(run->arena, tables[i], NULL));
        }
    }
}

/* Does a word of the question begin as the column's name does? */
static bool is_nearly(const char *question, const char *column)
{
    struct words words;
    struct word word;
    words_init(&words, question);
    while (words_next(&words, &word)) {
        struct words own;
        struct word part;
        words_init(&own, column);
        while (!word_is_common(word.folded) && words_next(&own, &part)) {
            if (strlen(word.folded) >= 4 && strlen(part.folded) >= 4 &&
                strncmp(word.folded, part.folded, 4) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* A name is almost matched: asks which column is meant. False if the schema has no two
 * candidates. */
static bool ask_column(struct run *run)
{
    struct clarification *back = &run->answer.clarification;
    struct texts near = {0};
    for (size_t i = 0; i < run->answer.tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), run->answer.tables.items[i]);
        for (size_t c = 0; table && c < table->columns.count; c++) {
            const char *column = table->columns.items[c].name;
            if (near.count < MOST_OTHERS && is_nearly(run->question.text, column)) {
                VEC_PUSH(run->scratch, &near,
                         arena_format(run->arena, "%s.%s", table->name, column));
            }
        }
    }
    if (near.count < 2) {
        return false;
    }
    back->message = arena_format(run->arena, "Did you mean %s?",
                                 str_join(run->scratch, &near, " or "));
    offer_reading(run);
    for (size_t i = 0; i < near.count; i++) {
        offer(run, arena_format(run->arena, "I mean the column %s", near.items[i]),
              arena_format(run->arena, "The column %s", near.items[i]));
    }
    return true;
}

/* The query does more than the question seems to ask. */
static void ask_simpler(struct run *run)
{
    struct clarification *back = &run->answer.clarification;
    const char *table = run->answer.tables.count ? run->answer.tables.items[0] : NULL;
    back->message = arena_format(
        run->arena, "The query looks at %zu tables. Is this what you mean: %s",
        run->answer.tables.count, reading_of(run));
    offer_reading(run);
    if (table) {
        offer(run, arena_format(run->arena, "only what %s itself holds", table),
              arena_format(run->arena, "Something simpler: only what %s itself holds",
                           table));
    }
}

void confidence_ask(struct run *run)
{
    const struct confidence *confidence = &run->answer.confidence;
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_DETAIL};
    bool by_model = !solving_alone(run) && language_is_foreign(run->question.text);
    if (run->understanding.clarity != CLARITY_CLEAR || by_model) {
        return; /* which rows, which time: ASK_CLARIFICATION knows, or a model asks */
    }
    if (placing_ask_again(run)) {
        return;
    }
    if (confidence->schema_match < 0.1) {
        ask_table(run);
    } else if (confidence->schema_match < 0.2 && ask_column(run)) {
        return;
    } else if (confidence->complexity < 0.2) {
        ask_simpler(run);
    } else {
        back->message = arena_format(
            run->arena, "I am not sure that I understood. Is this what you mean: %s",
            reading_of(run));
        offer_reading(run);
        for (size_t i = 1; i < run->understanding.readings.count && i <= MOST_OTHERS;
             i++) {
            const struct run_reading *readings = run->understanding.readings.items;
            offer(
                run, readings[i].words,
                readings_option(run->arena, back, readings[i].words, readings[0].words));
        }
    }
}
