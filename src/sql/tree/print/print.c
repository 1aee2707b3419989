/* The printer's front: which function writes which kind, and names and texts. */
#include "sql/tree/print/print_state.h"

#include <string.h>

#include "base/vec.h"

static const char dialect_letters[DIALECT_COUNT + 1] = "sdpmcbo";

bool print_dialect(const struct print *print, const char *letters)
{
    return strchr(letters, print->letter) != NULL;
}

void print_text(struct print *print, const char *text)
{
    (void)buf_text(print->out, text);
}

void print_around(struct print *print, const char *before, const struct sql_node *node,
                  const char *after)
{
    if (node) {
        print_text(print, before);
        print_node(print, node);
        print_text(print, after);
    }
}

void print_list(struct print *print, const struct sql_node *list, const char *between)
{
    for (size_t i = 0; list && i < list->count; i++) {
        print_text(print, i ? between : "");
        print_node(print, list->children[i]);
    }
}

void print_name(struct print *print, const char *name, bool quoted)
{
    if (!quoted) {
        print_text(print, name);
        return;
    }
    char quote = dialect_get(print->dialect)->name_quote;
    bool escapes = print_dialect(print, "bc");
    (void)buf_char(print->out, quote);
    for (; *name; name++) {
        if (*name == quote || (escapes && *name == '\\')) {
            (void)buf_char(print->out, escapes ? '\\' : quote);
        }
        (void)buf_char(print->out, *name);
    }
    (void)buf_char(print->out, quote);
}

void print_named(struct print *print, const struct sql_node *node)
{
    print_name(print, node->text, sql_has(node, FLAG_QUOTED));
}

/* A backslash before a quote is not read back in '…': its meaning depends on a setting. */
static bool needs_escapes(const char *text)
{
    for (const char *at = strchr(text, '\\'); at; at = strchr(at + 1, '\\')) {
        if (at[1] == '\'' || at[1] == '\0') {
            return true;
        }
    }
    return false;
}

void print_string(struct print *print, const char *text)
{
    bool prefixed = print_dialect(print, "p") && needs_escapes(text);
    bool escapes = prefixed || print_dialect(print, "mbc");
    print_text(print, prefixed ? "E'" : "'");
    for (; *text; text++) {
        if (escapes && *text == '\n') {
            print_text(print, "\\n");
            continue;
        }
        if (escapes && *text == '\\') {
            (void)buf_char(print->out, '\\');
        } else if (*text == '\'') {
            (void)buf_char(print->out, escapes && !prefixed ? '\\' : '\'');
        }
        (void)buf_char(print->out, *text);
    }
    (void)buf_char(print->out, '\'');
}

static void write_node(struct print *print, const struct sql_node *node)
{
    print_function *const *const tables[] = {print_expression_kinds, print_call_kinds,
                                             print_query_kinds, print_from_kinds};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (tables[i][node->kind]) {
            tables[i][node->kind](print, node);
            return;
        }
    }
}

void print_node(struct print *print, const struct sql_node *node)
{
    size_t start = print->out->size;
    if (print->instead && print->instead(print->context, node)) {
        return;
    }
    write_node(print, node);
    if (print->pieces) {
        VEC_PUSH(
            print->arena, print->pieces,
            ((struct sql_piece){.node = node, .start = start, .end = print->out->size}));
    }
}

void sql_print_pieces(struct arena *arena, struct buf *out, enum dialect dialect,
                      const struct sql_node *node, struct sql_pieces *pieces)
{
    struct print print = {.out = out,
                          .dialect = dialect,
                          .letter = dialect_letters[dialect],
                          .arena = arena,
                          .pieces = pieces};
    print_node(&print, node);
}

void sql_print(struct buf *out, enum dialect dialect, const struct sql_node *node)
{
    sql_print_pieces(NULL, out, dialect, node, NULL);
}

void sql_print_with(struct buf *out, enum dialect dialect, const struct sql_node *node,
                    sql_print_instead *instead, void *context)
{
    struct print print = {.out = out,
                          .dialect = dialect,
                          .letter = dialect_letters[dialect],
                          .instead = instead,
                          .context = context};
    write_node(&print, node);
}
