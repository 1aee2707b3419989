/* What the files of the follow-ups share: the text, the query, the edits. */
#ifndef DGM_PARSER_FOLLOWUP_STATE_H
#define DGM_PARSER_FOLLOWUP_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/link/features/features.h"
#include "parser/followup/followup.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"

enum sense {
#define SENSE(name) SENSE_##name,
#define WORD(text)
#include "parser/followup/followup_words.def"
#undef SENSE
#undef WORD
    SENSE_COUNT_OF_ALL
};

/* What a place in a rule may be filled with. */
enum slot {
    SLOT_END,
    SLOT_SENSE,     /* a word of that sense */
    SLOT_COLUMN,    /* a column is named */
    SLOT_TABLE,     /* likewise a table */
    SLOT_VALUE,     /* a cell, or text in quotes */
    SLOT_NUMBER,    /* digits, or a number in words */
    SLOT_PERIOD,    /* 2024, March, last month */
    SLOT_UNIT,      /* day to year */
    SLOT_EVERY,     /* daily to yearly */
    SLOT_FIGURE,    /* average, count and so on */
    SLOT_COMPARE,   /* over, at most */
    SLOT_WHEN,      /* since, before */
    SLOT_DIRECTION, /* ascending, descending */
    SLOT_COUNT
};

enum { FOLLOWUP_CAUGHT = 6 };

/* What filled it. */
struct caught {
    enum slot slot;
    enum ir_keyword keyword; /* of a figure, a comparison, a unit, a direction */
    int value;               /* number of the candidate */
    int table;
    size_t first; /* tokens */
    size_t end;
    struct ir_node *period;
};

/* How far each table is from the query; made anew after every edit. */
struct followup_map {
    int *far;
    size_t edits;
    bool made;
};

/*
 * A follow-up question while its words are matched with the query before. Rules edit
 * `query`; those that may be wrong lower `confidence`.
 */
struct followup {
    struct arena *arena;
    const struct followup_request *request;
    const struct ir_schema *schema;
    struct features features; /* of the text */
    uint8_t *links;           /* tokens × (tables + columns): enum link_code */
    struct ir_values values;  /* the query's, then the text's */
    struct ir_query *query;   /* what is edited */
    struct followup_map *map;
    size_t *ends; /* by sense and token: where the longest word of it ends */
    struct caught caught[FOLLOWUP_CAUGHT];
    size_t caught_count;
    double confidence;
    size_t edits;
    size_t slots[SLOT_COUNT]; /* how often rules that were used caught each */
    size_t groups;            /* likewise, how often groups were asked for */
    size_t limits;            /* and "top 5" */
    size_t dated;             /* "hired in 2024" */
    size_t words;             /* in used rules */
    size_t named_tables;      /* that no rule took */
    size_t strange_words;     /* that mean nothing here */
    size_t which;             /* and "which customers" */
    size_t opening;           /* tokens before what is said: "no, I meant" */
    bool also;                /* "also" was said: add, do not replace */
    bool grouped;             /* this text has asked for groups already */
    bool selected;            /* likewise for columns */
    bool certain;             /* nothing else can be meant, however long the text is */
};

/* Reads request->previous_sql; false for what no rule can change: queries of queries. */
bool followup_read_previous(struct followup *followup);

/* followup_text.c: what the words are. */
void followup_text(struct followup *followup);
size_t followup_sense(const struct followup *followup, enum sense sense, size_t at);
/* Fills `caught`; false when it does not start at that token. */
bool followup_catch(struct followup *followup, enum slot slot, size_t at,
                    struct caught *caught);
bool followup_is_empty_word(const struct followup *followup, size_t at);

/* followup_columns.c: which column is meant. */
enum wanted { WANT_ANY, WANT_NUMBER, WANT_TIME, WANT_TEXT };
/* The longest name that starts at the token; -1: none. *end: after its last word. */
int followup_column(const struct followup *followup, size_t at, enum wanted wanted,
                    size_t *end);
