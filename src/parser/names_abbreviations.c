/* Abbreviations in the names of tables and columns, and what they stand for. */
#include <stdlib.h>
#include <string.h>

#include "parser/names.h"
#include "parser/stem.h"

enum { BRIEF_LEAST = 3 }; /* letters: shorter cells are codes of something else */

struct abbreviation {
    const char *brief;
    const char *full;
    bool in_question; /* also written out when it stands in a question */
};

/* Sorted by the first. */
static const struct abbreviation rows[] = {
    {"abbr", "abbreviation", true},
    {"acc", "account", false},
    {"acct", "account", true},
    {"addr", "address", true},
    {"adr", "address", false},
    {"amt", "amount", true},
    {"approx", "approximate", false},
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
    {"bnk", "bank", false},
    {"br", "branch", false},
    {"brnch", "branch", false},
    {"cap", "capacity", false},
    {"cat", "category", false},
    {"ccy", "currency", false},
    {"cd", "code", false},
    {"char", "character", false},
    {"chnl", "channel", false},
    {"clnt", "client", false},
    {"cls", "close", false},
    {"cmt", "comment", false},
    {"cnt", "count", false},
    {"cntry", "country", false},
    {"co", "company", false},
    {"comm", "commission", false},
    {"comp", "company", false},
    {"conf", "conference", false},
    {"coord", "coordinate", false},
    {"corp", "corporation", false},
    {"crd", "card", false},
    {"cred", "credit", false},
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
    {"dlvry", "delivery", false},
    {"dob", "birth date", true},
    {"doc", "document", false},
    {"dpt", "department", false},
    {"dt", "date", false},
    {"dur", "duration", false},
    {"edu", "education", false},
    {"eml", "email", false},
    {"emp", "employee", true},
    {"env", "environment", false},
    {"est", "estimated", false},
    {"exp", "expiry", false},
    {"fac", "faculty", false},
    {"fk", "key", false},
    {"flg", "flag", false},
    {"fname", "first name", true},
    {"freq", "frequency", false},
    {"govt", "government", true},
    {"grp", "group", false},
    {"hq", "headquarters", true},
    {"hrs", "hours", true},
    {"ht", "height", false},
    {"img", "image", false},
    {"info", "information", true},
    {"init", "initial", false},
    {"inst", "institution", false},
    {"inv", "invoice", false},
    {"lang", "language", true},
    {"lat", "latitude", false},
    {"lbl", "label", false},
    {"len", "length", false},
    {"lgth", "length", false},
    {"lim", "limit", false},
    {"lname", "last name", true},
    {"lng", "longitude", false},
    {"loc", "location", true},
    {"lon", "longitude", false},
    {"lst", "last", false},
    {"lvl", "level", false},
    {"max", "maximum", true},
    {"mcht", "merchant", false},
    {"mfr", "manufacturer", false},
    {"mgmt", "management", false},
    {"mgr", "manager", true},
    {"min", "minimum", true},
    {"mins", "minutes", true},
    {"mktg", "marketing", false},
    {"mng", "manager", false},
    {"mo", "month", false},
    {"mth", "month", false},
    {"natl", "national", false},
    {"nbr", "number", true},
    {"nm", "name", false},
    {"num", "number", true},
    {"obj", "object", false},
    {"opn", "open", false},
    {"ord", "order", false},
    {"org", "organization", true},
    {"orig", "origin", false},
    {"pct", "percent", true},
    {"phn", "phone", false},
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
    {"pymt", "payment", false},
    {"qtr", "quarter", true},
    {"qty", "quantity", true},
    {"rec", "record", false},
    {"recv", "received", false},
    {"ref", "reference", false},
    {"reg", "region", false},
    {"rep", "representative", false},
    {"req", "required", false},
    {"rev", "revenue", true},
    {"rm", "room", false},
    {"sal", "salary", true},
    {"sched", "schedule", false},
    {"seg", "segment", false},
    {"seq", "sequence", false},
    {"sess", "session", false},
    {"shp", "shipment", false},
    {"shpmt", "shipment", false},
    {"spec", "specification", false},
    {"src", "source", true},
    {"ssn", "social security number", false},
    {"st", "street", false},
    {"stat", "status", false},
    {"std", "standard", false},
    {"stmt", "statement", false},
    {"sts", "status", false},
    {"stu", "student", false},
    {"sub", "subject", false},
    {"supp", "supplier", false},
    {"svc", "service", false},
    {"tbl", "table", false},
    {"tel", "telephone", true},
    {"temp", "temperature", true},
    {"tm", "time", false},
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
    {"wgt", "weight", false},
    {"wh", "warehouse", false},
    {"whse", "warehouse", false},
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

const char *names_brief(const char *stem, size_t *at)
{
    while (*at < sizeof rows / sizeof *rows) {
        const struct abbreviation *row = &rows[(*at)++];
        char own[STEM_SIZE];
        if (row->full[0] != stem[0] || strchr(row->full, ' ') ||
            strlen(row->brief) < BRIEF_LEAST) {
            continue;
        }
        (void)stem_word(own, row->full);
        if (strcmp(own, stem) == 0) {
            return row->brief;
        }
    }
    return NULL;
}
