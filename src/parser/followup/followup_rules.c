/* The rules of the follow-ups: what words, in which order, change what. */
#include "base/arena.h"
#include "parser/followup/followup_state.h"

static bool keep_value(struct followup *followup)
{
    return followup_filter_value(followup, false);
}

static bool leave_value(struct followup *followup)
{
    return followup_filter_value(followup, true);
}

static bool keep_period(struct followup *followup)
{
    return followup_filter_period(followup, false);
}

static bool leave_period(struct followup *followup)
{
    return followup_filter_period(followup, true);
}

static bool no_repeats(struct followup *followup)
{
    followup->query->distinct = true;
    return followup->query->group.count == 0;
}

/* A chart shows the same rows. */
static bool show_again(struct followup *followup)
{
    followup->certain = true;
    return true;
}

enum { STEPS_MOST = 6, NAMED_MOST = 4 };

struct step {
    enum slot slot;
    enum sense sense;
};

/* clang-format off */
#define IS(name) {SLOT_SENSE, SENSE_##name}
#define COLUMN {SLOT_COLUMN, SENSE_OPEN}
#define TABLE {SLOT_TABLE, SENSE_OPEN}
#define VALUE {SLOT_VALUE, SENSE_OPEN}
#define NUMBER {SLOT_NUMBER, SENSE_OPEN}
#define PERIOD {SLOT_PERIOD, SENSE_OPEN}
#define UNIT {SLOT_UNIT, SENSE_OPEN}
#define EVERY {SLOT_EVERY, SENSE_OPEN}
#define FIGURE {SLOT_FIGURE, SENSE_OPEN}
#define COMPARE {SLOT_COMPARE, SENSE_OPEN}
#define WHEN {SLOT_WHEN, SENSE_OPEN}
#define DIRECTION {SLOT_DIRECTION, SENSE_OPEN}

