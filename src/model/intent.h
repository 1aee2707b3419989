/* What a question asks for: data, the schema, or something else. */
#ifndef DGM_MODEL_INTENT_H
#define DGM_MODEL_INTENT_H

#include <stdbool.h>

enum intent {
    INTENT_UNSET,
    INTENT_TEXT_TO_SQL,
    INTENT_SCHEMA_QUERY,
    INTENT_MISLEADING,
    INTENT_GENERAL,
    INTENT_CLARIFICATION,
    INTENT_COUNT
};

/* As in `intent` of the answer; NULL: unset. */
const char *intent_name(enum intent intent);
/* INTENT_UNSET: no intent has this name. Case does not matter. */
enum intent intent_find(const char *name);

#endif
