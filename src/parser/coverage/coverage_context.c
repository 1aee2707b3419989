/* Words that get their place from the words and tables around them. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/features/features.h"
#include "parser/search/metrics.h"

#define IS_IN(word, list) str_is_among((word), (list), sizeof(list) / sizeof *(list))

static bool is_word_at(const struct covering *covering, size_t at,
                       const char *const *words, size_t count)
{
    return at < covering->words.count &&
           str_is_among(covering->words.items[at].text, words, count);
}

/* "email addresses": the second word only repeats the first. */
bool coverage_is_mail_address(const struct covering *covering, size_t at)
{
    const struct token *token = &covering->words.items[at];
    return at && str_starts(token->text, "address") && str_ends(token[-1].stem, "mail") &&
           covering_is_linked(covering, at - 1);
}

/* "staff members", "enrollment size": after what is named, the word only says of what kind it is. */
static bool only_heads(const struct covering *covering, size_t at)
{
    static const char *const heads[] = {
        "member",  "members", "size",    "sizes",    "score",      "scores",   "status",
        "level",   "levels",  "number",  "numbers",  "rank",       "total",    "totals",
        "count",   "counts",  "rating",  "ratings",  "element",    "elements", "sample",
        "samples", "class",   "classes", "category", "categories", "team",     "teams",
        "group",   "groups",  "method",  "methods",  "model",      "models",   "owner",
        "history", "section", "page",    "pages",    "product",    "products", "string",
        "date",    "dates",   "time",    "year",     "years",      "name",     "names",
        "phrase",  "word",    "span",    "spans",    "substring"};
    static const char *const troubles[] = {"problem", "problems", "issue", "issues",
                                           "job",     "jobs",     "topic", "topics"};
    const struct token *token = &covering->words.items[at];
    if (!at || token[-1].kind != TOKEN_WORD) {
        return false;
    }
    bool trouble = IS_IN(token->text, troubles); /* "a heating problem" */
    bool value = trouble && covering->placed[at - 1] &&
                 !token_is_grammar(token[-1].text) && !coverage_is_empty(token[-1].text);
    return value || ((trouble || IS_IN(token->text, heads)) &&
                     covering_is_linked(covering, at - 1));
}

/* "5 minutes", "2 kg": the number is what is compared. */
static bool is_unit_of_number(const struct covering *covering, size_t at)
{
    static const char *const units[] = {
        "kg",     "kilo",    "kilos",  "kilogram", "kilograms", "g",       "gram",
        "grams",  "mg",      "lb",     "lbs",      "pound",     "pounds",  "ton",
        "tons",   "tonnes",  "km",     "kms",      "mile",      "miles",   "m",
        "meter",  "meters",  "metres", "cm",       "mm",        "feet",    "foot",
        "ft",     "inch",    "inches", "liter",    "liters",    "litre",   "litres",
        "ml",     "gb",      "mb",     "kb",       "tb",        "sec",     "secs",
        "second", "seconds", "min",    "mins",     "minute",    "minutes", "hour",
        "hours",  "hr",      "hrs",    "day",      "days",      "week",    "weeks",
        "month",  "months",  "year",   "years",    "degrees",   "points",  "times",
        "pieces", "pcs",     "units",  "cents",    "ms",        "sqm",     "k",
        "percent"};
    const struct token *token = &covering->words.items[at];
    return at && token[-1].kind == TOKEN_NUMBER && IS_IN(token->text, units) &&
           covering->placed[at - 1];
}

/* "How much salary does Jessica receive": after an auxiliary the form without an ending is a verb. */
static bool is_verb_of_auxiliary(const struct covering *covering, size_t at)
{
    static const char *const auxiliaries[] = {"do",   "does",   "did",  "can", "could",
                                              "will", "should", "must", "to"};
    const struct token *token = &covering->words.items[at];
    bool after = false;
    for (size_t i = 0; i < at; i++) {
        after = after || is_word_at(covering, i, auxiliaries,
                                    sizeof auxiliaries / sizeof *auxiliaries);
    }
    return after && coverage_is_relation_verb(token->text);
}

/* "signed up for the newsletter", "opted in to mails": leads to what is named after it. */
static bool leads_to(const struct covering *covering, size_t at)
{
    static const char *const verbs[] = {"signed", "sign",  "signs",  "opted",     "opts",
                                        "logged", "comes", "coming", "subscribed"};
    static const char *const particles[] = {"up", "in", "into", "for", "to", "from"};
    static const char *const articles[] = {"the", "a", "an", "our", "their", "any"};
    size_t next = at + 1;
    if (!IS_IN(covering->words.items[at].text, verbs)) {
        return false;
    }
    while (is_word_at(covering, next, particles, sizeof particles / sizeof *particles) ||
           is_word_at(covering, next, articles, sizeof articles / sizeof *articles)) {
        next++;
    }
    return next > at + 1 && next < covering->words.count &&
           covering_is_linked(covering, next);
}

