/* "… as a line chart": how a person wants to see the rows, said in the question. */
#ifndef DGM_CHART_WISH_H
#define DGM_CHART_WISH_H

#include <stdbool.h>
#include <stddef.h>

#include "model/chart.h"

struct arena;

struct wish {
    struct chart_wish chart;
    size_t
        start;  /* bytes of the text before it, without the comma or space at their end */
    bool alone; /* nothing else is asked: "show it as a pie" */
};

/* Reads the end of a question, in English, German or Spanish. False: no wish. */
bool wish_read(struct arena *arena, const char *text, struct wish *out);

#endif
