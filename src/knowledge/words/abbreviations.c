/* Abbreviations in the names of tables and columns, and what they stand for. */
#include "knowledge/words/abbreviations.h"

#include <stdlib.h>
#include <string.h>

#include "knowledge/words/stem.h"

enum {
    BRIEF_LEAST = 3, /* letters: shorter cells are codes of something else */
    BRIEF_MOST = 8,  /* letters of the longest one */
};

/* Where an abbreviation is written out. The parser is careful with a question, where most
 * of them may be words or values; texts that are only compared may be wrong more often,
 * but both sides in the same way. */
enum scope {
    IN_NAMES = 1, /* the parser: in names of tables and columns */
    TYPED = 3,    /* the parser: in a question, too */
    COMPARED = 4, /* words.h: texts that are compared word by word */
};

struct abbreviation {
    const char *brief;
    const char *full;
    unsigned int scope;
};

/* Sorted by the first. */
static const struct abbreviation rows[] = {
    {"abbr", "abbreviation", TYPED},
    {"acc", "account", IN_NAMES},
    {"acct", "account", TYPED | COMPARED},
    {"actv", "active", IN_NAMES},
    {"addr", "address", TYPED | COMPARED},
    {"adj", "adjustment", IN_NAMES},
    {"adr", "address", IN_NAMES},
    {"agmt", "agreement", IN_NAMES},
    {"agnt", "agent", IN_NAMES},
    {"agt", "agent", IN_NAMES},
    {"alloc", "allocated", IN_NAMES},
    {"amt", "amount", TYPED | COMPARED},
    {"approx", "approximate", IN_NAMES},
    {"appt", "appointment", TYPED},
    {"apt", "apartment", IN_NAMES},
    {"arr", "arrival", IN_NAMES},
    {"asgn", "assigned", IN_NAMES},
    {"assgn", "assigned", IN_NAMES},
    {"asst", "assistant", IN_NAMES},
    {"att", "attendance", IN_NAMES},
    {"attnd", "attendance", IN_NAMES},
    {"attr", "attribute", IN_NAMES},
    {"auth", "author", IN_NAMES},
    {"avail", "available", IN_NAMES},
    {"avg", "average", TYPED | COMPARED},
    {"avl", "available", IN_NAMES},
    {"bal", "balance", IN_NAMES | COMPARED},
    {"bday", "birthday", TYPED},
    {"bgt", "budget", IN_NAMES},
    {"bkg", "booking", IN_NAMES},
    {"bkng", "booking", IN_NAMES},
    {"bldg", "building", TYPED},
    {"blk", "blocked", IN_NAMES},
    {"bnk", "bank", IN_NAMES},
    {"br", "branch", IN_NAMES},
    {"brnch", "branch", IN_NAMES},
    {"brnd", "brand", IN_NAMES},
    {"brth", "birth", IN_NAMES},
    {"brwr", "borrower", IN_NAMES},
    {"bth", "birth", IN_NAMES},
    {"canc", "cancelled", IN_NAMES},
    {"cand", "candidate", IN_NAMES},
    {"cap", "capacity", IN_NAMES},
    {"cat", "category", IN_NAMES | COMPARED},
    {"catg", "category", IN_NAMES},
    {"ccy", "currency", IN_NAMES},
    {"cd", "code", IN_NAMES},
    {"cde", "code", IN_NAMES},
    {"cert", "certificate", IN_NAMES},
    {"char", "character", IN_NAMES},
    {"chk", "check", IN_NAMES},
    {"chnl", "channel", IN_NAMES},
    {"clm", "claim", IN_NAMES},
    {"clnc", "clinic", IN_NAMES},
    {"clnt", "client", IN_NAMES},
    {"cls", "close", IN_NAMES},
    {"cmpgn", "campaign", IN_NAMES},
    {"cmt", "comment", IN_NAMES},
    {"cncl", "cancelled", IN_NAMES},
    {"cnt", "count", IN_NAMES | COMPARED},
    {"cntct", "contact", IN_NAMES},
    {"cntry", "country", IN_NAMES},
    {"cnty", "county", IN_NAMES},
    {"co", "company", IN_NAMES | COMPARED},
    {"comm", "commission", IN_NAMES},
    {"comp", "company", IN_NAMES},
    {"compl", "complaint", IN_NAMES},
    {"conf", "conference", IN_NAMES},
    {"contr", "contract", IN_NAMES},
    {"coord", "coordinate", IN_NAMES},
    {"corp", "corporation", IN_NAMES},
    {"cpn", "coupon", IN_NAMES},
    {"crd", "card", IN_NAMES},
    {"crdt", "credit", IN_NAMES},
    {"cred", "credit", IN_NAMES},
    {"crs", "course", IN_NAMES},
    {"crse", "course", IN_NAMES},
    {"cst", "customer", IN_NAMES},
    {"cstmr", "customer", IN_NAMES},
    {"ctct", "contact", IN_NAMES},
    {"ctg", "category", IN_NAMES},
    {"ctgy", "category", IN_NAMES},
    {"ctry", "country", IN_NAMES | COMPARED},
    {"cty", "city", IN_NAMES},
    {"cur", "currency", IN_NAMES},
    {"curr", "currency", IN_NAMES | COMPARED},
    {"cust", "customer", TYPED | COMPARED},
    {"custr", "customer", IN_NAMES},
    {"dcnt", "discount", IN_NAMES},
    {"ddl", "deadline", IN_NAMES},
    {"del", "delivery", IN_NAMES},
    {"delv", "delivery", IN_NAMES},
    {"dep", "department", IN_NAMES},
    {"dept", "department", TYPED | COMPARED},
    {"desc", "description", IN_NAMES},
    {"descr", "description", TYPED | COMPARED},
    {"dest", "destination", TYPED},
    {"dev", "device", IN_NAMES},
    {"dgr", "degree", IN_NAMES},
    {"dim", "dimension", IN_NAMES},
    {"disc", "discount", IN_NAMES},
    {"dist", "distance", IN_NAMES},
    {"div", "division", IN_NAMES},
    {"dlr", "dealer", IN_NAMES},
    {"dlv", "delivery", IN_NAMES},
    {"dlvry", "delivery", IN_NAMES},
    {"dob", "birth date", TYPED | COMPARED},
    {"doc", "document", IN_NAMES | COMPARED},
    {"dpst", "deposit", IN_NAMES},
    {"dpt", "department", IN_NAMES},
    {"drvr", "driver", IN_NAMES},
    {"dscnt", "discount", IN_NAMES},
    {"dt", "date", IN_NAMES},
    {"dte", "date", IN_NAMES},
    {"dur", "duration", IN_NAMES},
    {"edu", "education", IN_NAMES},
    {"eff", "effective", IN_NAMES},
    {"eml", "email", IN_NAMES},
    {"emp", "employee", TYPED | COMPARED},
    {"enrl", "enrollment", IN_NAMES},
    {"env", "environment", IN_NAMES},
    {"eqp", "equipment", IN_NAMES},
    {"equip", "equipment", IN_NAMES},
    {"est", "estimated", IN_NAMES},
    {"evt", "event", IN_NAMES},
    {"exch", "exchange", IN_NAMES},
    {"exp", "expiry", IN_NAMES},
    {"fac", "faculty", IN_NAMES},
    {"fcst", "forecast", IN_NAMES},
    {"fk", "key", IN_NAMES},
    {"flg", "flag", IN_NAMES},
    {"flt", "flight", IN_NAMES},
    {"fname", "first name", TYPED},
    {"freq", "frequency", IN_NAMES},
    {"frst", "first", IN_NAMES},
    {"frt", "freight", IN_NAMES},
    {"fst", "first", IN_NAMES},
    {"gend", "gender", IN_NAMES},
    {"gndr", "gender", IN_NAMES},
    {"govt", "government", TYPED},
    {"grd", "grade", IN_NAMES},
    {"grp", "group", IN_NAMES},
    {"hdr", "header", IN_NAMES},
    {"hist", "history", IN_NAMES},
    {"hosp", "hospital", IN_NAMES},
    {"hq", "headquarters", TYPED},
    {"hrs", "hours", TYPED},
    {"ht", "height", IN_NAMES},
    {"htl", "hotel", IN_NAMES},
    {"img", "image", IN_NAMES},
    {"incid", "incident", IN_NAMES},
    {"info", "information", TYPED},
    {"init", "initial", IN_NAMES},
    {"ins", "insurance", IN_NAMES},
    {"inst", "institution", IN_NAMES},
    {"instl", "installment", IN_NAMES},
    {"instr", "instructor", IN_NAMES},
    {"intl", "international", IN_NAMES},
    {"inv", "invoice", IN_NAMES | COMPARED},
    {"invt", "inventory", IN_NAMES},
    {"invtry", "inventory", IN_NAMES},
    {"itm", "item", IN_NAMES},
    {"jrnl", "journal", IN_NAMES},
    {"lang", "language", TYPED | COMPARED},
    {"lat", "latitude", IN_NAMES},
    {"lbl", "label", IN_NAMES},
    {"len", "length", IN_NAMES},
    {"lgth", "length", IN_NAMES},
    {"lic", "license", IN_NAMES},
    {"lim", "limit", IN_NAMES},
    {"lin", "line", IN_NAMES},
    {"lmt", "limit", IN_NAMES},
    {"lname", "last name", TYPED},
    {"lnd", "lender", IN_NAMES},
    {"lng", "longitude", IN_NAMES},
    {"loc", "location", TYPED | COMPARED},
    {"lon", "longitude", IN_NAMES},
    {"loyl", "loyalty", IN_NAMES},
    {"lst", "last", IN_NAMES},
    {"lvl", "level", IN_NAMES},
    {"max", "maximum", TYPED},
    {"mbr", "member", IN_NAMES},
    {"mcht", "merchant", IN_NAMES},
    {"mdl", "model", IN_NAMES},
    {"mem", "member", IN_NAMES},
    {"memb", "member", IN_NAMES},
    {"mfg", "manufacturing", IN_NAMES},
    {"mfr", "manufacturer", IN_NAMES},
    {"mgmt", "management", IN_NAMES},
    {"mgr", "manager", TYPED | COMPARED},
    {"min", "minimum", TYPED},
    {"mins", "minutes", TYPED},
    {"mktg", "marketing", IN_NAMES},
    {"mng", "manager", IN_NAMES},
    {"mnth", "month", IN_NAMES},
    {"mo", "month", IN_NAMES},
    {"msg", "message", TYPED},
    {"mtg", "meeting", TYPED},
    {"mth", "month", IN_NAMES | COMPARED},
    {"natl", "national", IN_NAMES},
    {"nbr", "number", TYPED | COMPARED},
    {"nghbr", "neighborhood", IN_NAMES},
    {"nm", "name", IN_NAMES},
    {"nme", "name", IN_NAMES},
    {"num", "number", TYPED | COMPARED},
    {"nxt", "next", IN_NAMES},
    {"obj", "object", IN_NAMES},
    {"ofc", "office", IN_NAMES},
    {"opn", "open", IN_NAMES},
    {"opp", "opportunity", IN_NAMES},
    {"oppty", "opportunity", IN_NAMES},
    {"ord", "order", IN_NAMES | COMPARED},
    {"ordr", "order", IN_NAMES},
    {"org", "organization", TYPED | COMPARED},
    {"orig", "origin", IN_NAMES},
    {"ownr", "owner", IN_NAMES},
    {"pct", "percent", TYPED | COMPARED},
    {"pctg", "percentage", IN_NAMES},
    {"perc", "percent", IN_NAMES},
    {"perf", "performance", IN_NAMES},
    {"pers", "person", IN_NAMES},
    {"phn", "phone", IN_NAMES},
    {"pkg", "package", IN_NAMES},
    {"plcy", "policy", IN_NAMES},
    {"pln", "plan", IN_NAMES},
    {"pmnt", "payment", IN_NAMES},
    {"pmt", "payment", IN_NAMES},
    {"po", "purchase order", IN_NAMES},
    {"pop", "population", IN_NAMES},
    {"pos", "position", IN_NAMES},
    {"prc", "price", IN_NAMES},
    {"prd", "product", IN_NAMES},
    {"prem", "premium", IN_NAMES},
    {"prev", "previous", IN_NAMES},
    {"prio", "priority", IN_NAMES},
    {"prj", "project", IN_NAMES},
    {"prod", "product", IN_NAMES | COMPARED},
    {"prof", "professor", TYPED},
    {"proj", "project", TYPED},
    {"promo", "promotion", IN_NAMES},
    {"prvdr", "provider", IN_NAMES},
    {"ptnt", "patient", IN_NAMES},
    {"pts", "points", TYPED},
    {"pur", "purchase", IN_NAMES},
    {"purch", "purchase", IN_NAMES},
    {"pwd", "password", TYPED | COMPARED},
    {"pymt", "payment", IN_NAMES},
    {"qtr", "quarter", TYPED},
    {"qty", "quantity", TYPED | COMPARED},
    {"rcpt", "receipt", IN_NAMES},
    {"rcv", "received", IN_NAMES},
    {"rcvd", "received", IN_NAMES},
    {"rec", "record", IN_NAMES},
    {"recd", "received", IN_NAMES},
    {"recv", "received", IN_NAMES},
    {"ref", "reference", IN_NAMES | COMPARED},
    {"reg", "region", IN_NAMES | COMPARED},
    {"rep", "representative", IN_NAMES},
    {"req", "required", IN_NAMES},
    {"resv", "reservation", IN_NAMES},
    {"rev", "revenue", TYPED},
    {"rgn", "region", IN_NAMES},
    {"rm", "room", IN_NAMES},
    {"rma", "return", IN_NAMES},
    {"rpt", "report", IN_NAMES},
    {"rslt", "result", IN_NAMES},
    {"rsn", "reason", IN_NAMES},
    {"rte", "route", IN_NAMES},
    {"rtg", "rating", IN_NAMES},
    {"rtn", "return", IN_NAMES},
    {"rtng", "rating", IN_NAMES},
    {"rx", "prescription", IN_NAMES},
    {"sal", "salary", TYPED},
    {"sched", "schedule", IN_NAMES},
    {"sect", "section", IN_NAMES},
    {"seg", "segment", IN_NAMES},
    {"sem", "semester", IN_NAMES},
    {"seq", "sequence", IN_NAMES},
    {"serv", "service", IN_NAMES},
    {"sess", "session", IN_NAMES},
    {"sgmt", "segment", IN_NAMES},
    {"shft", "shift", IN_NAMES},
    {"shp", "shipment", IN_NAMES},
    {"shpd", "shipped", IN_NAMES},
    {"shpmt", "shipment", IN_NAMES},
    {"slry", "salary", IN_NAMES},
    {"sls", "sales", IN_NAMES},
    {"spec", "specification", IN_NAMES},
    {"splr", "supplier", IN_NAMES},
    {"src", "source", TYPED},
    {"ssn", "social security number", IN_NAMES},
    {"st", "street", IN_NAMES},
    {"stat", "status", IN_NAMES},
    {"std", "standard", IN_NAMES},
    {"stf", "staff", IN_NAMES},
    {"stk", "stock", IN_NAMES},
    {"stlmt", "settlement", IN_NAMES},
    {"stmt", "statement", IN_NAMES},
    {"stn", "station", IN_NAMES},
    {"sts", "status", IN_NAMES},
    {"stts", "status", IN_NAMES},
    {"stu", "student", IN_NAMES},
    {"sub", "subject", IN_NAMES},
    {"subj", "subject", IN_NAMES},
    {"subs", "subscription", IN_NAMES},
    {"subscr", "subscription", IN_NAMES},
    {"sup", "supplier", IN_NAMES},
    {"supp", "supplier", IN_NAMES | COMPARED},
    {"suppl", "supplier", IN_NAMES},
    {"svc", "service", IN_NAMES},
    {"sz", "size", IN_NAMES},
    {"tbl", "table", IN_NAMES},
    {"tchr", "teacher", IN_NAMES},
    {"tel", "telephone", TYPED | COMPARED},
    {"telephon", "phone", COMPARED}, /* as words.h has it */
    {"temp", "temperature", TYPED},
    {"tgt", "target", IN_NAMES},
    {"tkt", "ticket", TYPED},
    {"tm", "time", IN_NAMES},
    {"tot", "total", IN_NAMES},
    {"tran", "transaction", IN_NAMES},
    {"trans", "transaction", IN_NAMES},
    {"trf", "transfer", IN_NAMES},
    {"trm", "term", IN_NAMES},
    {"trn", "transaction", IN_NAMES},
    {"trx", "transaction", TYPED | COMPARED},
    {"ts", "timestamp", IN_NAMES},
    {"tsk", "task", IN_NAMES},
    {"ttl", "total", IN_NAMES},
    {"tx", "transaction", IN_NAMES},
    {"txn", "transaction", TYPED | COMPARED},
    {"txt", "text", IN_NAMES},
    {"typ", "type", IN_NAMES},
    {"uid", "user id", IN_NAMES},
    {"univ", "university", TYPED},
    {"unt", "unit", IN_NAMES},
    {"uom", "unit", IN_NAMES},
    {"upd", "updated", IN_NAMES},
    {"usg", "usage", IN_NAMES},
    {"usr", "user", TYPED | COMPARED},
    {"val", "value", IN_NAMES},
    {"veh", "vehicle", IN_NAMES | COMPARED},
    {"vend", "vendor", IN_NAMES},
    {"ver", "version", IN_NAMES},
    {"vhcl", "vehicle", IN_NAMES},
    {"vndr", "vendor", IN_NAMES},
    {"vol", "volume", IN_NAMES},
    {"vst", "visit", IN_NAMES},
    {"wdrl", "withdrawal", IN_NAMES},
    {"wgt", "weight", IN_NAMES},
    {"wh", "warehouse", IN_NAMES},
    {"whs", "warehouse", IN_NAMES},
    {"whse", "warehouse", IN_NAMES},
    {"wk", "week", IN_NAMES},
    {"wrhs", "warehouse", IN_NAMES},
    {"wrnty", "warranty", IN_NAMES},
    {"wt", "weight", IN_NAMES},
    {"wty", "warranty", IN_NAMES},
    {"xfer", "transfer", IN_NAMES},
    {"yr", "year", TYPED | COMPARED},
    {"yrs", "years", TYPED},
    {"yy", "year", IN_NAMES},
    {"zn", "zone", IN_NAMES},
};

