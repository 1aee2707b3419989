/* Figures of one period each: COUNT(CASE WHEN d >= '2026-01-01' AND d < '2027-01-01' THEN 1
 * END), and differences of two. */
#include "agent/date_span.h"
#include "agent/sentence/facts/facts_column.h"
#include "base/str.h"

static bool read_call(const struct sql_node *call, struct fact_span *out)
{
    const struct sql_node *arguments = sql_is(call, SQL_CALL) &&
                                               !call->children[CALL_OVER] &&
                                               !call->children[CALL_FILTER]
                                           ? call->children[CALL_ARGUMENTS]
                                           : NULL;
    const struct sql_node *choice =
        arguments && arguments->count ? arguments->children[0] : NULL;
    const struct sql_node *whens =
        sql_is(choice, SQL_CASE) && !choice->children[CASE_VALUE]
            ? choice->children[CASE_WHENS]
            : NULL;
    struct date_span span;
    if (!whens || whens->count != 1 ||
        !date_span_of(whens->children[0]->children[PAIR_LEFT], &span)) {
        return false;
    }
    str_put(out->from, sizeof out->from, span.from);
    str_put(out->until, sizeof out->until, span.until);
    return true;
}

void facts_span(const struct facts_column_reader *reader, const struct sql_node *value,
                struct fact_column *out)
{
    if (read_call(value, &out->span)) {
        bool counts = str_equal_nocase(value->text, "count");
        if (counts && reader->table) {
            facts_things(reader->run, reader->table, &out->span_things, &out->span_thing);
        }
        return;
    }
    out->difference = sql_is(value, SQL_BINARY) && str_equal(value->text, "-");
    if (out->difference && (!read_call(value->children[PAIR_LEFT], &out->span) ||
                            !read_call(value->children[PAIR_RIGHT], &out->minus))) {
        *out->span.from = *out->minus.from = '\0';
    }
}
