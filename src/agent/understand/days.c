/* "05/03/2026" in a question, read as the columns of the schema write their days. */
#include "agent/understand/days.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/kept.h"

enum { DAY_SIZE = 10, TEXT_MOST = 4000 };

/* DD/MM/YYYY or MM/DD/YYYY, whatever the signs. */
static bool is_day(const char *text)
{
    static const char form[] = "dd?dd?dddd";
    for (size_t i = 0; i < DAY_SIZE; i++) {
        bool digit = isdigit((unsigned char)text[i]) != 0;
        if (form[i] == 'd' ? !digit : !text[i] || !strchr("/.-", text[i])) {
            return false;
        }
    }
    return text[2] == text[5] && !isdigit((unsigned char)text[DAY_SIZE]);
}

/* The layout of the columns that hold such days; NULL: none does, or they differ. */
static const char *layout_in(const struct schema *schema, char sign)
{
    const char *found = NULL;
    for (size_t t = 0; t < schema->tables.count; t++) {
        const struct columns *columns = &schema->tables.items[t].columns;
        for (size_t c = 0; c < columns->count; c++) {
            struct kept kept = {0};
            kept_of(&columns->items[c], &kept);
            bool fits = kept.form == KEPT_DATE && strlen(kept.layout) == DAY_SIZE &&
                        kept.layout[2] == sign;
            if (fits && found && strcmp(found, kept.layout) != 0) {
                return NULL;
            }
            found = fits ? kept.layout : found;
        }
    }
    return found;
}

const char *days_as_columns(struct run *run, const char *question)
{
    struct buf out;
    bool changed = false;
    buf_init(&out, TEXT_MOST);
    for (const char *at = question; *at; at++) {
        const char *layout =
            (at == question || !isalnum((unsigned char)at[-1])) && is_day(at)
                ? layout_in(run_schema(run), at[2])
                : NULL;
        if (!layout) {
            (void)buf_char(&out, *at);
            continue;
        }
        bool day_first = layout[0] == 'D';
        (void)buf_format(&out, "%.4s-%.2s-%.2s", at + 6, day_first ? at + 3 : at,
                         day_first ? at : at + 3);
        changed = true;
        at += DAY_SIZE - 1;
    }
    const char *text = changed ? arena_text(run->arena, buf_get(&out)) : question;
    buf_release(&out);
    return text;
}
