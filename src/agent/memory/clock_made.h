/* Detects literals in SQL that were computed from today's date. */
#ifndef DGM_AGENT_CLOCK_MADE_H
#define DGM_AGENT_CLOCK_MADE_H

#include <stdbool.h>

struct arena;
struct sql_statement;

/*
 * True for a date, a year or digits in quotes that the question does not mention: they
 * were computed from today's date, so the SQL would be wrong tomorrow. What the database
 * computes itself (CURRENT_DATE, date('now')) does not count. When in doubt: true. today
 * is "2026-11-15".
 */
bool clock_made(struct arena *arena, const struct sql_statement *statement,
                const char *question, const char *today);

#endif
