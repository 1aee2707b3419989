/*
 * Detects numbers, amounts, months and dates in text columns, in the way people write
 * them: "12.50", "$1,200.50", "(300.00)", "5 %", "2024-03", "13.07.2024". Based on the
 * sample values.
 */
#ifndef DGM_MODEL_KEPT_H
#define DGM_MODEL_KEPT_H

#include <stdbool.h>

#include "model/schema.h"

enum kept_form { KEPT_AS_IS, KEPT_AMOUNT, KEPT_DATE };

struct kept {
    enum kept_form form;
    bool comma; /* AMOUNT: decimal comma, as in 1.200,50 */
    bool plain; /* AMOUNT: only digits, a sign and a decimal point */
    bool
        /* AMOUNT: only digits, so the values may be codes: converted only for ordering
         * and computing */
        whole;
    bool unclear;        /* a date with ambiguous day and month: AS_IS */
    const char *unit;    /* AMOUNT: "$", "EUR", "%"; or NULL */
    const char *layout;  /* DATE: "DD.MM.YYYY", "YYYY-MM" */
    const char *example; /* one of the samples */
};

/* AS_IS if there are no samples, or one of them has another form. */
void kept_of(const struct column *column, struct kept *out);

#endif