/* The rule that takes the most words is used; of equal ones the first. */
static const struct rule {
    struct step steps[STEPS_MOST];
    bool (*edit)(struct followup *followup);
} rules[] = {
    {{IS(NOT), PERIOD}, leave_period},
    {{IS(NOT), VALUE}, leave_value},
    {{IS(NOT), COLUMN, VALUE}, leave_value},
    {{COLUMN, IS(NOT), VALUE}, leave_value},
    {{COLUMN, VALUE}, keep_value},
    {{VALUE, COLUMN}, keep_value},
    {{VALUE, IS(OR), VALUE}, followup_filter_values},
    {{VALUE, IS(OR), VALUE, IS(OR), VALUE}, followup_filter_values},
    {{VALUE}, keep_value},
    {{VALUE, TABLE}, keep_value},
    {{TABLE, VALUE}, keep_value},
    {{IS(NOT), VALUE, TABLE}, leave_value},
    {{IS(NOT), TABLE, VALUE}, leave_value},
    {{IS(WITH), TABLE}, followup_with},
    {{IS(NOT), TABLE}, followup_without},
    {{IS(WITH), IS(ANY)}, followup_with},
    {{IS(NOT), IS(ANY)}, followup_without},

    {{WHEN, PERIOD}, keep_period},
    {{IS(ONLY), PERIOD}, keep_period},
    {{PERIOD, IS(ONLY)}, keep_period},
    {{PERIOD}, keep_period},
    {{PERIOD, IS(OR), PERIOD}, followup_filter_periods},
    {{COLUMN, PERIOD}, followup_filter_dated},
    {{COLUMN, WHEN, PERIOD}, followup_filter_dated},

    {{IS(WEEKENDS)}, followup_weekdays},
    {{IS(WORKDAYS)}, followup_weekdays},
    {{IS(SUNDAYS)}, followup_weekdays},
    {{IS(MONDAYS)}, followup_weekdays},
    {{IS(TUESDAYS)}, followup_weekdays},
    {{IS(WEDNESDAYS)}, followup_weekdays},
    {{IS(THURSDAYS)}, followup_weekdays},
    {{IS(FRIDAYS)}, followup_weekdays},
    {{IS(SATURDAYS)}, followup_weekdays},
    {{IS(NOT), IS(WEEKENDS)}, followup_not_weekdays},

    {{COLUMN, COMPARE, NUMBER}, followup_filter_compare},
    {{COMPARE, NUMBER, COLUMN}, followup_filter_compare},
    {{COMPARE, NUMBER}, followup_filter_compare},
    {{NUMBER, IS(OR_MORE)}, followup_filter_compare},
    {{NUMBER, IS(OR_LESS)}, followup_filter_compare},
    {{NUMBER, COLUMN, IS(OR_MORE)}, followup_filter_compare},
    {{NUMBER, COLUMN, IS(OR_LESS)}, followup_filter_compare},
    {{COLUMN, IS(BETWEEN), NUMBER, IS(OR), NUMBER}, followup_filter_between},
    {{IS(BETWEEN), NUMBER, IS(OR), NUMBER}, followup_filter_between},

    {{IS(SORT), DIRECTION}, followup_direction},
    {{DIRECTION}, followup_direction},

    {{FIGURE, COLUMN}, followup_figure},
    {{FIGURE}, followup_figure},

    {{IS(BY), UNIT}, followup_group},
    {{EVERY}, followup_group},
    {{IS(BY), TABLE}, followup_group},
    {{IS(BY), COLUMN}, followup_group},

    {{IS(SORT), IS(BY), IS(TIME)}, followup_sort},
    {{IS(SORT), IS(BY), IS(TIME), DIRECTION}, followup_sort},
    {{IS(SORT), IS(BY), UNIT}, followup_sort},
    {{IS(SORT), IS(BY), UNIT, DIRECTION}, followup_sort},
    {{IS(SORT), IS(BY), FIGURE}, followup_sort},
    {{IS(SORT), IS(BY), FIGURE, DIRECTION}, followup_sort},
    {{IS(SORT), IS(BY), COLUMN}, followup_sort},
    {{IS(SORT), IS(BY), COLUMN, DIRECTION}, followup_sort},
    {{IS(SORT), DIRECTION, IS(BY), COLUMN}, followup_sort},
    {{IS(SORT), COLUMN}, followup_sort},
    {{IS(BY), COLUMN, DIRECTION}, followup_sort},
    {{IS(REVERSE)}, followup_reverse},
    {{IS(SORT), IS(REVERSE)}, followup_reverse},
    {{IS(ALPHABETICAL)}, followup_alphabetical},
    {{IS(SORT), IS(ALPHABETICAL)}, followup_alphabetical},

    {{IS(TOP), NUMBER}, followup_top},
    {{IS(TOP), NUMBER, IS(BY), COLUMN}, followup_top},
    {{IS(TOP), NUMBER, IS(BY), FIGURE}, followup_top},
    {{NUMBER, IS(TOP)}, followup_top},
    {{IS(ONLY), IS(TOP)}, followup_top},
    {{IS(ONLY), IS(TOP), NUMBER}, followup_top},
    {{IS(ONLY), IS(TOP), NUMBER, IS(BY), COLUMN}, followup_top},
    {{IS(ONLY), IS(BOTTOM), NUMBER}, followup_bottom},
    {{IS(BOTTOM), NUMBER}, followup_bottom},
    {{IS(BOTTOM), NUMBER, IS(BY), COLUMN}, followup_bottom},
    {{IS(LIMIT), NUMBER}, followup_limit},
    {{IS(ONLY), NUMBER}, followup_limit},
    {{IS(SHOW), NUMBER}, followup_limit},
    {{IS(NEXT), NUMBER}, followup_next},
    {{NUMBER, IS(ONLY)}, followup_limit},
    {{IS(ALL)}, followup_no_limit},

    {{COLUMN}, followup_columns_add},
    {{IS(WHAT_THEY), COLUMN}, followup_columns_add},
    {{COLUMN, IS(NUMBERED)}, followup_columns_add},
    {{IS(ALSO), COLUMN, IS(NUMBERED)}, followup_columns_add},
    {{COLUMN, IS(OR), COLUMN}, followup_columns_add},
    {{COLUMN, IS(OR), COLUMN, IS(OR), COLUMN}, followup_columns_add},
    {{IS(ALSO), COLUMN}, followup_columns_add},
    {{IS(WITH), COLUMN}, followup_columns_add},
    {{IS(ONLY), COLUMN}, followup_columns_only},
    {{IS(ONLY), COLUMN, IS(OR), COLUMN}, followup_columns_only},
    {{IS(NOT), COLUMN}, followup_columns_drop},
    {{IS(NOT), IS(MISSING), COLUMN}, followup_filter_known},
    {{IS(NOT), COLUMN, IS(MISSING)}, followup_filter_known},
    {{IS(CHART)}, show_again},

    {{IS(WHO)}, followup_rows},
    {{IS(WHO_OF), COLUMN}, followup_filter_done},
    {{IS(WHICH), TABLE}, followup_which},
    {{IS(PERCENT)}, followup_share},
    {{IS(DISTINCT)}, no_repeats},
};
/* clang-format on */

