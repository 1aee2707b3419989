/* Words that carry no meaning of their own, words of periods, and words that ask for an
 * operation. */
#include <string.h>

#include "base/str.h"
#include "parser/coverage/coverage_state.h"
#include "knowledge/words/stem.h"
#include "parser/words/tokens.h"

/* Sorted by nothing: by what they are. Folded. */
/* clang-format off */
static const char *const empty_words[] = {
    /* asking */
    "tell", "display", "get", "see", "want", "need", "know", "like", "look", "check",
    "provide", "state", "calculate", "compute", "determine", "identify", "retrieve",
    "fetch", "pull", "print", "output", "report", "mention", "describe", "write", "say",
    "ask", "answer", "query", "select", "indicate", "specify", "include", "including",
    "give", "gimme", "lemme", "explain", "search", "view", "present", "enumerate", "count",
    "wanna", "gonna", "kindly", "thanks", "thank", "hello", "hi", "hey", "ok", "okay",
    "whats", "hows", "wheres", "whos", "s", "t", "re", "ll", "d", "m", "ve", "im",
    /* the database itself */
    "database", "data", "dataset", "table", "tables", "record", "records", "row", "rows",
    "entry", "entries", "information", "info", "details", "detail", "system", "list",
    "listing", "item", "items", "thing", "things", "stuff", "column", "columns", "field",
    "fields", "value", "values", "result", "results", "overview", "figure", "figures",
    "figs", "statistics", "stats", "set", "everything", "anything", "catalog", "catalogue",
    "sort", "kind", "kinds", "type", "types",
    /* belonging and being there */
    "exist", "exists", "existing", "registered", "recorded", "listed",
    "stored", "belong", "belongs", "belonging", "associated", "related", "relating",
    "corresponding", "respective", "respectively", "having", "got", "get", "gets",
    "hold", "holds", "contain", "contains", "contained", "containing", "involve",
    "involved", "own", "owns", "owned", "made", "make", "makes", "making", "done",
    "doing", "happen", "happened", "occur", "occurred", "use", "used", "using", "uses",
    "based", "regarding", "concerning", "according", "go", "goes", "come", "comes",
    "came", "went", "take", "takes", "taken", "took", "given", "put", "lie", "fall",
    "called", "named", "known", "stand", "stands", "appear", "appears", "appearing",
    "found", "find", "seen", "gave", "keep", "kept", "run", "runs",
    /* manner */
    "just", "really", "actually", "exactly", "currently", "already", "simply", "quick",
    "quickly", "well", "still", "even", "far", "long", "ever", "overall", "altogether",
    "entire", "whole", "full", "complete", "individual", "particular", "certain",
    "specific", "given", "various", "different", "separate", "separately", "single",
    "alone", "together", "one", "ones", "way", "much", "lot", "lots", "amount", "bit",
    "too", "very", "quite", "roughly", "about", "approximately", "right", "here", "now",
    "not", "yes", "across", "ours", "theirs", "himself", "themselves", "somebody",
    "anybody", "everybody", "people", "person", "someone", "else", "rest", "part",
    "good", "nice", "great", "guys", "folks", "boss", "question", "sure", "back",
    "away", "down", "upto", "through", "thru", "wise", "terms", "term", "case", "cases",
    "id", "ids", "code", "codes", "outside", "equal", "place", "places", "area", "don",
    "didn", "doesn", "isn", "aren", "wasn", "weren", "hasn", "haven", "hadn", "way",
    "ways", "able", "possible", "presently", "normally", "generally", "finally", "lastly",
    "specifically", "successfully", "lists", "filter", "tally", "arrange", "explore", "presented", "shown",
    "mr", "mrs", "ms", "dr", "lexicographically", "consider", "witch", "widely", "mostly", "manner", "ago",
    "slowly", "quickly", "carefully", "briefly", "shortly", "precisely",
    "wrong", "meant", "mean", "means", "correct", "false", "instead", "pair", "pairs",
    "combination", "combinations", "w", "o", "anywhere", "somewhere", "everywhere", "text",
    "both", "such", "next", "following", "above", "below",
    /* whose data it is */
    "company", "business", "shop", "store", "organisation", "organization", "firm",
};

