/* Rows of any kind: how many, and the names of the first ones. */
#include "agent/sentence/say.h"
#include "base/str.h"

enum { SHOWN = 3, SHOWN_MOST = 5 };

static const char *name_of(const struct telling *telling, const struct shape *shape,
                           size_t row)
{
    const char *name = shape_name(telling, shape, row);
    bool plain = shape->figure == NO_COLUMN ||
                 telling->facts->columns[shape->figure].kind == FACT_PLAIN;
    if (plain) {
        return name;
    }
    const struct value *value = rows_cell(telling->rows, row, shape->figure);
    bool text = value->kind != VALUE_INT && value->kind != VALUE_REAL &&
                value->kind != VALUE_NUMBER;
    if (value->kind == VALUE_NULL) { /* it has brackets of its own */
        return arena_format(telling->arena, "%s %s", name, cell_text(telling, value));
    }
    struct slots slots = {
        .texts = {[SLOT_NAME] = name,
                  [SLOT_VALUE] =
                      text ? cell_text(telling, value)
                           : number_cell(telling, row, shape->figure, NUMBER_EXACT)}};
    return say_text(telling, PHRASE_VALUE_OF, &slots);
}

static const char *things_of(const struct telling *telling, size_t count)
{
    const struct facts *facts = telling->facts;
    if (count == 1) {
        return facts->thing ? facts->thing : telling->language->phrases[PHRASE_ROW];
    }
    if (facts->distinct && telling->rows->column_count == 1) {
        struct slots slots = {.texts = {[SLOT_MEASURE] = cell_heading(telling, 0)}};
        return say_text(telling, PHRASE_DIFFERENT, &slots);
    }
    return facts->things ? facts->things : telling->language->phrases[PHRASE_ROWS];
}

/* Do the names tell the rows apart? A property, "played", may not stand for a thing. */
static bool names_hold(const struct telling *telling, const struct shape *shape,
                       size_t shown)
{
    const struct rows *rows = telling->rows;
    bool groups = shape->figure != NO_COLUMN &&
                  telling->facts->columns[shape->figure].kind != FACT_PLAIN;
    size_t looked = groups || shape_has_name(telling, shape) ? shown : rows->count;
    looked = looked < RANKED_MOST ? looked : RANKED_MOST;
    for (size_t i = 0; i < shown; i++) {
        for (size_t k = i + 1; k < looked; k++) {
            if (shape_same_name(telling, shape, i, k) &&
                str_equal(name_of(telling, shape, i), name_of(telling, shape, k))) {
                return false;
            }
        }
        if (!groups && !telling->facts->distinct && shape->label_count == 1 &&
            rows_cell(rows, i, shape->labels[0])->kind == VALUE_NULL) {
            return false;
        }
    }
    return true;
}

/* Names, or numbers, or nothing. */
static bool choose_names(const struct telling *telling, struct shape *shape, size_t shown)
{
    bool named =
        shape->label_count || shape->time != NO_COLUMN || shape->identifier != NO_COLUMN;
    if (!named || names_hold(telling, shape, shown)) {
        return named;
    }
    shape->label_count = 0;
    shape->time = NO_COLUMN;
    return shape->identifier != NO_COLUMN && names_hold(telling, shape, shown);
}

/* "3 plays (author)", if the list says something else than the names of the plays. */
static const char *told_by(const struct telling *telling, const struct shape *shape,
                           const char *things)
{
    size_t column = shape->label_count ? shape->labels[0] : shape->time;
    if (!telling->facts->things || telling->facts->distinct || column == NO_COLUMN ||
        shape->label_count > 1 || shape_has_name(telling, shape)) {
        return things;
    }
    const char *heading = cell_heading(telling, column);
    const char *thing = telling->facts->thing ? telling->facts->thing : things;
    bool plain = str_contains_nocase(thing, heading) ||
                 str_contains_nocase(heading, thing); /* panel models: model */
    return plain ? things : arena_format(telling->arena, "%s (%s)", things, heading);
}

/* "Among them" a name once is enough. */
static size_t name_different(const struct telling *telling, const struct shape *shape,
                             const char **items)
{
    enum { LOOKED_AT = 20 };
    size_t found = 0;
    for (size_t i = 0; i < telling->rows->count && i < LOOKED_AT && found < SHOWN; i++) {
        const char *name = name_of(telling, shape, i);
        bool again = false;
        for (size_t k = 0; k < found; k++) {
            again = again || str_equal(items[k], name);
        }
        if (!again) {
            items[found++] = name;
        }
    }
    return found;
}

void say_things(const struct telling *telling, const struct shape *shape)
{
    struct shape named_by = *shape;
    if (named_by.figure == NO_COLUMN ||
        telling->facts->columns[named_by.figure].kind == FACT_PLAIN) {
        shape_keep_name(telling, &named_by);
    }
    shape = &named_by;
    const struct rows *rows = telling->rows;
    size_t count = rows_given(rows);
    bool cut = rows_given_cut(rows) != ROWS_WHOLE;
    size_t shown = count <= SHOWN_MOST && !cut ? count : SHOWN;
    shown = shown < rows->count ? shown : rows->count;
    bool named = choose_names(telling, &named_by, cut ? 0 : shown);
    const char *items[SHOWN_MOST] = {NULL};
    if (named && cut) {
        shown = name_different(telling, shape, items);
    }
    for (size_t i = 0; named && !cut && i < shown; i++) {
        items[i] = name_of(telling, shape, i);
    }
    bool all = shown == count;
    const char *things = things_of(telling, count);
    things = named ? told_by(telling, shape, things) : things;
    struct slots slots = {.texts = {[SLOT_COUNT] = number_count(telling, count),
                                    [SLOT_THINGS] = things,
                                    [SLOT_MORE] = number_count(telling, count - shown)}};
    if (named && (all || cut)) {
        slots.texts[SLOT_LIST] = say_list(telling, items, shown);
    } else if (named) {
        for (size_t i = 0; i < shown; i++) {
            const char *so_far = slots.texts[SLOT_LIST];
            slots.texts[SLOT_LIST] =
                so_far ? arena_format(telling->arena, "%s%s%s", so_far,
                                      telling->language->phrases[PHRASE_COMMA], items[i])
                       : items[i];
        }
    }
    say(telling,
        !named ? cut ? PHRASE_LIST_BARE_CUT : PHRASE_LIST_BARE
        : cut  ? PHRASE_LIST_CUT
        : all  ? PHRASE_LIST
               : PHRASE_LIST_MORE,
        &slots);
}
