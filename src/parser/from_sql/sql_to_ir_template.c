/*
 * Parts and differences of dates as rebuild_date.c writes them, read back: whatever we
 * have answered in some dialect can be followed up.
 */
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/to_sql/rebuild.h"
#include "parser/from_sql/sql_to_ir_state.h"

enum { HOLES = 2, TEMPLATE_MOST = 1024 };

static int hole_of(const struct sql_node *node)
{
    const char *name = sql_is(node, SQL_COLUMN) ? node->children[0]->text : "";
    return str_equal(name, "hole_a") ? 0 : str_equal(name, "hole_b") ? 1 : -1;
}

static bool texts_match(const struct sql_node *template, const struct sql_node *node)
{
    if (!template->text || !node->text) {
        return template->text == node->text;
    }
    return sql_is(node, SQL_STRING) ? strcmp(template->text, node->text) == 0
                                    : strcasecmp(template->text, node->text) == 0;
}

/* How many nodes of the template are in the value; 0: it is something else. */
static size_t match(const struct sql_node *template, const struct sql_node *node,
                    const struct sql_node **holes)
{
    int number = hole_of(template);
    if (number >= 0) {
        bool same = !holes[number] || sql_equal(holes[number], node);
        holes[number] = node;
        return same ? 1 : 0;
    }
    if (template->kind != node->kind || template->flags != node->flags ||
        template->variant != node->variant || template->count != node->count ||
        !texts_match(template, node)) {
        return 0;
    }
    size_t size = 1;
    for (size_t i = 0; i < template->count; i++) {
        const struct sql_node *part = template->children[i];
        const struct sql_node *other = node->children[i];
        size_t inside = part && other ? match(part, other, holes) : 0;
        if (inside == 0 && (part || other)) {
            return 0;
        }
        size += inside;
    }
    return size;
}

static const struct sql_node *template_read(struct sql_reading *reading,
                                            const char *template)
{
    struct buf text;
    struct sql_statement statement;
    buf_init(&text, TEMPLATE_MOST);
    (void)buf_text(&text, "SELECT ");
    while (*template) {
        size_t before = strcspn(template, "$");
        (void)buf_add(&text, template, before);
        template += before;
        if (*template) {
            (void)buf_text(&text, template[1] == 'a' ? "hole_a" : "hole_b");
            template += 2;
        }
    }
    const char *copy = buf_clone(&text, reading->arena);
    bool read = sql_statement_read(reading->arena, reading->request->dialect, copy,
                                   text.size, &statement);
    buf_release(&text);
    if (!read) {
        return NULL;
    }
    const struct sql_node *select = statement.root->children[QUERY_BODY];
    return select->children[SELECT_ITEMS]->children[0]->children[SINGLE_VALUE];
}

/* In SQLite, where people write by hand, the other files read more than we write. */
static void templates_read(struct sql_reading *reading)
{
    enum dialect dialect = reading->request->dialect;
    enum ir_keyword keyword = IR_PAD;
    const char *text = NULL;
    for (size_t i = 0; rebuild_date_template(i, dialect, &keyword, &text); i++) {
        if (text && (dialect != DIALECT_SQLITE || keyword == IR_WEEK)) {
            struct sql_template template = {keyword, template_read(reading, text)};
            if (template.value) {
                VEC_PUSH(reading->arena, &reading->templates, template);
            }
        }
    }
    reading->templates_read = true;
}

static struct ir_node *read_hole(struct sql_reading *reading, const struct sql_node *hole)
{
    struct ir_node *node = sql_read_value(reading, hole);
    const char *today = reading->request->today;
    bool now = node->kind == IR_NODE_TEXT && today && str_equal(node->text, today);
    return now ? sql_call(reading, IR_NOW, NULL, NULL) : node;
}

struct ir_node *sql_read_template(struct sql_reading *reading,
                                  const struct sql_node *node)
{
    const struct sql_node *best_holes[HOLES] = {NULL, NULL};
    enum ir_keyword best = IR_PAD;
    size_t most = 0;
    if (!sql_is(node, SQL_CALL) && !sql_is(node, SQL_CAST) &&
        !sql_is(node, SQL_EXTRACT) && !sql_is(node, SQL_BINARY)) {
        return NULL;
    }
    if (!reading->templates_read) {
        templates_read(reading);
    }
    for (size_t i = 0; i < reading->templates.count; i++) {
        const struct sql_node *holes[HOLES] = {NULL, NULL};
        size_t size = match(reading->templates.items[i].value, node, holes);
        if (size > most) { /* the one that says most about the value */
            most = size;
            best = reading->templates.items[i].keyword;
            memcpy(best_holes, holes, sizeof holes);
        }
    }
    if (most == 0) {
        return NULL;
    }
    struct ir_node *a = read_hole(reading, best_holes[0]);
    struct ir_node *b = best_holes[1] ? read_hole(reading, best_holes[1]) : NULL;
    return reading->failed ? a : sql_call(reading, best, a, b);
}
