/* Rows of any kind: how many, and the names of the first ones. */
#include "agent/sentence/say.h"

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

void say_things(const struct telling *telling, const struct shape *all_columns)
{
    struct shape named_by = *all_columns;
    const struct shape *shape = &named_by;
    if (named_by.figure == NO_COLUMN ||
        telling->facts->columns[named_by.figure].kind == FACT_PLAIN) {
        shape_keep_name(telling, &named_by);
    }
    const struct rows *rows = telling->rows;
    size_t count = rows_given(rows);
    bool cut = rows_given_cut(rows) != ROWS_WHOLE;
    bool named =
        shape->label_count || shape->time != NO_COLUMN || shape->identifier != NO_COLUMN;
    size_t shown = count <= SHOWN_MOST && !cut ? count : SHOWN;
    shown = shown < rows->count ? shown : rows->count;
    const char *items[SHOWN_MOST] = {NULL};
    for (size_t i = 0; named && i < shown; i++) {
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
