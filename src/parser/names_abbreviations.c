/* Abbreviations in the names of tables and columns, and what they stand for. */
#include <stdlib.h>
#include <string.h>

#include "parser/names.h"
#include "parser/stem.h"

struct abbreviation {
    const char *brief;
    const char *full;
    bool in_question; /* also written out when it stands in a question */
};

/* Sorted by the first. */
static const struct abbreviation rows[] = {
    {"abbr", "abbreviation", true},
    {"accr", "accreditation", false},
    {"acct", "account", true},
    {"addr", "address", true},
    {"adr", "address", false},
    {"amt", "amount", true},
    {"apt", "apartment", false},
    {"arr", "arrival", false},
    {"asst", "assistant", false},
    {"att", "attendance", false},
    {"attr", "attribute", false},
    {"auth", "author", false},
    {"avail", "available", false},
    {"avg", "average", true},
    {"bal", "balance", false},
    {"bday", "birthday", true},
    {"bldg", "building", true},
    {"cat", "category", false},
    {"cd", "code", false},
    {"char", "character", false},
    {"cmt", "comment", false},
    {"cnt", "count", false},
    {"cntry", "country", false},
    {"co", "company", false},
    {"comm", "commission", false},
    {"comp", "company", false},
    {"conf", "conference", false},
    {"coord", "coordinate", false},
    {"corp", "corporation", false},
    {"ctry", "country", false},
    {"cty", "city", false},
    {"cur", "currency", false},
    {"curr", "currency", false},
    {"cust", "customer", true},
    {"ddl", "deadline", false},
    {"del", "delivery", false},
    {"dep", "department", false},
    {"dept", "department", true},
    {"desc", "description", false},
    {"descr", "description", true},
    {"dest", "destination", true},
    {"dev", "device", false},
    {"dim", "dimension", false},
    {"disc", "discount", false},
    {"dist", "distance", false},
    {"div", "division", false},
    {"dlv", "delivery", false},
    {"dob", "birth date", true},
    {"doc", "document", false},
    {"dpt", "department", false},
    {"dt", "date", false},
    {"dur", "duration", false},
    {"edu", "education", false},
    {"emp", "employee", true},
    {"env", "environment", false},
    {"est", "estimated", false},
    {"exp", "expiry", false},
    {"fac", "faculty", false},
    {"fk", "key", false},
    {"fname", "first name", true},
    {"freq", "frequency", false},
    {"gdp", "gdp", false},
    {"govt", "government", true},
    {"grp", "group", false},
    {"hq", "headquarters", true},
    {"hr", "hour", false},
    {"hrs", "hours", true},
    {"img", "image", false},
    {"info", "information", true},
    {"init", "initial", false},
    {"inst", "institution", false},
    {"inv", "invoice", false},
    {"lang", "language", true},
    {"lat", "latitude", false},
    {"lbl", "label", false},
    {"len", "length", false},
    {"lname", "last name", true},
    {"lng", "longitude", false},
    {"loc", "location", true},
    {"lon", "longitude", false},
    {"lst", "last", false},
    {"lvl", "level", false},
    {"max", "maximum", true},
    {"mfr", "manufacturer", false},
    {"mgr", "manager", true},
    {"min", "minimum", true},
    {"mins", "minutes", true},
    {"mng", "manager", false},
    {"mo", "month", false},
    {"mth", "month", false},
    {"natl", "national", false},
    {"nbr", "number", true},
    {"num", "number", true},
    {"obj", "object", false},
    {"ord", "order", false},
    {"org", "organization", true},
    {"orig", "origin", false},
    {"pct", "percent", true},
    {"pmt", "payment", false},
    {"pop", "population", false},
    {"pos", "position", false},
    {"prc", "price", false},
    {"prev", "previous", false},
    {"prod", "product", false},
    {"prof", "professor", true},
    {"proj", "project", true},
    {"pts", "points", true},
    {"pwd", "password", true},
    {"qtr", "quarter", true},
    {"qty", "quantity", true},
    {"rec", "record", false},
    {"recv", "received", false},
    {"ref", "reference", false},
    {"reg", "region", false},
    {"rep", "representative", false},
    {"req", "required", false},
    {"res", "reservation", false},
    {"rev", "revenue", true},
    {"rm", "room", false},
    {"sal", "salary", true},
    {"seq", "sequence", false},
    {"sess", "session", false},
    {"shp", "shipment", false},
    {"spec", "specification", false},
    {"src", "source", true},
    {"ssn", "social security number", false},
    {"st", "street", false},
    {"stat", "status", false},
    {"std", "standard", false},
    {"stu", "student", false},
    {"sub", "subject", false},
    {"supp", "supplier", false},
    {"tbl", "table", false},
    {"tel", "telephone", true},
    {"temp", "temperature", true},
    {"tot", "total", false},
    {"trans", "transaction", false},
    {"trx", "transaction", true},
    {"ts", "timestamp", false},
    {"txn", "transaction", true},
    {"txt", "text", false},
    {"typ", "type", false},
    {"uid", "user id", false},
    {"univ", "university", true},
    {"upd", "updated", false},
    {"usr", "user", true},
    {"val", "value", false},
    {"veh", "vehicle", false},
    {"ver", "version", false},
    {"vol", "volume", false},
    {"wh", "warehouse", false},
    {"wk", "week", false},
    {"wt", "weight", false},
    {"yr", "year", true},
    {"yrs", "years", true},
    {"yy", "year", false},
};

static int brief_order(const void *key, const void *row)
{
    return strcmp(key, ((const struct abbreviation *)row)->brief);
}

const char *names_abbreviation(const char *word, bool in_question)
{
    const struct abbreviation *row =
        bsearch(word, rows, sizeof rows / sizeof *rows, sizeof *rows, brief_order);
    return row && (row->in_question || !in_question) ? row->full : NULL;
}

const char *names_brief(const char *stem)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char own[STEM_SIZE];
        if (rows[i].full[0] == stem[0] && !strchr(rows[i].full, ' ')) {
            (void)stem_word(own, rows[i].full);
            if (strcmp(own, stem) == 0 && strcmp(rows[i].brief, rows[i].full) != 0) {
                return rows[i].brief;
            }
        }
    }
    return NULL;
}
