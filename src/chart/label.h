/* Texts of a chart: clean, short, and how wide they are. */
#ifndef DGM_CHART_LABEL_H
#define DGM_CHART_LABEL_H

#include "base/arena.h"
#include "chart/draw.h"

enum { LABEL_MOST = 60 /* characters */ };

/* One line of at most `most` characters, without hidden or unsafe ones; "…" where it is cut. */
const char *label_clean(struct arena *arena, const char *text, size_t size, size_t most);
/* The cell as a label: words for a month, day, or NULL. */
const char *label_cell(struct arena *arena, const struct draw_words *words,
                       const struct value *value, enum chart_role role);
/* "order_total" as "Order total". */
const char *label_heading(struct arena *arena, const char *name);
/* Approximate width in pixels, rather too wide than too narrow. */
double label_width(const char *text, double font_size);
/* Cut so that it is at most this wide. */
const char *label_fit(struct arena *arena, const char *text, double font_size,
                      double width);

/* "1,234.5", "12.3K": at most four digits, and shortened from `from` on. */
const char *label_number(struct arena *arena, const struct draw_words *words,
                         double number, double from);
enum { LABEL_SHORT_FROM = 10000 };

#endif
