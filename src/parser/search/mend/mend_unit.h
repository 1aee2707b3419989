/* Units of time in a question. */
#ifndef DGM_PARSER_MEND_UNIT_H
#define DGM_PARSER_MEND_UNIT_H

#include "parser/ir/ir.h"

struct tokens;

struct mend_unit {
    const char *one;
    const char *several;
    double days;              /* 0: less than one */
    enum ir_keyword calendar; /* PAD: always the same number of days */
    enum ir_keyword between;  /* what counts it between two dates; PAD: nothing does */
};

/* The unit that the question says after this number. NULL: none, or several ones. */
const struct mend_unit *mend_unit_of(const struct tokens *words, const char *text);
/* The month of "within a month", which is written as 30 days for the network, where this is 30. */
const struct mend_unit *mend_unit_month(const struct tokens *words, const char *text);
/* "How many weeks", "in months", "average number of weeks": the only unit of the question. */
const struct mend_unit *mend_unit_wanted(const struct tokens *words);

#endif
