/*
 * The table of forms: the same value as each dialect writes it. A form is SQL of its
 * dialect with places (_x, _d …); reading matches a tree against the forms of one dialect,
 * writing fills the places of another's.
 */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "sql/dialects/translate.h"
#include "sql/statement.h"
#include "sql/tree/parse/parse.h"

static const struct form_row {
    const char *name;
    const char *forms[DIALECT_COUNT];
} rows[] = {
#define FORM(name, ...) {name, {__VA_ARGS__}},
#include "sql/dialects/forms.def"
#undef FORM
};

enum { ROWS = sizeof rows / sizeof *rows, PLACES = 8, NAME_BYTES = 64, WRITE_ONLY = '>' };

/* One way to write a row in the dialect that is read, and the row. */
struct form {
    const struct form_row *row;
    struct sql_node *pattern;
    bool first; /* how we would write it, too */
};

struct forms {
    struct form *items;
    size_t count;
    size_t capacity;
};

static struct sql_node *read_form(struct arena *arena, enum dialect dialect,
                                  const char *form, size_t size)
{
    struct sql_parsed parsed;
    bool marked = *form == WRITE_ONLY;
    const char *sql =
        arena_format(arena, "SELECT %.*s", (int)(size - marked), form + marked);
    sql_parse(arena, dialect, sql, strlen(sql), &parsed);
    if (!parsed.root) {
        return NULL;
    }
    struct sql_node *select = parsed.root->children[QUERY_BODY];
    return select->children[SELECT_ITEMS]->children[0]->children[SINGLE_VALUE];
}

/* Forms of one dialect are separated by ';'. */
static const char *next_form(const char *forms, size_t *size)
{
    forms += strspn(forms, "; ");
    *size = strcspn(forms, ";");
    return *size ? forms : NULL;
}

/* A form that begins with a call, f(…), can only match where the statement calls f. The
 * others, which are few, may match anywhere. */
static bool may_match(const char *form, size_t size, const char *statement, char *name)
{
    size_t length = 0;
    while (length < size && length < NAME_BYTES - 1 &&
           (isalnum((unsigned char)form[length]) || form[length] == '_')) {
        name[length] = form[length];
        length++;
    }
    name[length] = '\0';
    bool call = length && length < size && form[length] == '(' &&
                !str_equal_nocase(name, "cast") && !str_equal_nocase(name, "extract");
    return !call || str_contains_nocase(statement, name);
}

struct forms *forms_load(struct translation *translation)
{
    struct forms *all = ARENA_NEW(translation->arena, struct forms);
    const char *statement =
        sql_statement_print(translation->arena, translation->from, translation->root);
    char name[NAME_BYTES];
    for (size_t i = 0; i < ROWS; i++) {
        const char *at = rows[i].forms[translation->from];
        size_t size = 0;
        for (bool first = true; at && (at = next_form(at, &size)); at += size) {
            struct form form = {.row = &rows[i], .first = first};
            form.pattern =
                *at == WRITE_ONLY || !may_match(at, size, statement, name)
                    ? NULL
                    : read_form(translation->arena, translation->from, at, size);
            if (form.pattern) {
                VEC_PUSH(translation->arena, all, form);
            }
            first = false;
        }
    }
    return all;
}

/* ------------------------------------------------------------------ matching */

struct places {
    struct sql_node *at[PLACES];
};

/* The number of a place; -1: an ordinary node. */
static int place_of(const struct sql_node *node)
{
    static const char letters[] = "xyzwdens"; /* any: x y z w; dates: d e; number; text */
    if (node->kind != SQL_COLUMN || node->count != 1) {
        return -1;
    }
    const char *name = node->children[0]->text;
    const char *letter =
        name[0] == '_' && name[1] && !name[2] ? strchr(letters, name[1]) : NULL;
    return letter ? (int)(letter - letters) : -1;
}

static bool place_takes(int place, const struct sql_node *node)
{
    if (place == 6) {
        return node->kind == SQL_NUMBER && !strchr(node->text, '.') &&
               strcmp(node->text, "0") != 0;
    }
    return place != 7 || node->kind == SQL_STRING;
}

static bool same_text(const struct sql_node *a, const struct sql_node *b)
{
    if (!a->text || !b->text) {
        return a->text == b->text;
    }
    bool exact = a->kind == SQL_STRING && strchr(a->text, '%');
    return exact ? str_equal(a->text, b->text) : str_equal_nocase(a->text, b->text);
}

