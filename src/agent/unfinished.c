/* Warns about figures of a period that is not over, beside those of one that is. */
#include "agent/unfinished.h"

#include <string.h>

#include "agent/date_span.h"
#include "agent/run.h"
#include "agent/run_statement.h"
#include "base/clock.h"
#include "base/str.h"

enum { DAY_SIZE = 10, SPANS_MOST = 16 };

/* The spans of figures that stand beside each other: those in CASE. */
static size_t find(struct run *run, struct date_span *out)
{
    const struct sql_statement *statement = run_statement(run, run->answer.sql);
    struct sql_nodes cases = {0};
    size_t count = 0;
    if (!statement->root) {
        return 0;
    }
    sql_collect(run->scratch, statement->root, SQL_CASE, &cases);
    for (size_t i = 0; i < cases.count; i++) {
        struct sql_nodes tests = {0};
        sql_collect(run->scratch, cases.items[i]->children[CASE_WHENS], SQL_BINARY,
                    &tests);
        for (size_t k = 0; k < tests.count && count < SPANS_MOST; k++) {
            count += date_span_of(tests.items[k], &out[count]);
        }
    }
    return count;
}

static int compare(const char *a, const char *b)
{
    return strncmp(a, b, DAY_SIZE);
}

/* Are both whole years, or whole months? A period that somebody cut is meant so. */
static bool is_whole(const struct date_span *span)
{
    static const char first[] = "-01";
    return memcmp(span->from + 7, first, 3) == 0 &&
           memcmp(span->until + 7, first, 3) == 0;
}

void unfinished_tell(struct run *run)
{
    struct date_span spans[SPANS_MOST];
    size_t count = find(run, spans);
    const char *today =
        clock_date(run->scratch, clock_wall_s(), run->options->agent_time_zone);
    for (size_t i = 0; i < count; i++) {
        bool open = is_whole(&spans[i]) && compare(spans[i].from, today) <= 0 &&
                    compare(today, spans[i].until) < 0;
        for (size_t k = 0; open && k < count; k++) {
            if (is_whole(&spans[k]) && compare(spans[k].until, spans[i].from) <= 0) {
                run_warn(run,
                         "The period from %.10s is not over: its figures so far are "
                         "compared with those of a complete period.",
                         spans[i].from);
                return;
            }
        }
    }
}
