/* Parts of a period: "before the end of 2025" is sure, "early 2026" and "at the end of 2025" are not. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/words/periods/periods_state.h"

enum part { PART_NONE, PART_START, PART_MIDDLE, PART_END };

static void choose(struct period_reader *reader, struct period_phrase *out,
                   const char *format, const char *name)
{
    const char *before = strstr(format, "$");
    VEC_PUSH(reader->arena, &out->choices,
             arena_format(reader->arena, "%.*s%s%s", (int)(before - format), format, name,
                          before + 1));
}

/* What the part may be; $ is the period. */
static void choose_all(struct period_reader *reader, enum part part,
                       const struct period_name *name, struct period_phrase *out)
{
    enum { MOST = 3 };
    static const char *const of_year[][MOST] = {
        [PART_START] = {"in January $", "in the first quarter of $",
                        "in the first half of $"},
        [PART_MIDDLE] = {"between June and July $", "between April and September $"},
        [PART_END] = {"in December $", "in the last quarter of $",
                      "in the second half of $"}};
    static const char *const of_month[][MOST] = {
        [PART_START] = {"in the first 7 days of $", "in the first 10 days of $"},
        [PART_MIDDLE] = {NULL},
        [PART_END] = {"in the last 7 days of $", "in the last 10 days of $"}};
    bool month = name->month && name->year;
    bool year = name->year && !name->month;
    for (size_t i = 0; (month || year) && i < MOST; i++) {
        const char *format = month ? of_month[part][i] : of_year[part][i];
        if (format) {
            choose(reader, out, format, name->text);
        }
    }
    choose(reader, out, name->relative ? "$" : "in $", name->text);
}

static enum part take_edge(struct period_reader *reader)
{
    static const char *const starts[] = {"start", "beginning", "begin"};
    static const char *const middles[] = {"middle"};
    static const char *const ends[] = {"end", "close"};
    (void)period_take(reader, "the");
    (void)period_take(reader, "very");
    enum part part = PERIOD_TAKE_ANY(reader, starts)    ? PART_START
                     : PERIOD_TAKE_ANY(reader, middles) ? PART_MIDDLE
                     : PERIOD_TAKE_ANY(reader, ends)    ? PART_END
                                                        : PART_NONE;
    return part && period_take(reader, "of") ? part : PART_NONE;
}

/* Up to or from which day: then the edge of a period is a day. */
static const struct {
    const char *words;
    enum part part;
    const char *plain; /* before the name of the period */
} exact[] = {
    {"since", PART_START, "since"},  {"from", PART_START, "since"},
    {"after", PART_START, "since"},  {"before", PART_START, "before"},
    {"until", PART_START, "before"}, {"till", PART_START, "before"},
    {"by", PART_START, "before"},    {"since", PART_END, "after"},
    {"after", PART_END, "after"},    {"before", PART_END, "until"},
    {"until", PART_END, "until"},    {"till", PART_END, "until"},
    {"to", PART_END, "until"},       {"through", PART_END, "until"},
    {"by", PART_END, "until"},
};

static bool take_exact(struct period_reader *reader, struct period_phrase *out)
{
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        struct period_reader try = *reader;
        struct period_name name;
        if (!period_take(&try, exact[i].words) || take_edge(&try) != exact[i].part ||
            !period_take_name(&try, false, &name)) {
            continue;
        }
        /* what has begun and lasts until now is the whole of it */
        bool now = name.relative && str_equal(exact[i].plain, "since") &&
                   str_starts(name.text, "this");
        if (name.relative && !now) {
            return false; /* read as it stands */
        }
        out->kind = PERIOD_SAME;
        out->plain =
            arena_format(reader->arena, "%s %s", now ? "in" : exact[i].plain, name.text);
        reader->at = try.at;
        return true;
    }
    return false;
}

bool period_edge(struct period_reader *reader, struct period_phrase *out)
{
    static const char *const leads[] = {"at",   "in",    "around", "towards", "toward",
                                        "near", "about", "during", "on"};
    static const char *const others[] = {"since", "from", "after",   "before", "until",
                                         "till",  "to",   "through", "by",     "up"};
    struct period_name name;
    if (take_exact(reader, out)) {
        return true;
    }
    struct period_reader try = *reader;
    if (PERIOD_TAKE_ANY(&try, others)) { /* "until the end of the month" */
        enum part part = take_edge(&try);
        if (part && part != PART_MIDDLE && period_take_name(&try, true, &name)) {
            out->kind = PERIOD_SAME;
            const struct token *items = reader->request->tokens->items;
            out->plain = arena_copy(
                reader->arena, reader->request->tokens->text + items[reader->at].start,
                items[try.at - 1].end - items[reader->at].start);
            reader->at = try.at;
            return true;
        }
        return false;
    }
    bool led = PERIOD_TAKE_ANY(&try, leads);
    enum part part = take_edge(&try);
    if (!part || !period_take_name(&try, false, &name)) {
        return false;
    }
    out->kind = PERIOD_OPEN;
    out->plain = name.relative ? name.text
                 : led         ? arena_format(reader->arena, "in %s", name.text)
                               : name.text;
    choose_all(reader, part, &name, out);
    reader->at = try.at;
    return true;
}

/* "early 2026", "mid-march 2026", "in late 2025": not "late payments". */
bool period_part(struct period_reader *reader, struct period_phrase *out)
{
    struct period_reader try = *reader;
    struct period_name name;
    bool led = period_take(&try, "in");
    enum part part = period_take(&try, "early")  ? PART_START
                     : period_take(&try, "mid")  ? PART_MIDDLE
                     : period_take(&try, "late") ? PART_END
                                                 : PART_NONE;
    if (!part) {
        return false;
    }
    (void)period_take(&try, "-");
    bool inside =
        part == PART_START && !led && period_take(&try, "in"); /* "early in 2026" */
    if (!period_take_name(&try, false, &name) ||
        (part == PART_END && name.relative && !led)) {
        return false; /* "late last month" may tell of what was late */
    }
    out->kind = PERIOD_OPEN;
    out->plain = (led || inside) && !name.relative
                     ? arena_format(reader->arena, "in %s", name.text)
                     : name.text;
    choose_all(reader, part, &name, out);
    reader->at = try.at;
    return true;
}