/* What things do with each other: a verb of a relation that the tables have anyway. Verbs that
 * tell a state ("banned", "approved", "shipped") are not among them. Base forms. */
static const char *const relation_verbs[] = {
    "achieve", "act", "add", "affect", "appear", "apply", "arrive", "assign", "attend",
    "attain", "bear", "become", "begin", "bring", "build", "buy", "carry", "cause", "choose",
    "collect", "compete", "conduct", "connect", "consist", "contribute", "correspond",
    "cover", "create", "deal", "depart", "direct", "draw", "earn", "employ", "end",
    "enroll", "enrol", "enter", "equal", "establish", "fill", "finish",
    "fly", "follow", "generate", "grant", "handle", "have", "hold", "host", "incur",
    "join", "last", "lead", "learn", "leave", "look", "live", "locate", "manage", "measure",
    "meet", "move", "offer", "operate", "originate", "participate", "perform", "place",
    "play", "possess", "produce", "provide", "publish", "purchase", "reach", "receive",
    "reside", "require", "sell", "send", "serve", "set", "share", "sit", "speak",
    "spend", "start", "stay", "study", "suffer", "support", "teach", "travel",
    "try", "visit", "wear", "win", "work", "written", "held", "taught", "spent",
    "bought", "sold", "sent", "led", "left", "met", "won", "wrote", "born", "grew",
    "chosen", "bore", "brought", "built", "drawn", "drove", "drive", "taking", "giving",
    "having", "getting", "attribute", "generate", "consume", "cause", "compare", "represent", "rely", "remain", "bring", "turn",
    "confer", "present", "steer", "command", "transport", "release", "process", "offer", "access", "interest",
    "add", "consider", "fit", "match", "happen", "occur", "show", "observe",
};

/* Verbs that make the thing after them ("opened a ticket"); in other places they tell a state
 * ("opened tickets"). Base forms. */
static const char *const making_verbs[] = {
    "book", "file", "issue", "log", "open", "order", "post", "raise", "register", "report",
    "request", "submit", "upload",
};

/* Empty beside "each", "every" or "a"; before the name of a thing they may say which ones. */
static const char *const weak_words[] = {
    "available", "single", "full", "complete", "individual", "separate", "good", "great", "nice", "quick",
};

/* Of periods. Any of them is placed when the SQL uses a date. */
static const char *const time_words[] = {
    "today", "yesterday", "tomorrow", "tonight", "now", "recent", "recently", "lately",
    "ago", "last", "past", "previous", "current", "this", "next", "coming", "upcoming",
    "since", "until", "date", "dates", "time", "times", "day", "days", "daily", "week",
    "weeks", "weekly", "weekend", "weekends", "weekday", "weekdays", "month", "months",
    "monthly", "quarter", "quarters", "quarterly", "year", "years", "yearly", "annual",
    "annually", "decade", "decades", "century", "centuries", "hour", "hours", "hourly",
    "minute", "minutes", "second", "seconds", "morning", "afternoon", "evening", "night",
    "midnight", "noon", "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december", "jan", "feb", "mar", "apr",
    "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "ytd", "mtd", "qtd", "q1", "q2", "q3", "q4", "h1", "h2", "early",
    "earlier", "late", "later", "begin", "began", "begins", "beginning", "start", "started",
    "starts", "starting", "end", "ended", "ends", "ending", "latest", "earliest", "newest",
    "oldest", "first", "new", "old", "older", "newer", "younger", "youngest", "age",
    "aged", "old", "trend", "trends", "history", "period", "periods", "mid", "mom", "yoy",
    "half", "dated", "timeline", "era", "calendar", "when", "long", "duration",
    "consecutive", "th", "st", "nd", "rd", "s", "am", "pm", "born", "birthday", "ever",
};