/* What some mean before certain words only: a list price is no last one. */
static const struct {
    const char *brief;
    const char *next;
    const char *full;
} pairs[] = {
    {"act", "flag", "active"},     {"act", "flg", "active"},
    {"act", "ind", "active"},      {"act", "yn", "active"},
    {"crd", "lim", "credit"},      {"crd", "limit", "credit"},
    {"crd", "lmt", "credit"},      {"cre", "dt", "created"},
    {"crt", "dt", "created"},      {"del", "flag", "deleted"},
    {"del", "flg", "deleted"},     {"exp", "amt", "expense"},
    {"lst", "prc", "list"},        {"lst", "price", "list"},
    {"mod", "dt", "modified"},     {"reg", "date", "registration"},
    {"reg", "dt", "registration"}, {"ret", "amt", "return"},
    {"ret", "date", "return"},     {"ret", "dt", "return"},
    {"ret", "qty", "return"},      {"sub", "dt", "submission"},
};

static int brief_order(const void *key, const void *row)
{
    const char *word = key;
    const char *brief = ((const struct abbreviation *)row)->brief;
    int order = (unsigned char)*word -
                (unsigned char)*brief; /* the first letter tells most of them */
    return order ? order : strcmp(word, brief);
}

static const char *full_in(const char *word, unsigned int scope)
{
    const struct abbreviation *row =
        strnlen(word, BRIEF_MOST + 1) <= BRIEF_MOST
            ? bsearch(word, rows, sizeof rows / sizeof *rows, sizeof *rows, brief_order)
            : NULL;
    return row && (row->scope & scope) == scope ? row->full : NULL;
}

const char *abbreviation_full(const char *word, bool in_question)
{
    return full_in(word, in_question ? TYPED : IN_NAMES);
}

const char *abbreviation_compared(const char *word)
{
    return full_in(word, COMPARED);
}

const char *abbreviation_before(const char *word, const char *next)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (strcmp(pairs[i].brief, word) == 0 && strcmp(pairs[i].next, next) == 0) {
            return pairs[i].full;
        }
    }
    return NULL;
}

const char *abbreviation_of(const char *stem, size_t *at)
{
    while (*at < sizeof rows / sizeof *rows) {
        const struct abbreviation *row = &rows[(*at)++];
        char own[STEM_SIZE];
        if (!(row->scope & IN_NAMES) || row->full[0] != stem[0] ||
            strchr(row->full, ' ') || strlen(row->brief) < BRIEF_LEAST) {
            continue;
        }
        (void)stem_word(own, row->full);
        if (strcmp(own, stem) == 0) {
            return row->brief;
        }
    }
    return NULL;
}