static bool match(const struct sql_node *pattern, struct sql_node *node,
                  struct places *places, bool top)
{
    if (!pattern || !node) {
        return pattern == node;
    }
    int place = place_of(pattern);
    if (place >= 0) {
        if (!place_takes(place, node) ||
            (places->at[place] && !sql_equal(places->at[place], node))) {
            return false;
        }
        places->at[place] = node;
        return true;
    }
    if (pattern->kind != node->kind || pattern->flags != node->flags ||
        pattern->variant != node->variant || pattern->count != node->count ||
        !same_text(pattern, node)) {
        return false;
    }
    for (size_t i = 0; i < pattern->count; i++) {
        bool carried =
            top && node->kind == SQL_CALL && (i == CALL_FILTER || i == CALL_OVER);
        if (!carried && !match(pattern->children[i], node->children[i], places, false)) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ writing */

static struct sql_node *fill(struct translation *translation, struct sql_node *node,
                             const struct places *places)
{
    if (!node) {
        return NULL;
    }
    int place = place_of(node);
    if (place >= 0) {
        return sql_clone(translation->arena, places->at[place]);
    }
    for (size_t i = 0; i < node->count; i++) {
        node->children[i] = fill(translation, node->children[i], places);
    }
    return node;
}

static struct sql_node *write_row(struct translation *translation,
                                  const struct form_row *row, const struct places *places)
{
    size_t size = 0;
    const char *form = row->forms[translation->to];
    form = form ? next_form(form, &size) : NULL;
    struct sql_node *written =
        form ? read_form(translation->arena, translation->to, form, size) : NULL;
    return written ? fill(translation, written, places) : NULL;
}

/* FILTER and OVER stand behind any aggregate; a value that is no call cannot have them. */
static bool carry(struct sql_node *from, struct sql_node *to)
{
    if (from->kind != SQL_CALL ||
        (!from->children[CALL_FILTER] && !from->children[CALL_OVER])) {
        return true;
    }
    if (to->kind != SQL_CALL) {
        return false;
    }
    to->children[CALL_FILTER] = from->children[CALL_FILTER];
    to->children[CALL_OVER] = from->children[CALL_OVER];
    return true;
}

static bool dates_fit(struct translation *translation, const struct places *places)
{
    for (int place = 4; place <= 5; place++) {
        if (places->at[place] && !class_is_date(translation, places->at[place])) {
            return false;
        }
    }
    return true;
}

static struct sql_node *apply(struct translation *translation, const struct form *form,
                              struct sql_node *node, struct places *places)
{
    if (!form->row->forms[translation->to]) {
        return translate_refuse(translation,
                                arena_format(translation->arena, "%s has no %s",
                                             dialect_get(translation->to)->title,
                                             node_title(translation, node)));
    }
    if (!dates_fit(translation, places)) {
        return translate_refuse(translation, "what is used as a date is none");
    }
    const char *was = arena_text(translation->arena, node_title(translation, node));
    for (size_t i = 0; i < PLACES; i++) {
        places->at[i] = translate_node(translation, places->at[i]);
        bool day = (i == 4 || i == 5) && sql_is(places->at[i], SQL_STRING);
        if (day && translate_to(translation, "p")) { /* it would not know which type */
            places->at[i] =
                make_cast(translation, places->at[i],
                          strlen(places->at[i]->text) == 10 ? "date" : "timestamp");
        }
    }
    if (node->kind == SQL_CALL) {
        node->children[CALL_FILTER] =
            translate_node(translation, node->children[CALL_FILTER]);
        node->children[CALL_OVER] =
            translate_node(translation, node->children[CALL_OVER]);
    }
    struct sql_node *made = write_row(translation, form->row, places);
    if (!made || !carry(node, made)) {
        return translate_refuse(translation, "a form could not be written");
    }
    const char *now = node_title(translation, made);
    if (!str_equal_nocase(was, now)) {
        translate_note(translation, was, now);
    }
    return made;
}

struct sql_node *forms_apply(struct translation *translation, struct sql_node *node)
{
    const struct forms *forms = translation->forms;
    for (size_t i = 0; i < forms->count; i++) {
        struct places places = {0};
        if (match(forms->items[i].pattern, node, &places, true)) {
            if (forms->items[i].first && translation->from == translation->to) {
                return NULL; /* it is as it should be */
            }
            return apply(translation, &forms->items[i], node, &places);
        }
    }
    return NULL;
}

struct sql_node *forms_make(struct translation *translation, const char *name,
                            struct sql_node *first, struct sql_node *second)
{
    struct places places = {.at = {first, second}};
    places.at[4] = first;
    places.at[5] = second;
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return write_row(translation, &rows[i], &places);
        }
    }
    return NULL;
}