/* Words that may stand between the parts of a rule. */
static size_t skip(struct followup *followup, size_t at)
{
    static const enum sense senses[] = {SENSE_GLUE, SENSE_PRONOUN};
    size_t end = 0;
    for (size_t i = 0; i < sizeof senses / sizeof *senses; i++) {
        size_t next = followup_sense(followup, senses[i], at);
        end = next > end ? next : end;
    }
    size_t after = 0;
    int table = end ? -1 : followup_table(followup, at, &after);
    return table >= 0 && followup_uses_table(followup, table) ? after : end;
}

static bool catch_step(struct followup *followup, const struct step *step, size_t at,
                       struct caught *caught)
{
    if (step->slot != SLOT_SENSE) {
        return followup_catch(followup, step->slot, at, caught);
    }
    *caught = (struct caught){.slot = SLOT_SENSE, .first = at};
    caught->end = followup_sense(followup, step->sense, at);
    return caught->end > 0;
}

/* Where the rule ends; 0: it does not fit here. What it catches is left in `caught`. */
static size_t match(struct followup *followup, const struct rule *rule, size_t at)
{
    followup->caught_count = 0;
    for (size_t i = 0; i < STEPS_MOST && rule->steps[i].slot != SLOT_END; i++) {
        struct caught *caught = &followup->caught[i];
        while (!catch_step(followup, &rule->steps[i], at, caught)) {
            size_t next = i ? skip(followup, at) : 0;
            if (next == 0) {
                return 0;
            }
            at = next;
        }
        at = caught->end;
        followup->caught_count++;
    }
    return at;
}

static const struct rule *best_rule(struct followup *followup, size_t at, size_t *end)
{
    const struct rule *best = NULL;
    *end = 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        size_t next = match(followup, &rules[i], at);
        if (next > *end) {
            *end = next;
            best = &rules[i];
        }
    }
    return best;
}

/* Words that change nothing by themselves. */
static size_t pass(struct followup *followup, size_t at)
{
    static const enum sense senses[] = {SENSE_OPEN, SENSE_PRONOUN, SENSE_ONLY, SENSE_ALSO,
                                        SENSE_SHOW, SENSE_WITH,    SENSE_GLUE};
    size_t end = 0;
    for (size_t i = 0; i < sizeof senses / sizeof *senses; i++) {
        size_t next = followup_sense(followup, senses[i], at);
        end = next > end ? next : end;
    }
    return end ? end : followup_is_empty_word(followup, at) ? at + 1 : 0;
}

static void note_rule(struct followup *followup, const struct rule *rule)
{
    followup->edits++;
    followup->groups += rule->edit == followup_group;
    followup->which += rule->edit == followup_which;
    followup->dated += rule->edit == followup_filter_dated;
    followup->limits += rule->edit == followup_next || rule->edit == followup_top ||
                        rule->edit == followup_bottom || rule->edit == followup_limit;
    for (size_t i = 0; i < followup->caught_count; i++) {
        const struct caught *caught = &followup->caught[i];
        followup->slots[caught->slot]++;
        followup->words += caught->end - caught->first;
    }
}

/* "No, sorry, I meant": how far such words go. */
static size_t opening(struct followup *followup)
{
    size_t at = 0;
    for (size_t next = 0; (next = followup_sense(followup, SENSE_CORRECTING, at));) {
        at = next;
    }
    return at;
}

bool followup_apply(struct followup *followup)
{
    size_t at = followup->opening = opening(followup);
    int named[NAMED_MOST] = {0};
    while (at < followup->features.tokens.count) {
        size_t end = 0;
        const struct rule *rule = best_rule(followup, at, &end);
        if (rule) {
            (void)match(followup, rule, at);
            if (!rule->edit(followup)) {
                return false;
            }
            note_rule(followup, rule);
            at = end;
            continue;
        }
        end = pass(followup, at);
        int table = end ? -1 : followup_table(followup, at, &end);
        if (table >= 0) {
            named[followup->named_tables++ % NAMED_MOST] = table;
        } else if (end == 0) {
            followup->strange_words++;
            end = at + 1;
        }
        at = end;
    }
    for (size_t i = 0; i < followup->named_tables && i < NAMED_MOST; i++) {
        followup->strange_words += !followup_uses_table(followup, named[i]);
    }
    return followup->edits > 0;
}