static const struct {
    const char *word;
    unsigned asks;
} operations[] = {
#define EXTREME (DOES_LEAST | DOES_MOST | DOES_ORDER | DOES_WINDOW)
#define REDUCES (DOES_COUNT | DOES_SUM | DOES_AVERAGE)
    {"average", DOES_AVERAGE | DOES_RECKON},
    {"averages", DOES_AVERAGE | DOES_RECKON},
    {"avg", DOES_AVERAGE | DOES_RECKON},
    {"mean", DOES_AVERAGE | DOES_RECKON},
    {"median", DOES_STATISTIC},
    {"percentile", DOES_STATISTIC},
    {"percentiles", DOES_STATISTIC},
    {"quartile", DOES_STATISTIC},
    {"quartiles", DOES_STATISTIC},
    {"deviation", DOES_STATISTIC},
    {"standard", DOES_STATISTIC},
    {"stddev", DOES_STATISTIC},
    {"stdev", DOES_STATISTIC},
    {"variance", DOES_STATISTIC},
    {"typical", DOES_AVERAGE | DOES_STATISTIC},
    {"typically", DOES_AVERAGE},
    {"usually", DOES_AVERAGE | DOES_COUNT},
    {"sum", DOES_SUM | DOES_RECKON},
    {"total", REDUCES | DOES_RECKON},
    {"totals", REDUCES | DOES_RECKON},
    {"totalling", REDUCES | DOES_RECKON},
    {"combined", REDUCES | DOES_RECKON},
    {"count", DOES_COUNT | DOES_SUM},
    {"counts", DOES_COUNT | DOES_SUM},
    {"counted", DOES_COUNT | DOES_SUM},
    {"number", DOES_COUNT | DOES_SUM},
    {"numbers", DOES_COUNT | DOES_SUM},
    {"nr", DOES_COUNT | DOES_SUM},
    {"num", DOES_COUNT | DOES_SUM},
    {"quantity", DOES_COUNT | DOES_SUM},
    {"volume", DOES_COUNT | DOES_SUM},
    {"frequency", DOES_COUNT},
    {"frequent", DOES_RANK},
    {"frequently", DOES_COUNT},
    {"often", DOES_COUNT | DOES_ORDER},
    {"regular", DOES_RANK},
    {"popular", DOES_RANK | DOES_ORDER},
    {"popularity", DOES_COUNT | DOES_ORDER | DOES_SUM},
    {"common", DOES_ORDER | DOES_SET},
    {"commonly", DOES_COUNT | DOES_ORDER},
    {"rare", DOES_ORDER},
    {"rarest", EXTREME},
    {"commonest", EXTREME},
    {"active", DOES_RANK | DOES_ORDER},
    {"busiest", EXTREME},
    {"busy", EXTREME | DOES_COUNT},
    {"most", EXTREME},
    {"least", EXTREME | DOES_COMPARE},
    {"fewest", EXTREME},
    {"highest", EXTREME},
    {"high", EXTREME | DOES_COMPARE},
    {"higher", EXTREME | DOES_COMPARE},
    {"lowest", EXTREME},
    {"low", EXTREME | DOES_COMPARE},
    {"lower", EXTREME | DOES_COMPARE},
    {"top", EXTREME},
    {"bottom", EXTREME},
    {"best", EXTREME},
    {"better", EXTREME | DOES_COMPARE},
    {"worst", EXTREME},
    {"worse", EXTREME | DOES_COMPARE},
    {"biggest", EXTREME},
    {"bigger", EXTREME | DOES_COMPARE},
    {"big", EXTREME | DOES_COMPARE | REDUCES},
    {"largest", EXTREME},
    {"larger", EXTREME | DOES_COMPARE},
    {"large", EXTREME | DOES_COMPARE | REDUCES},
    {"greatest", EXTREME},
    {"greater", EXTREME | DOES_COMPARE},
    {"smallest", EXTREME},
    {"smaller", EXTREME | DOES_COMPARE},
    {"small", EXTREME | DOES_COMPARE},
    {"longest", EXTREME},
    {"longer", EXTREME | DOES_COMPARE},
    {"shortest", EXTREME},
    {"shorter", EXTREME | DOES_COMPARE},
    {"maximum", EXTREME},
    {"max", EXTREME},
    {"maximal", EXTREME},
    {"minimum", EXTREME | DOES_COMPARE},
    {"min", EXTREME | DOES_COMPARE},
    {"minimal", EXTREME},
    {"peak", EXTREME},
    {"record", EXTREME},
    {"main", EXTREME},
    {"oldest", EXTREME},
    {"youngest", EXTREME},
    {"newest", EXTREME},
    {"latest", EXTREME},
    {"earliest", EXTREME},
    {"last", EXTREME},
    {"first", EXTREME | DOES_MATCH},
    {"recent", EXTREME},
    {"recently", EXTREME},
    {"new", EXTREME | DOES_COMPARE},
    {"cheapest", EXTREME},
    {"cheaper", EXTREME | DOES_COMPARE},
    {"priciest", EXTREME},
    {"pricier", EXTREME | DOES_COMPARE},
    {"expensive", EXTREME | DOES_COMPARE},
    {"cheap", EXTREME | DOES_COMPARE},
    {"heaviest", EXTREME},
    {"tallest", EXTREME},
    {"fastest", EXTREME},
    {"slowest", EXTREME},
    {"furthest", EXTREME},
    {"extreme", EXTREME},
    {"quietest", EXTREME},
    {"quickest", EXTREME},
    {"strongest", EXTREME},
    {"weakest", EXTREME},
    {"richest", EXTREME},
    {"poorest", EXTREME},
    {"favourite", DOES_RANK | DOES_ORDER},
    {"favorite", DOES_RANK | DOES_ORDER},
    {"headcount", DOES_COUNT},
    {"mix", DOES_GROUP},
    {"rundown", DOES_GROUP | REDUCES},
    {"summary", DOES_GROUP | REDUCES},
    {"leading", EXTREME},
    {"leaderboard", EXTREME},
    {"range", DOES_LEAST | DOES_MOST | DOES_COMPARE},
    {"rank", DOES_ORDER | DOES_WINDOW},
    {"ranked", DOES_ORDER | DOES_WINDOW},
    {"ranking", DOES_ORDER | DOES_WINDOW},
    {"sorted", DOES_ORDER},
    {"sort", DOES_ORDER},
    {"ordered", DOES_ORDER},
    {"order", DOES_ORDER},
    {"ordering", DOES_ORDER},
    {"arranged", DOES_ORDER},
    {"alphabetical", DOES_ORDER},
    {"alphabetically", DOES_ORDER},
    {"alphabetic", DOES_ORDER},
    {"lexicographical", DOES_ORDER},
    {"lexicographic", DOES_ORDER},
    {"ascending", DOES_ORDER},
    {"descending", DOES_ORDER},
    {"decreasing", DOES_ORDER},
    {"increasing", DOES_ORDER},
    {"asc", DOES_ORDER},
    {"desc", DOES_ORDER},
    {"reverse", DOES_ORDER},
    {"decrease", DOES_ORDER | DOES_RECKON},
    {"group", DOES_GROUP},
    {"grouped", DOES_GROUP},
    {"groups", DOES_GROUP},
    {"breakdown", DOES_GROUP},
    {"broken", DOES_GROUP},
    {"split", DOES_GROUP},
    {"distribution", DOES_GROUP},
    {"per", DOES_GROUP},
    {"distinct", DOES_DISTINCT | DOES_GROUP},
    {"unique", DOES_DISTINCT | DOES_GROUP},
    {"different", DOES_DISTINCT | DOES_GROUP | DOES_NOT},
    {"duplicate", DOES_DISTINCT | DOES_GROUP},
    {"duplicates", DOES_DISTINCT | DOES_GROUP},
    {"hasnt", DOES_NOT | DOES_COMPARE},
    {"havent", DOES_NOT | DOES_COMPARE},
    {"hadnt", DOES_NOT | DOES_COMPARE},
    {"didnt", DOES_NOT | DOES_COMPARE},
    {"doesnt", DOES_NOT | DOES_COMPARE},
    {"dont", DOES_NOT | DOES_COMPARE},
    {"isnt", DOES_NOT | DOES_COMPARE | DOES_EQUAL},
    {"arent", DOES_NOT | DOES_COMPARE | DOES_EQUAL},
    {"wasnt", DOES_NOT | DOES_COMPARE | DOES_EQUAL},
    {"werent", DOES_NOT | DOES_COMPARE | DOES_EQUAL},
    {"second", EXTREME | DOES_LIMIT},
    {"third", EXTREME | DOES_LIMIT},
    {"fourth", EXTREME | DOES_LIMIT},
    {"fifth", EXTREME | DOES_LIMIT},
    {"without", DOES_NOT | DOES_COMPARE},
    {"never", DOES_NOT},
    {"missing", DOES_NOT},
    {"lack", DOES_NOT},
    {"lacks", DOES_NOT},
    {"lacking", DOES_NOT},
    {"empty", DOES_NOT},
    {"unknown", DOES_NOT},
    {"unassigned", DOES_NOT},
    {"anonymous", DOES_NOT},
    {"orphaned", DOES_NOT},
    {"unpaid", DOES_NOT},
    {"open", DOES_NOT},
    {"outstanding", DOES_NOT},
    {"pending", DOES_NOT},
    {"null", DOES_NOT},
    {"excluding", DOES_NOT},
    {"exclude", DOES_NOT},
    {"except", DOES_NOT},
    {"exclusively", DOES_NOT},
    {"solely", DOES_NOT},
    {"apart", DOES_NOT},
    {"aside", DOES_NOT},
    {"omitting", DOES_NOT},
    {"neither", DOES_NOT},
    {"more", DOES_COMPARE | DOES_ORDER},
    {"less", DOES_COMPARE | DOES_ORDER},
    {"fewer", DOES_COMPARE | DOES_ORDER},
    {"over", DOES_COMPARE | DOES_TIME},
    {"above", DOES_COMPARE},
    {"under", DOES_COMPARE},
    {"below", DOES_COMPARE},
    {"between", DOES_COMPARE},
    {"exceed", DOES_COMPARE},
    {"exceeds", DOES_COMPARE},
    {"exceeding", DOES_COMPARE},
    {"exceeded", DOES_COMPARE},
    {"compare", DOES_COMPARE | DOES_GROUP | DOES_SET | DOES_BRANCH},
    {"compared", DOES_COMPARE | DOES_GROUP | DOES_SET | DOES_RECKON},
    {"equal", DOES_EQUAL},
    {"equals", DOES_EQUAL},
    {"identical", DOES_EQUAL | DOES_SET | DOES_GROUP},
    {"repeat", DOES_RANK},
    {"repeated", DOES_RANK},
    {"returning", DOES_RANK},
    {"recurring", DOES_RANK},
    {"once", DOES_COUNT},
    {"twice", DOES_COUNT | DOES_RECKON},
    {"double", DOES_RECKON | DOES_RANK},
    {"multiple", DOES_RANK},
    {"several", DOES_COUNT},
    {"many", REDUCES | DOES_ORDER | DOES_RECKON},
    {"percent", DOES_RECKON | DOES_AVERAGE},
    {"percentage", DOES_RECKON | DOES_AVERAGE},
    {"percentages", DOES_RECKON | DOES_AVERAGE},
    {"pct", DOES_RECKON | DOES_AVERAGE},
    {"share", DOES_RECKON | DOES_AVERAGE},
    {"shares", DOES_RECKON | DOES_AVERAGE},
    {"proportion", DOES_RECKON | DOES_AVERAGE},
    {"fraction", DOES_RECKON | DOES_AVERAGE},
    {"ratio", DOES_RECKON | DOES_AVERAGE},
    {"rate", DOES_RECKON | DOES_AVERAGE},
    {"rates", DOES_RECKON | DOES_AVERAGE},
    {"difference", DOES_RECKON},
    {"gap", DOES_RECKON},
    {"minus", DOES_RECKON},
    {"plus", DOES_RECKON},
    {"times", DOES_RECKON | DOES_COUNT},
    {"growth", DOES_RECKON | DOES_WINDOW},
    {"grow", DOES_RECKON | DOES_WINDOW},
    {"grown", DOES_RECKON | DOES_WINDOW},
    {"grew", DOES_RECKON | DOES_WINDOW},
    {"change", DOES_RECKON | DOES_WINDOW},
    {"changed", DOES_RECKON | DOES_WINDOW},
    {"increase", DOES_RECKON | DOES_WINDOW | DOES_ORDER},
    {"increased", DOES_RECKON | DOES_WINDOW},
    {"cumulative", DOES_WINDOW},
    {"running", DOES_WINDOW},
    {"convert", DOES_RECKON},
    {"rounded", DOES_ROUND},
    {"round", DOES_ROUND},
    {"letter", DOES_MATCH},
    {"letters", DOES_MATCH | DOES_LENGTH},
    {"word", DOES_MATCH},
    {"words", DOES_MATCH},
    {"substring", DOES_MATCH},
    {"starts", DOES_MATCH},
    {"start", DOES_MATCH},
    {"starting", DOES_MATCH},
    {"begin", DOES_MATCH},
    {"begins", DOES_MATCH},
    {"beginning", DOES_MATCH},
    {"ends", DOES_MATCH},
    {"ending", DOES_MATCH},
    {"end", DOES_MATCH},
    {"initial", DOES_MATCH},
    {"prefix", DOES_MATCH},
    {"characters", DOES_LENGTH | DOES_MATCH},
    {"bucket", DOES_BRANCH | DOES_GROUP},
    {"buckets", DOES_BRANCH | DOES_GROUP},
    {"bands", DOES_BRANCH | DOES_GROUP},
    {"bracket", DOES_BRANCH | DOES_GROUP},
    {"brackets", DOES_BRANCH | DOES_GROUP},
    {"half", DOES_RECKON | DOES_COMPARE},
    {"majority", DOES_RECKON | DOES_COMPARE | DOES_ORDER},
    {"together", DOES_JOIN | REDUCES},
    {"euro", REDUCES | DOES_RECKON | DOES_COMPARE | EXTREME},
    {"euros", REDUCES | DOES_RECKON | DOES_COMPARE | EXTREME},
    {"eur", REDUCES | DOES_RECKON | DOES_COMPARE | EXTREME},
    {"dollar", REDUCES | DOES_RECKON | DOES_COMPARE | EXTREME},
    {"dollars", REDUCES | DOES_RECKON | DOES_COMPARE | EXTREME},
    {"usd", REDUCES | DOES_RECKON | DOES_COMPARE | EXTREME},
    {"bucks", REDUCES | DOES_RECKON | DOES_COMPARE | EXTREME},
    {"money", REDUCES | DOES_RECKON | EXTREME},
    {"cash", REDUCES | DOES_RECKON | EXTREME},
    {"income", REDUCES | DOES_RECKON},
    {"revenue", DOES_SUM | DOES_RECKON},
    {"turnover", DOES_SUM | DOES_RECKON},
    {"usage", REDUCES},
    {"lifetime", DOES_RECKON},
    {"weighted", DOES_RECKON},
    {"percentile", DOES_WINDOW},
#undef EXTREME
#undef REDUCES
};

