/* What the files about phrases of periods share. */
#ifndef DGM_PARSER_PERIODS_STATE_H
#define DGM_PARSER_PERIODS_STATE_H

#include "parser/words/calendar.h"
#include "parser/words/periods/periods.h"
#include "parser/words/tokens.h"

/* A place in the question. */
struct period_reader {
    struct arena *arena;
    const struct periods_request *request;
    struct calendar_day today; /* year 0: not known */
    size_t at;
};

/* A period by its name: "2025", "march 2025", "last month". */
struct period_name {
    int year;         /* 0: none is said */
    int month;        /* 0: no month */
    const char *text; /* as it is read: "march 2025", "this year" */
    bool relative;    /* "last month", "the year" */
};

bool period_take(struct period_reader *reader, const char *word);
/* Takes the first of these words that stands there. */
bool period_take_any(struct period_reader *reader, const char *const *words,
                     size_t count);
int period_take_year(struct period_reader *reader); /* 0: none */
int period_take_month(struct period_reader *reader);
/* `bare`: a month without a year will do. */
bool period_take_name(struct period_reader *reader, bool bare, struct period_name *out);
const char *period_month_name(int month); /* "January" */

/* Each tries to read a phrase that begins at reader->at; false: there is none. */
bool period_edge(struct period_reader *reader,
                 struct period_phrase *out); /* periods_part.c */
bool period_part(struct period_reader *reader,
                 struct period_phrase *out); /* periods_part.c */
bool period_season(struct period_reader *reader,
                   struct period_phrase *out); /* periods_season.c */
bool period_fiscal(struct period_reader *reader,
                   struct period_phrase *out); /* periods_season.c */
bool period_ago(struct period_reader *reader,
                struct period_phrase *out); /* periods_ago.c */
bool period_within(struct period_reader *reader,
                   struct period_phrase *out); /* periods_ago.c */
bool period_between_ago(struct period_reader *reader,
                        struct period_phrase *out); /* periods_ago.c */
bool period_weekday(struct period_reader *reader,
                    struct period_phrase *out); /* periods_ago.c */

#define PERIOD_TAKE_ANY(reader, words)                                                   \
    period_take_any((reader), (words), sizeof(words) / sizeof *(words))

#endif
