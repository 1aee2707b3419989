/* From an answer with rows to its sentence. */
#include "agent/sentence/sentence.h"

#include "agent/run.h"
#include "agent/sentence/say.h"
#include "chart/draw.h"

const char *sentence_language(const char *codes)
{
    const struct language *language = language_find(codes);
    return language ? language->code : NULL;
}

static const struct language *language_of(const struct run *run)
{
    const struct language *language = language_find(run->question.language);
    language = language ? language : language_find(run->options->answer_language);
    return language ? language : &language_english;
}

void sentence_words(const char *codes, struct draw_words *out)
{
    const struct language *language = language_find(codes);
    language = language ? language : &language_english;
    *out = (struct draw_words){.thousands = language->thousands,
                               .decimal = language->decimal,
                               .no_value = language->phrases[PHRASE_NO_VALUE],
                               .left_out = language->left_out};
    for (size_t i = 0; i < DRAW_MONTHS; i++) {
        out->months[i] = language->months[i];
    }
    for (size_t i = 0; i < DRAW_POWERS; i++) {
        out->powers[i] = language->powers[i];
    }
}

/* Nothing was found, or nothing was counted. */
static bool is_empty(const struct rows *rows)
{
    return rows_given(rows) == 0 ||
           (rows->count == 1 && rows->column_count == 1 &&
            rows->cells[0].kind == VALUE_INT && rows->cells[0].integer == 0);
}

void sentence_note(struct run *run)
{
    struct answer *answer = &run->answer;
    const struct language *language = language_of(run);
    if (run->query.is_write && answer->rows_touched >= 0 && !answer->has_rows) {
        answer->text = say_changed(run->arena, language, (size_t)answer->rows_touched);
        return;
    }
    if (!answer->has_rows || run->query.is_write || !answer->rows.column_count) {
        return;
    }
    struct facts facts;
    facts_read(run, &facts);
    if (is_empty(&answer->rows)) {
        facts_find_end(run, &facts);
    }
    const char *text = say_result(run->scratch, language, &answer->rows, &facts);
    answer->text = arena_text(run->arena, text);
}
