/* REFINE_TABLES: the chosen tables seen together; what is not needed goes.
 */
#include "agent/prompting.h"
#include "agent/stages/stages.h"
#include "agent/understand/understanding.h"
#include "base/str.h"

static bool refine_tables_ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    if (run->understanding.whole || run->request.corrected_tables) {
        return true; /* they were seen together already */
    }
    return prompting_ask(run, calls, "refine_tables", 0, err);
}

static bool listed(const json_t *array, const struct table *table)
{
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(array, index, item)
    {
        const char *name =
            json_is_string(item) ? json_string_value(item) : json_text_at(item, "name");
        if (str_equal_nocase(name, table->name) ||
            str_equal_nocase(name, table->bare_name)) {
            return true;
        }
    }
    return false;
}

/* "Left out: products. The question is about orders alone." */
static void note_removed(struct run *run, const struct texts *removed, const char *why)
{
    if (removed->count) {
        VEC_PUSH(run->arena, &run->understanding.reasons,
                 arena_format(run->arena, "Left out: %s.%s%s",
                              str_join(run->scratch, removed, ", "), why ? " " : "",
                              why ? why : ""));
    } else if (why) {
        VEC_PUSH(run->arena, &run->understanding.reasons, why);
    }
}

static enum event refine_tables_read(struct run *run, const struct stage_replies *replies,
                                     struct err *err)
{
    if (replies->count == 0) {
        return EVENT_DONE;
    }
    static const char *const wanted[] = {"final_tables", NULL};
    json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
    const json_t *final = json_array_at(json, "final_tables");
    if (!final) {
        if (err->code == ERR_OK) {
            (void)err_set(err, ERR_LLM_NONSENSE,
                          "The reply has no list of final tables.");
        }
        return EVENT_BAD_REPLY;
    }
    struct chosen_tables kept = {0};
    struct texts removed = {0};
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        if (listed(final, run->understanding.tables.items[i].table)) {
            VEC_PUSH(run->arena, &kept, run->understanding.tables.items[i]);
        } else {
            VEC_PUSH(run->scratch, &removed,
                     run->understanding.tables.items[i].table->name);
        }
    }
    if (kept.count) { /* a reply that drops all tables is not used */
        run->understanding.tables = kept;
        note_removed(run, &removed, prompting_words(run, json, "reasoning"));
    }
    understanding_constrain(run);
    return EVENT_DONE;
}

const struct stage stage_refine_tables = {.state = STATE_REFINE_TABLES,
                                          .ask = refine_tables_ask,
                                          .read = refine_tables_read,
                                          .optional = true};