int followup_table(const struct followup *followup, size_t at, size_t *end);
int followup_time_column(const struct followup *followup); /* -1: none */
/* -1: none. *only (or NULL): the query has no other that may be meant. */
int followup_number_column(const struct followup *followup, bool *only);
int followup_name_column(const struct followup *followup, int table);
bool followup_uses_table(const struct followup *followup, int table);
/* What one row of the table is grouped by: its key, so that two of one name stay two. `names` gets the
 * columns that show it. NULL: it has no name. */
struct ir_node *followup_thing(struct followup *followup, int table,
                               struct ir_nodes *names);
bool followup_uses_column(const struct followup *followup, int column);
/* Where a value belongs: a column compared before, else one near by; -1: nowhere. */
int followup_value_column(const struct followup *followup, const struct candidate *value);

/* Does it have to do with the query: at most one join away? */
bool followup_is_near(const struct followup *followup, int table);
/* A number that is added up, no key, year or flag. */
bool followup_is_measure(const struct followup *followup, int column);

/* followup_edit*.c: what a rule does with what it caught; false: it cannot. */
/* The condition with one of these words on that expression, also one of a left join; NULL: none. */
struct ir_node **followup_filter_find(struct followup *followup,
                                      const struct ir_node *left,
                                      const enum ir_keyword *keywords,
                                      size_t keyword_count);
/* The conditions that must all hold: the one condition itself when there is no AND. */
struct ir_node **followup_conditions(struct ir_node **where, size_t *count);
void followup_filter_add(struct followup *followup, struct ir_node **where,
                         struct ir_node *node);
/* The condition on a date that there is already; NULL: none. */
struct ir_node **followup_filter_dates(struct followup *followup);
struct ir_node *followup_value(struct followup *followup, int candidate);
bool followup_is_year(const char *text);
/* The text of a value; "" when it is none. */
const char *followup_text_of(const struct followup *followup, const struct ir_node *node);
/* An aggregate of the answer over the column; -1: any. NULL: none. */
struct ir_node *followup_aggregate(const struct followup *followup, int column);

bool followup_filter_value(struct followup *followup, bool negated);
bool followup_filter_values(struct followup *followup);
bool followup_filter_compare(struct followup *followup);
bool followup_filter_between(struct followup *followup);
bool followup_filter_period(struct followup *followup, bool negated);
bool followup_filter_periods(struct followup *followup);
bool followup_filter_dated(struct followup *followup);
bool followup_filter_known(struct followup *followup);
bool followup_filter_done(struct followup *followup);

/* followup_calendar.c: months without a year, days of the week. */
/* "September" after October 2026 is that of 2026. */
struct ir_node *followup_period(struct followup *followup, const struct caught *period,
                                const struct ir_node *known);
bool followup_weekdays(struct followup *followup);
bool followup_not_weekdays(struct followup *followup);

/* followup_linked.c: things that other things belong to. */
bool followup_with(struct followup *followup);
bool followup_without(struct followup *followup);
bool followup_which(struct followup *followup);

/* Does the answer show a figure of many rows? */
bool followup_aggregates(const struct ir_query *query);
void followup_drop_order(struct ir_query *query);

/* followup_figure.c */
bool followup_figure(struct followup *followup);
bool followup_measure(struct followup *followup);
bool followup_group(struct followup *followup);
bool followup_rows(struct followup *followup);
bool followup_share(struct followup *followup);
bool followup_columns_add(struct followup *followup);
bool followup_columns_only(struct followup *followup);
bool followup_columns_drop(struct followup *followup);

bool followup_sort(struct followup *followup);
bool followup_direction(struct followup *followup);
bool followup_reverse(struct followup *followup);
bool followup_alphabetical(struct followup *followup);
bool followup_limit(struct followup *followup);
bool followup_next(struct followup *followup);
bool followup_top(struct followup *followup);
bool followup_bottom(struct followup *followup);
bool followup_no_limit(struct followup *followup);

const struct caught *followup_caught(const struct followup *followup, enum slot slot,
                                     size_t which); /* NULL: none */

/* followup_rules.c: reads the whole text; false when a rule could not be done. */
bool followup_apply(struct followup *followup);

#endif
