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
    bool named =
        shape->label_count || shape->time != NO_COLUMN || shape->identifier != NO_COLUMN;
    size_t shown = count <= SHOWN_MOST && !cut ? count : SHOWN;
    shown = shown < rows->count ? shown : rows->count;
    const char *items[SHOWN_MOST] = {NULL};
    if (named && cut) {
        shown = name_different(telling, shape, items);
    }
    for (size_t i = 0; named && !cut && i < shown; i++) {
        items[i] = name_of(telling, shape, i);
    }
    bool all = shown == count;
    struct slots slots = {.texts = {[SLOT_COUNT] = number_count(telling, count),
                                    [SLOT_THINGS] = things_of(telling, count),
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