#define IS_IN(word, list) str_is_among((word), (list), sizeof(list) / sizeof *(list))

static bool has_base(const char *word, const char *const *verbs, size_t verb_count)
{
    char bases[STEM_BASES][STEM_SIZE];
    size_t count = stem_bases(bases, word);
    for (size_t i = 0; i < count; i++) {
        if (str_is_among(bases[i], verbs, verb_count)) {
            return true;
        }
    }
    return false;
}

bool coverage_is_relation_verb(const char *word)
{
    return has_base(word, relation_verbs, sizeof relation_verbs / sizeof *relation_verbs);
}

bool coverage_is_making_verb(const char *word)
{
    return has_base(word, making_verbs, sizeof making_verbs / sizeof *making_verbs);
}

bool coverage_is_empty(const char *word)
{
    return (token_is_grammar(word) && strcmp(word, "average") != 0) ||
           IS_IN(word, empty_words);
}

bool coverage_is_weak(const char *word)
{
    return IS_IN(word, weak_words);
}

bool coverage_is_time(const char *word)
{
    return IS_IN(word, time_words);
}

unsigned coverage_asks_for(const char *word)
{
    unsigned asks = 0;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (*operations[i].word == *word && strcmp(word, operations[i].word) == 0) {
            asks |= operations[i].asks;
        }
    }
    return asks;
}
