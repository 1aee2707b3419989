/* CASE … END in words: "'minor' if age is less than 18, otherwise 'adult'". */
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe/describe_words.h"

void describe_case(struct describe_text *text, const struct sql_node *node)
{
    const struct sql_node *subject = node->children[CASE_VALUE];
    const struct sql_node *whens = node->children[CASE_WHENS];
    const char *gap = "";
    for (size_t i = 0; i < whens->count; i++) {
        const struct sql_node *when = whens->children[i];
        (void)buf_text(text->out, gap);
        describe_value(text->out, text->names, when->children[PAIR_RIGHT]);
        (void)buf_text(text->out, " if ");
        if (subject) {
            describe_value(text->out, text->names, subject);
            (void)buf_text(text->out, " is ");
        }
        describe_condition(text->out, text->names, when->children[PAIR_LEFT]);
        gap = ", ";
    }
    if (node->children[CASE_ELSE]) {
        (void)buf_format(text->out, "%sotherwise ", gap);
        describe_value(text->out, text->names, node->children[CASE_ELSE]);
    }
}

const struct sql_node *describe_case_single(const struct sql_node *node, bool *zero)
{
    if (node->kind != SQL_CASE || node->children[CASE_VALUE] ||
        node->children[CASE_WHENS]->count != 1) {
        return NULL;
    }
    const struct sql_node *otherwise = node->children[CASE_ELSE];
    *zero = sql_is(otherwise, SQL_NUMBER) && str_equal(otherwise->text, "0");
    bool null = sql_is(otherwise, SQL_CONSTANT) && str_equal(otherwise->text, "NULL");
    return !otherwise || *zero || null ? node->children[CASE_WHENS]->children[0] : NULL;
}