/* "our collection": all that there is. */
static bool is_all_of_ours(const struct covering *covering, size_t at)
{
    static const char *const owners[] = {"our", "my", "whole", "entire"};
    static const char *const wholes[] = {"collection", "portfolio",  "inventory",
                                         "base",       "assortment", "range",
                                         "workforce",  "catalogue"};
    return at && is_word_at(covering, at - 1, owners, sizeof owners / sizeof *owners) &&
           IS_IN(covering->words.items[at].text, wholes);
}

/* Words that say of what kind a thing is, and what tables of such things are called. Several rows, so that
 * nobody's own word ("dentists") is taken for another's. */
static const struct kind {
    const char *const words[16];
    const char *const tables[24];
} kinds[] = {
    {{"participant", "participants", "attendee", "attendees", "individual", "individuals",
      "persons", "human", "humans", "visitor", "visitors", "peoples", "folk"},
     {"user",     "person",      "people",     "member",   "customer",  "client",
      "employee", "staff",       "patient",    "student",  "player",    "patron",
      "shopper",  "contact",     "candidate",  "author",   "passenger", "visitor",
      "guest",    "participant", "subscriber", "resident", "teacher"}},
    {{"worker", "workers", "helper", "helpers", "staff", "colleague", "colleagues",
      "employee", "employees"},
     {"employee", "staff", "volunteer", "agent", "operator", "driver", "courier",
      "trainer", "technician", "mechanic", "rep", "doctor", "nurse", "vets", "teacher",
      "consultant", "crew", "personnel", "worker"}},
    {{"customer", "customers", "client", "clients", "shopper", "shoppers", "guest",
      "guests", "user", "users"},
     {"customer", "client", "guest", "user", "member", "subscriber", "passenger",
      "caller", "listener", "rider", "moviegoer", "visitor", "shopper", "diner", "eater",
      "account", "owner", "reader", "player"}},
    {{"patient", "patients", "animal", "animals"},
     {"patient", "pet", "animal", "horse", "cow", "cattle"}},
    {{"gift", "gifts", "contribution", "contributions"}, {"donation", "gift", "pledge"}},
    {{"goods", "article", "articles", "part", "parts", "wares", "merchandise", "pieces"},
     {"product", "item", "article", "part", "goods", "material"}},
    {{"company", "companies", "firm", "firms", "business", "businesses", "organisations",
      "organizations"},
     {"manufacturer", "supplier", "account", "client", "vendor", "employer", "agency",
      "brand", "workspace", "carrier", "merchant", "publisher", "institution", "business",
      "organi", "compan"}},
};

static bool is_kind_word(const char *word, const struct kind *kind)
{
    for (size_t i = 0; i < sizeof kind->words / sizeof *kind->words && kind->words[i];
         i++) {
        if (str_equal(kind->words[i], word)) {
            return true;
        }
    }
    return false;
}

static bool is_called(const char *table, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count && names[i]; i++) {
        if (str_contains_nocase(table, names[i])) {
            return true;
        }
    }
    return false;
}

static bool is_kind_of_table(const char *word, const char *table)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct kind *kind = &kinds[k];
        if (is_kind_word(word, kind) &&
            is_called(table, kind->tables, sizeof kind->tables / sizeof *kind->tables)) {
            return true;
        }
    }
    return false;
}

/* "participants", of users; "mailshots", of mailshot_customers, which no dictionary takes apart. */
static bool names_kind(struct covering *covering, size_t at)
{
    int column = 0;
    int other = coverage_elsewhere(covering, at, &column);
    enum { WHOLE = 6 };
    const char *word = covering->words.items[at].text;
    const char *stem = covering->words.items[at].stem;
    for (int t = 0; t < covering->schema->table_count; t++) {
        const char *table = covering->schema->tables[t].name;
        bool whole = strlen(stem) >= WHOLE && str_contains_nocase(table, stem);
        bool kind = (other < 0 || column) && is_kind_of_table(word, table);
        if (covering->use.tables[t] && (whole || kind)) {
            return true;
        }
    }
    return false;
}

/* "on our books", "on file": all that there is. The word before the last one is the first that is looked for. */
static bool ends_idiom(const struct covering *covering, size_t at)
{
    static const char *const idioms[][3] = {
        {"on", "our", "books"},   {"on", "the", "books"},  {NULL, "on", "file"},
        {NULL, "on", "record"},   {"on", "our", "list"},   {"on", "our", "lists"},
        {"on", "our", "records"}, {"in", "our", "files"},  {"on", "the", "platform"},
        {"at", "the", "moment"},  {"of", "all", "time"},   {NULL, "these", "days"},
        {NULL, "to", "date"},     {NULL, "in", "general"}, {"in", "our", "care"},
        {"as", "a", "whole"},     {"in", "our", "range"},  {"on", "our", "side"}};
    for (size_t i = 0; i < sizeof idioms / sizeof *idioms; i++) {
        const char *const *words = idioms[i];
        bool found = at >= 2 && str_equal(covering->words.items[at].text, words[2]) &&
                     str_equal(covering->words.items[at - 1].text, words[1]);
        if (found &&
            (!words[0] || str_equal(covering->words.items[at - 2].text, words[0]))) {
            return true;
        }
    }
    return false;
}

