/* Looks the strength of an operator up in operators.def. */
#include "sql/tree/strength.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *text;
    const char *dialects;
    int strength;
} operators[] = {
#define OPERATOR(text, dialects, strength) {text, dialects, strength},
#include "sql/tree/operators.def"
#undef OPERATOR
};

static const char dialect_letters[DIALECT_COUNT + 1] = "sdpmcbo";

int strength_of(enum dialect dialect, const char *operator)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (strcasecmp(operators[i].text, operator) == 0 &&
            strchr(operators[i].dialects, dialect_letters[dialect])) {
            return operators[i].strength;
        }
    }
    return STRENGTH_NONE;
}

int strength_of_in(enum dialect dialect)
{
    return strchr("dpmo", dialect_letters[dialect]) ? STRENGTH_IN : STRENGTH_COMPARE;
}

int strength_of_is(enum dialect dialect)
{
    return strchr("dpo", dialect_letters[dialect]) ? STRENGTH_IS : STRENGTH_COMPARE;
}
