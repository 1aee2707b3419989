/* The names of intents. */
#include "model/intent.h"

#include <stddef.h>

#include "base/str.h"

static const char *const names[INTENT_COUNT] = {
    [INTENT_TEXT_TO_SQL] = "TEXT_TO_SQL",
    [INTENT_SCHEMA_QUERY] = "SCHEMA_QUERY",
    [INTENT_MISLEADING] = "MISLEADING_QUERY",
    [INTENT_GENERAL] = "GENERAL",
    [INTENT_CLARIFICATION] = "CLARIFICATION_NEEDED",
};

const char *intent_name(enum intent intent)
{
    return names[intent];
}

enum intent intent_find(const char *name)
{
    for (int i = INTENT_UNSET + 1; name && i < INTENT_COUNT; i++) {
        if (str_equal_nocase(names[i], name)) {
            return (enum intent)i;
        }
    }
    return INTENT_UNSET;
}
