/* Times of day in a question: "14:30", "9am", "5 pm", "before noon". */
#ifndef DGM_PARSER_TIMES_H
#define DGM_PARSER_TIMES_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct tokens;

struct time_of_day {
    size_t first; /* tokens */
    size_t end;   /* token after the last */
    int hour;     /* 0 to 23 */
    int minute;
    bool named; /* noon or midnight */
};

/* The time that begins at this token; false: there is none. */
bool times_at(const struct tokens *tokens, size_t at, struct time_of_day *out);
/* The question with "5 pm" as "17:00" and "noon" as "12:00"; NULL when nothing changes. In the arena. */
const char *times_write_out(struct arena *arena, const struct tokens *tokens);

#endif