/* "length", of seconds: what is measured in the unit that a column in use is named after. */
static const struct dimension {
    const char *const words[8];
    const char *const units[10];
} dimensions[] = {
    {{"length", "duration", "runtime", "long", "lengths", "durations"},
     {"second", "minute", "hour", "_sec", "_min", "duration", "length", "runtime",
      "millis"}},
    {{"distance", "distances", "far", "mileage"},
     {"_km", "km_", "mile", "meter", "metre", "kilomet"}},
    {{"weight", "weights", "heavy"}, {"_kg", "kg_", "gram", "pound", "_lb"}},
    {{"size", "sizes", "area", "space", "surface"},
     {"sqm", "sqft", "square", "hectare", "acre", "_m2"}},
    {{"volume", "volumes", "capacity"}, {"litre", "liter", "gallon", "_ml", "barrel"}},
};

static bool names_dimension(const struct covering *covering, size_t at)
{
    const char *word = covering->words.items[at].text;
    for (size_t i = 0; i < sizeof dimensions / sizeof *dimensions; i++) {
        const struct dimension *dimension = &dimensions[i];
        bool named = false;
        for (size_t w = 0; w < sizeof dimension->words / sizeof *dimension->words; w++) {
            named =
                named || (dimension->words[w] && str_equal(dimension->words[w], word));
        }
        for (int c = 1; named && c < covering->schema->column_count; c++) {
            const struct ir_column *column = &covering->schema->columns[c];
            if (covering->use.columns[c] && column->type == IR_TYPE_NUMBER &&
                is_called(column->name, dimension->units,
                          sizeof dimension->units / sizeof *dimension->units)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_key_in_use(const struct covering *covering, int column)
{
    const struct ir_schema *schema = covering->schema;
    bool key = schema->columns[column].primary;
    for (int i = 0; i < schema->key_count && !key; i++) {
        key = schema->keys[i].from == column;
    }
    return key;
}

/* The tables that those in use refer to: each of their rows has one of these things. */
static void select_referred(struct covering *covering)
{
    const struct ir_schema *schema = covering->schema;
    int *tables =
        arena_array(covering->arena, (size_t)schema->table_count + 1, sizeof *tables);
    int *none = arena_array(covering->arena, 1, sizeof *none);
    size_t count = 0;
    for (int t = 0; t < schema->table_count; t++) {
        bool referred = false;
        for (int i = 0; i < schema->key_count && !covering->use.tables[t]; i++) {
            int from = schema->columns[schema->keys[i].from].table;
            referred = referred || (schema->columns[schema->keys[i].to].table == t &&
                                    covering->use.tables[from]);
        }
        if (referred) {
            tables[count++] = t;
        }
    }
    covering->referred = (struct selection){tables, count, none, 1};
    covering->referred_linking =
        linking_new(feature_schema_linker(covering->request->schema), covering->arena,
                    &covering->words, &covering->referred);
}

/* "the average salary of the players", of a table of salaries with a key to the players. */
static bool is_referred_to(struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    for (size_t i = 1; i < used->column_count; i++) {
        enum link_code code = (enum link_code)codes[used->table_count + i];
        if (code != LINK_NONE && code <= LINK_PARTIAL &&
            is_key_in_use(covering, used->columns[i])) {
            return true;
        }
    }
    if (!covering->referred_linking) {
        select_referred(covering);
    }
    codes = linking_row(covering->referred_linking, at);
    for (size_t i = 0; i < covering->referred.table_count; i++) {
        const char *table = covering->schema->tables[covering->referred.tables[i]].name;
        if ((codes[i] != LINK_NONE && codes[i] <= LINK_SYNONYM) ||
            is_kind_of_table(covering->words.items[at].text, table)) {
            return true;
        }
    }
    return false;
}

bool coverage_by_context(struct covering *covering, size_t at)
{
    const struct token *token = &covering->words.items[at];
    if (token->kind != TOKEN_WORD || token->quoted) {
        return false;
    }
    return only_heads(covering, at) || is_unit_of_number(covering, at) ||
           is_verb_of_auxiliary(covering, at) || leads_to(covering, at) ||
           is_all_of_ours(covering, at) || names_kind(covering, at) ||
           ends_idiom(covering, at) || names_dimension(covering, at) ||
           is_referred_to(covering, at) || coverage_is_everyday_verb(covering, at);
}

void coverage_discount(struct covering *covering)
{
    if (!(covering->use.operations & DOES_RECKON) ||
        !metrics_wants_no_discount(covering->request->question)) {
        return;
    }
    for (int i = 1; i < covering->schema->column_count; i++) {
        if (covering->use.columns[i] &&
            str_contains_nocase(covering->schema->columns[i].name, "disc")) {
            return;
        }
    }
    for (size_t i = 0; i < covering->words.count; i++) {
        const char *word = covering->words.items[i].text;
        covering->placed[i] = covering->placed[i] || str_starts(word, "discount") ||
                              str_equal(word, "gross");
    }
}
