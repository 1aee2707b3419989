/*
 * A literal of the query before, which no word of a later question names, keeps the test that it
 * had. The network reads `< '2026-12-04'` and writes "until 2026-12-04", which ends a day later,
 * and with every further turn another day.
 */
#ifndef DGM_PARSER_KEPT_H
#define DGM_PARSER_KEPT_H

#include "parser/ir/ir.h"

struct arena;
struct candidates;

/* before: the query before; values: what both point at. Only within one side: an end stays the
 * same end, but never becomes a beginning. */
void kept_tests(struct arena *arena, const struct ir_tokens *before,
                const struct candidates *values, struct ir_tokens *tokens);

#endif
