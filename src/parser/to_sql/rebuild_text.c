/* Pieces of a text: the first letters, the last ones, what stands before or after a sign. */
#include "parser/to_sql/rebuild_state.h"

/* $a is the text, $b the number of letters or the sign. */
static const struct piece {
    enum ir_keyword keyword;
    const char *templates[DIALECT_COUNT];
} pieces[] = {
    {IR_LEFT_OF,
     {"SUBSTR($a, 1, $b)", "SUBSTR($a, 1, $b)", "SUBSTR($a, 1, $b)", "SUBSTR($a, 1, $b)",
      "substring($a, 1, $b)", "SUBSTR($a, 1, $b)", "LEFT($a, $b)"}},
    {IR_RIGHT_OF,
     {"SUBSTR($a, -$b)", "right($a, $b)", "RIGHT($a, $b)", "RIGHT($a, $b)",
      "substring($a, -$b)", "SUBSTR($a, -$b)", "RIGHT($a, $b)"}},
    {IR_BEFORE_SIGN,
     {"SUBSTR($a, 1, INSTR($a, $b) - 1)", "split_part($a, $b, 1)",
      "SPLIT_PART($a, $b, 1)", "SUBSTRING_INDEX($a, $b, 1)",
      "substring($a, 1, position($a, $b) - 1)", "SUBSTR($a, 1, STRPOS($a, $b) - 1)",
      NULL}},
    {IR_AFTER_SIGN,
     {"SUBSTR($a, INSTR($a, $b) + LENGTH($b))", "split_part($a, $b, 2)",
      "SPLIT_PART($a, $b, 2)", "SUBSTRING_INDEX($a, $b, -1)",
      "substring($a, position($a, $b) + length($b))",
      "SUBSTR($a, STRPOS($a, $b) + LENGTH($b))", NULL}},
};

enum { PIECE_COUNT = sizeof pieces / sizeof *pieces };

bool rebuild_is_piece(enum ir_keyword keyword)
{
    return keyword >= IR_LEFT_OF && keyword <= IR_AFTER_SIGN;
}

static void fill(struct rebuilding *rebuilding, const struct ir_node *node, char hole)
{
    bool letters = node->keyword == IR_LEFT_OF || node->keyword == IR_RIGHT_OF;
    long long count;
    if (hole == 'a') {
        rebuild_expression(rebuilding, node->args.items[0]);
    } else if (!letters) {
        rebuild_value(rebuilding, node->args.items[1], IR_TYPE_TEXT);
    } else if (rebuild_count(rebuilding, node->args.items[1], &count)) {
        buf_format(&rebuilding->out, "%lld", count);
    }
}

void rebuild_piece(struct rebuilding *rebuilding, const struct ir_node *node)
{
    for (size_t i = 0; i < PIECE_COUNT; i++) {
        const char *template = pieces[i].templates[rebuilding->dialect];
        if (pieces[i].keyword == node->keyword && template) {
            rebuild_template(rebuilding, template, node, fill);
            return;
        }
    }
    rebuild_fail(rebuilding, "This database has no way to say '%s'.",
                 ir_keyword_text((int)node->keyword));
}
