/* The scores of a case's answers, one line for each step with a score and expected rows. */
#include "cases/scores.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"

static bool expects_rows(const struct case_step *step)
{
    for (size_t i = 0; i < step->lines.count; i++) {
        if (strcmp(step->lines.items[i].key, "rows") == 0) {
            return true;
        }
    }
    return false;
}

void scores_print(const struct case_file *file, const struct played *played)
{
    for (size_t i = 0; i < file->steps.count; i++) {
        const struct case_step *step = &file->steps.items[i];
        const json_t *answer = played[i].answer;
        const json_t *confidence = json_object_get(answer, "confidence");
        const char *brain = json_text_at(answer, "brain");
        if (!confidence || !brain || !expects_rows(step)) {
            continue;
        }
        (void)printf("%s:%d\t%s\t%.4f\t%s\t%zu\t%zu\t%zu\t", file->path, step->number,
                     brain, json_real_at(confidence, "score", 0),
                     json_text_at(confidence, "label"),
                     json_array_size(json_array_at(answer, "unplaced")),
                     json_array_size(json_array_at(answer, "assumptions")),
                     json_array_size(json_array_at(answer, "warnings")));
        for (const char *c = step->text; *c; c++) {
            (void)putchar(*c == '\n' || *c == '\t' ? ' ' : *c);
        }
        (void)putchar('\n');
    }
}
