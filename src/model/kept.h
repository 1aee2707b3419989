/*
 * Numbers, amounts, months and dates that a column of text holds the way people write them:
 * "12.50", "$1,200.50", "(300.00)", "5 %", "2024-03", "13.07.2024". The sample values tell.
 */
#ifndef DGM_MODEL_KEPT_H
#define DGM_MODEL_KEPT_H

#include <stdbool.h>

#include "model/schema.h"

enum kept_form { KEPT_AS_IS, KEPT_AMOUNT, KEPT_DATE };

struct kept {
    enum kept_form form;
    bool comma; /* AMOUNT: 1.200,50 */
    bool plain; /* AMOUNT: nothing but digits, a sign and a point */
    bool
        whole; /* AMOUNT: digits alone, which may also be codes: only ordered and computed with as numbers */
    bool unclear;        /* a date whose day and month could be either way round: AS_IS */
    const char *unit;    /* AMOUNT: "$", "EUR", "%"; or NULL */
    const char *layout;  /* DATE: "DD.MM.YYYY", "YYYY-MM" */
    const char *example; /* one of the samples */
};

/* AS_IS without samples, and where one of them has another form. */
void kept_of(const struct column *column, struct kept *out);

#endif
