/* The words of the IR as tables, and IR written out for people and tests. */
#include "parser/ir/ir.h"

#include <string.h>

#include "base/buf.h"
#include "parser/ir/ir_schema.h"

static const char *const keywords[] = {
#define KEYWORD(name, text) [IR_##name] = (text),
#include "parser/ir/ir.def"
#undef KEYWORD
};

static const struct ir_value literals[] = {
#define FIXED(name, text, is_text) [IR_FIXED_##name] = {(text), (is_text), NULL},
#include "parser/ir/fixed.def"
#undef FIXED
};

const char *ir_keyword_text(int keyword)
{
    return keyword >= 0 && keyword < IR_KEYWORD_COUNT ? keywords[keyword] : "";
}

bool ir_keyword_find(const char *text, int *keyword)
{
    for (int i = 0; i < IR_KEYWORD_COUNT; i++) {
        if (strcmp(keywords[i], text) == 0) {
            *keyword = i;
            return true;
        }
    }
    return false;
}

const struct ir_value *ir_fixed_get(int fixed)
{
    return fixed >= 0 && fixed < IR_FIXED_COUNT ? &literals[fixed] : NULL;
}

struct ir_token ir_word(enum ir_keyword keyword)
{
    return (struct ir_token){IR_KEYWORD, (int)keyword};
}

bool ir_is(struct ir_token token, enum ir_keyword keyword)
{
    return token.kind == IR_KEYWORD && token.index == (int)keyword;
}

static void print_value(struct buf *out, const struct ir_value *value)
{
    buf_format(out, value && value->is_text ? "\"%s\"" : "%s",
               value ? value->text : "<no value>");
}

static void print_token(struct buf *out, struct ir_token token,
                        const struct ir_schema *schema, const struct ir_values *values)
{
    int i = token.index;
    switch (token.kind) {
    case IR_KEYWORD:
        buf_text(out, ir_keyword_text(i));
        break;
    case IR_FIXED:
        print_value(out, ir_fixed_get(i));
        break;
    case IR_VALUE:
        print_value(out, values && i >= 0 && (size_t)i < values->count ? &values->items[i]
                                                                       : NULL);
        break;
    case IR_TABLE:
        buf_text(out, i >= 0 && i < schema->table_count ? schema->tables[i].name
                                                        : "<no table>");
        break;
    case IR_COLUMN:
        if (i <= 0 || i >= schema->column_count) {
            buf_text(out, i == 0 ? ".*" : "<no column>");
            break;
        }
        buf_format(out, "%s.%s", schema->tables[schema->columns[i].table].name,
                   schema->columns[i].name);
        break;
    }
}

void ir_print(struct buf *out, const struct ir_tokens *tokens,
              const struct ir_schema *schema, const struct ir_values *values)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (i) {
            buf_char(out, ' ');
        }
        print_token(out, tokens->items[i], schema, values);
    }
}
