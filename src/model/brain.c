/* The names of what writes the SQL. */
#include "model/brain.h"

#include <stddef.h>

#include "base/str.h"

static const char *const names[BRAIN_COUNT] = {
    [BRAIN_AUTO] = "auto",       [BRAIN_PARSER] = "parser", [BRAIN_LLM] = "llm",
    [BRAIN_HISTORY] = "history", [BRAIN_LESSON] = "lesson", [BRAIN_NONE] = "none",
};

const char *brain_kind_name(enum brain_kind brain)
{
    return names[brain];
}

enum brain_kind brain_kind_find(const char *name)
{
    for (int i = BRAIN_UNSET + 1; name && i < BRAIN_COUNT; i++) {
        if (str_equal(names[i], name)) {
            return (enum brain_kind)i;
        }
    }
    return BRAIN_UNSET;
}

bool brain_kind_wanted(enum brain_kind brain)
{
    return brain >= BRAIN_AUTO && brain <= BRAIN_LLM;
}
