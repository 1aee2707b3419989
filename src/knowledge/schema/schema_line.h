/* One table as one line of that text. */
#ifndef DGM_KNOWLEDGE_SCHEMA_LINE_H
#define DGM_KNOWLEDGE_SCHEMA_LINE_H

#include "knowledge/schema/schema_names.h"
#include "knowledge/schema/schema_text.h"

/* What a line is written with. */
struct line_pen {
    struct buf *out;
    enum dialect dialect;
    const struct schema_text_settings *settings;
    struct name_cutter *cutter;
};

/* At most `most` characters of untrusted text, hidden ones as one space. */
void schema_line_clean(struct buf *out, const char *text, size_t most);
/* The first `columns` columns; says how many more there are. No end of line. */
void schema_line_put(struct line_pen *pen, const struct table *table, size_t columns);

#endif
