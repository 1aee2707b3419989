/* A question and the SQL whose words are being placed. */
#ifndef DGM_PARSER_COVERAGE_COVERING_H
#define DGM_PARSER_COVERAGE_COVERING_H

#include "parser/coverage/coverage_state.h"
#include "parser/link/linker.h"
#include "parser/words/calendar.h"
#include "parser/words/tokens.h"

struct covering {
    struct arena *arena;
    const struct coverage_request *request;
    const struct ir_schema *schema;
    struct tokens asked; /* the question, as it was asked */
    struct tokens words; /* of the question, as they are read */
    struct coverage_use use;
    struct selection used;   /* the tables in use with all their columns */
    struct linking *linking; /* of the words with `used` */
    struct selection
        referred; /* the tables that those in use refer to; made when first needed */
    struct linking *referred_linking;
    struct selection others; /* the tables not in use; made when first needed */
    struct linking *others_linking;
    bool *placed;
    const struct coverage_part *
        *written; /* of words without grounds: what stands for them */
    bool *groundless;
    struct coverage_weight *weights; /* of words that were weighed */
};

/* Does the word name a table or column in use? coverage.c */
bool covering_is_linked(const struct covering *covering, size_t token);

/* Does the word name a table in use? coverage.c */
bool covering_names_table(const struct covering *covering, size_t token);

/* Which table that is not in use has this name, and which of its columns (0: the name is its own)? -1: none.
 * coverage_elsewhere.c */
int coverage_elsewhere(struct covering *covering, size_t at, int *column);

/* Sets the two fields of that. */
void coverage_note_elsewhere(struct covering *covering, size_t at,
                             struct coverage_word *word);
/* Does the word name something in use? "Users" does not mean accounts where there is a table of users.
 * coverage_elsewhere.c */
bool coverage_is_named(struct covering *covering, size_t at);

/* Does the word stand where a verb stands? coverage_verbs.c */
bool coverage_stands_as_verb(const struct covering *covering, size_t at);
/* A verb that asks for nothing beside the things around it; coverage_verbs.c */
bool coverage_is_everyday_verb(struct covering *covering, size_t at);

/* Has the word its place by what stands around it? The words before it are placed by then.
 * coverage_context.c */
bool coverage_by_context(struct covering *covering, size_t at);

/* "email addresses": the second word only repeats the first. coverage_context.c */
bool coverage_is_mail_address(const struct covering *covering, size_t at);

/* Is the place of the word none, because the SQL means something else? *written (or NULL) is the condition
 * that stands in its place. coverage_grounds.c */
bool coverage_is_groundless(struct covering *covering, size_t at,
                            const struct coverage_part **written);

/* "6 months ago": is the number's day in the SQL? COVERAGE_ELSEWHERE: it is no such number, or the
 * SQL has no days to look at. coverage_period.c */
enum coverage_found { COVERAGE_ELSEWHERE, COVERAGE_MISSING, COVERAGE_THERE };
enum coverage_found coverage_amount(const struct covering *covering, size_t at);
/* "until 2025" is before 2026. */
bool coverage_year_ends(const struct covering *covering, size_t at);

/* Has the SQL this day, as text or as seconds or milliseconds since 1970? */
bool coverage_has_day(const struct coverage_use *use, const struct calendar_day *day);
/* Does the SQL name days at all, rather than reckon them with functions? */
bool coverage_names_days(const struct coverage_use *use);
/* Adds what is left open by phrases of periods. coverage_phrases.c */
void coverage_phrases(const struct covering *covering, struct coverage_words *out);
/* The name of a season whose first month the SQL compares with. */
bool coverage_is_season(const struct covering *covering, size_t at);

/* Places left-over words that are unlikely to ask for anything. coverage_weigh.c */
void coverage_weigh(struct covering *covering);
/* What those that may ask for nothing are taken to mean. */
void coverage_assume(struct coverage_words *words);
/* What a left-over word does in the question. coverage.c */
enum coverage_role coverage_role_of(const struct covering *covering, size_t at);

/* Adds words of a state: what the SQL takes them for, or that it passes over them.
 * coverage_states.c */
void coverage_states(struct covering *covering, struct coverage_words *out);

/* Adds times of day that the SQL passes over. coverage_times.c */
void coverage_times(struct covering *covering, struct coverage_words *out);

/* "Average invoice per patient" that counts invoices: told. coverage_averages.c */
void coverage_averages(const struct covering *covering, struct coverage_words *out);
/* "Expenses per month", read as the sum of their amounts: told. coverage_averages.c */
void coverage_money(const struct covering *covering, struct coverage_words *out);
/* "Average number of visits", where nothing is counted. coverage_averages.c */
bool coverage_misses_number(const struct covering *covering, size_t at);

/* "The most docks per ride", where nothing is divided. coverage_rates.c */
bool coverage_misses_rate(const struct covering *covering, size_t at);
/* "Left this month", where the SQL does not begin with today, and "left" without a period, where it
 * has no column of what is left. coverage_rest.c */
bool coverage_misses_rest(const struct covering *covering, size_t at);

/* "tomorrow" says which rows, and which day it is; coverage_times.c */
bool coverage_names_day(const struct covering *covering, size_t at,
                        struct coverage_word *word);
/* Is it "tomorrow", and has the SQL another day? coverage_times.c */
bool coverage_misses_day(const struct covering *covering, size_t at);
/* "Before discount" is done by a product that takes none off. coverage_context.c */
void coverage_discount(struct covering *covering);

/* Words that a part of the SQL may stand for, and conditions that no word asked for.
 * coverage_guess.c */
void coverage_guess(const struct covering *covering, struct coverage_words *words);

/* "New patients" by their day of birth. coverage_newness.c */
bool coverage_misreads_new(const struct covering *covering, size_t at);
/* The condition "until today" that stands for a word without any day in it; NULL: none.
 * coverage_newness.c */
const struct coverage_part *coverage_of_today(const struct covering *covering, size_t at);

/* Adds what is told rather than asked: averages, other words for a table, periods.
 * coverage_similar.c */
void coverage_tell(const struct covering *covering, struct coverage_words *out);

#endif
