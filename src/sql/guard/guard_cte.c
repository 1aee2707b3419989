/* Names that WITH gives, and what else in FROM is no table. */
#include "sql/guard/guard_state.h"

#include <string.h>

#include "base/str.h"

/*
 * Whether two spellings name the same CTE. Where an engine might tell them apart we do
 * too: then the name is a table and is checked as one.
 */
static bool same_cte(const struct guard *guard, const struct token *a,
                     const struct token *b)
{
    if (strcmp(a->text, b->text) == 0) {
        return a->kind == b->kind || !guard_dialect(guard, "po") ||
               str_equal(a->text, str_lower(guard->arena, a->text));
    }
    bool bare = a->kind == TOKEN_WORD && b->kind == TOKEN_WORD;
    return guard_dialect(guard, bare ? "sdpbo" : "sd") &&
           str_equal_nocase(a->text, b->text);
}

const struct guard_cte *guard_cte_named(const struct guard *guard,
                                        const struct token *name)
{
    for (const struct guard_cte *cte = guard->ctes; cte; cte = cte->outer) {
        if (cte->visible && !cte->value && same_cte(guard, cte->name, name)) {
            return cte;
        }
    }
    return NULL;
}

const struct guard_cte *guard_value_named(const struct guard *guard,
                                          const struct token *name)
{
    for (const struct guard_cte *cte = guard->ctes; cte; cte = cte->outer) {
        if (cte->visible && same_cte(guard, cte->name, name)) {
            return cte->value ? cte : NULL;
        }
    }
    return NULL;
}

bool guard_is_derived(const struct guard *guard, const struct token *const *parts,
                      size_t count)
{
    return count > 1 ? guard_dialect(guard, "b") &&
                           guard_scope_named(guard->scope, parts[0]->text)
                     : guard_cte_named(guard, parts[0]) != NULL;
}
