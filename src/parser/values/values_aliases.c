/* Different ways to say the same value: countries and their people, states, codes. */
#include <stdlib.h>
#include <string.h>

#include "parser/values/values_state.h"

/* Each row: what people write, then, after a semicolon, codes that are taken as such only
 * when written in capitals ("in" is a word, "IN" may be India). All stand for each other.
 * Our own list. */
static const char *const rows[] = {
    "united states|usa|america|united states of america|u.s.|american;US",
    "united states|usa|u.s.a.|americans|states;US",
    "united kingdom|uk|great britain|britain|england|u.k.|british;GB|GBR",
    "england|english",
    "scotland|scottish",
    "ireland|irish;IE|IRL",
    "france|french;FR|FRA",
    "germany|german|germans;DE|DEU|GER",
    "italy|italian|italians;IT|ITA",
    "spain|spanish;ES|ESP",
    "portugal|portuguese;PT|PRT|POR",
    "netherlands|holland|dutch;NL|NLD|NED",
    "belgium|belgian;BE|BEL",
    "switzerland|swiss;CH|CHE|SUI",
    "austria|austrian;AT|AUT",
    "sweden|swedish;SE|SWE",
    "norway|norwegian;NO|NOR",
    "denmark|danish;DK|DNK|DEN",
    "finland|finnish;FI|FIN",
    "poland|polish;PL|POL",
    "czech republic|czech|czechia;CZ|CZE",
    "hungary|hungarian;HU|HUN",
    "greece|greek;GR|GRC|GRE",
    "turkey|turkish;TR|TUR",
    "russia|russian|russian federation|russians;RU|RUS",
    "ukraine|ukrainian;UA|UKR",
    "romania|romanian;RO|ROU",
    "bulgaria|bulgarian;BG|BGR|BUL",
    "serbia|serbian;RS|SRB",
    "croatia|croatian;HR|HRV|CRO",
    "canada|canadian|canadians;CA|CAN",
    "mexico|mexican;MX|MEX",
    "brazil|brazilian;BR|BRA",
    "argentina|argentine|argentinian;AR|ARG",
    "chile|chilean;CL|CHL|CHI",
    "colombia|colombian;CO|COL",
    "peru|peruvian;PE|PER",
    "venezuela|venezuelan;VE|VEN",
    "cuba|cuban;CU|CUB",
    "japan|japanese;JP|JPN",
    "china|chinese;CN|CHN",
    "south korea|korea|korean|republic of korea;KR|KOR",
    "india|indian;IN|IND",
    "pakistan|pakistani;PK|PAK",
    "bangladesh|bangladeshi;BD|BGD",
    "indonesia|indonesian;ID|IDN",
    "malaysia|malaysian;MY|MYS",
    "philippines|filipino|philippine;PH|PHL",
    "thailand|thai;TH|THA",
    "vietnam|vietnamese;VN|VNM",
    "singapore|singaporean;SG|SGP",
    "australia|australian|australians;AU|AUS",
    "new zealand|kiwi;NZ|NZL",
    "israel|israeli;IL|ISR",
    "egypt|egyptian;EG|EGY",
    "saudi arabia|saudi;SA|SAU",
    "united arab emirates|uae|emirati;AE|ARE",
    "iran|iranian;IR|IRN",
    "iraq|iraqi;IQ|IRQ",
    "south africa|south african;ZA|ZAF",
    "nigeria|nigerian;NG|NGA",
    "kenya|kenyan;KE|KEN",
    "morocco|moroccan;MA|MAR",
    "europe|european;EU",
    "asia|asian",
    "africa|african",
    "new york|nyc|new york city|ny",
    "los angeles|la|l.a.",
    "san francisco|sf",
    "washington|washington dc|washington d.c.|d.c.;DC|WA",
    "alabama;AL",
    "alaska;AK",
    "arizona;AZ",
    "arkansas;AR",
    "california|calif;CA",
    "colorado;CO",
    "connecticut;CT",
    "delaware;DE",
    "florida;FL",
    "georgia;GA",
    "hawaii;HI",
    "idaho;ID",
    "illinois;IL",
    "indiana;IN",
    "iowa;IA",
    "kansas;KS",
    "kentucky;KY",
    "louisiana;LA",
    "maine;ME",
    "maryland;MD",
    "massachusetts;MA",
    "michigan;MI",
    "minnesota;MN",
    "mississippi;MS",
    "missouri;MO",
    "montana;MT",
    "nebraska;NE",
    "nevada;NV",
    "new hampshire;NH",
    "new jersey;NJ",
    "new mexico;NM",
    "new york;NY",
    "north carolina;NC",
    "north dakota;ND",
    "ohio;OH",
    "oklahoma;OK",
    "oregon;OR",
    "pennsylvania;PA",
    "rhode island;RI",
    "south carolina;SC",
    "south dakota;SD",
    "tennessee;TN",
    "texas|texan;TX",
    "utah;UT",
    "vermont;VT",
    "virginia;VA",
    "west virginia;WV",
    "wisconsin;WI",
    "wyoming;WY",
    "ontario;ON",
    "quebec;QC",
    "british columbia;BC",
    "female|females|woman|women|girl|girls;F",
    "male|males|man|men|boy|boys;M",
    "married;M",
    "single;S",
    "january;JAN",
    "february;FEB",
    "march;MAR",
    "april;APR",
    "june;JUN",
    "july;JUL",
    "august;AUG",
    "september|sept;SEP",
    "october;OCT",
    "november;NOV",
    "december;DEC",
    "monday;MON",
    "tuesday|tues;TUE",
    "wednesday;WED",
    "thursday|thurs;THU",
    "friday;FRI",
    "saturday;SAT",
    "sunday;SUN",
    "dollar|dollars|us dollar;USD",
    "euro|euros;EUR",
    "pound|pounds|sterling;GBP",
    "yen;JPY",
    "cancelled|canceled|cancellation|cancellations|cancels|called off",
    "delivered|delivery|deliveries|arrived",
    "shipped|shipping|dispatched|sent",
    "completed|complete|done|finished|completion|completions",
    "paid|payed|settled|payment",
    "unpaid|not paid|open|outstanding|unsettled",
    "overdue|past due|late|delayed",
    "late|delayed|delay|delays|behind schedule",
    "pending|waiting|awaiting|outstanding|not yet",
    "in progress|ongoing|underway|running|in_progress|wip",
    "resolved|solved|fixed",
    "open|unresolved|unsolved|not closed",
    "won|win|wins|winning|closed won",
    "lost|loss|losses|losing|closed lost",
    "rejected|declined|denied|refused|turned down|rejection|rejections",
    "approved|accepted|granted|approval|approvals",
    "failed|failure|failures|unsuccessful|fail|fails",
    "successful|success|succeeded|successes|ok",
    "passed|pass|passes",
    "draft|drafts|unsent",
    "no show|no-show|noshow|no shows|no-shows|noshows|no_show|missed|absent",
    "active|enabled|live",
    "inactive|not active|disabled|dormant",
    "terminated|fired|dismissed|let go",
    "retired|retiree|retirees",
    "refunded|refund|refunds",
    "returned|return|returns|sent back",
    "churned|churn|cancelled|left",
    "part time|part-time|part_time|parttime|part timer|part timers|part-timers",
    "full time|full-time|full_time|fulltime|full timer|full timers|full-timers",
    "contractor|contractors|freelancer|freelancers|contract|freelance",
    "intern|interns|trainee|trainees|internship",
    "electric|ev|evs|electric car|electric cars",
    "online|web|internet|website|ecommerce",
    "store|in store|in-store|offline|walk in|walk-in",
    "mobile|phone|smartphone|cell",
    "phone|call|telephone",
    "email|e-mail|mail",
    "desktop|computer|pc",
    "credit card|credit|card",
    "debit card|debit",
    "bank transfer|transfer|wire|wire transfer",
    "high|urgent",
    "critical|urgent|severe",
    "low|minor",
    "beginner|beginners|novice|novices",
    "business|company|corporate|b2b|commercial|companies",
    "consumer|private|b2c|personal|individual|individuals",
    "premium|pro",
    "free|trial|freemium",
    "yearly|annual|annually|per year",
    "monthly|per month",
    "used|second hand|second-hand|preowned|pre-owned",
    "vegetarian|veggie|meatless",
    "ios|iphone|apple",
    "vip|gold",
};

enum { PART_MOST = 48 };

/* Reads one part of a row; returns where the next one starts, or NULL at the end. */
static const char *next_part(const char *at, char out[PART_MOST], bool *code)
{
    size_t size = strcspn(at, "|;");
    size_t kept = size < PART_MOST - 1 ? size : PART_MOST - 1;
    memcpy(out, at, kept);
    out[kept] = '\0';
    if (at[size] == ';') {
        *code = true;
    }
    return at[size] ? at + size + 1 : NULL;
}

static bool same_code(const char *code, const char *word)
{
    for (; *code && *word; code++, word++) {
        if ((*code | 32) != *word) {
            return false;
        }
    }
    return *code == *word;
}

static bool row_has(const char *row, const char *word, bool upper)
{
    char part[PART_MOST];
    bool code = false;
    for (const char *at = row; at;) {
        bool is_code = code;
        at = next_part(at, part, &code);
        if (is_code ? upper && same_code(part, word) : strcmp(part, word) == 0) {
            return true;
        }
    }
    return false;
}

void values_aliases(const char *word, bool upper,
                    void (*found)(void *context, const char *alias), void *context)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!row_has(rows[i], word, upper)) {
            continue;
        }
        char part[PART_MOST];
        bool code = false;
        for (const char *at = rows[i]; at;) {
            at = next_part(at, part, &code);
            if (!same_code(part, word)) {
                found(context, part);
            }
        }
    }
}

bool values_number_word(const char *word, long *value)
{
    static const struct {
        const char *word;
        long value;
    } numbers[] = {
        {"zero", 0},          {"one", 1},
        {"two", 2},           {"three", 3},
        {"four", 4},          {"five", 5},
        {"six", 6},           {"seven", 7},
        {"eight", 8},         {"nine", 9},
        {"ten", 10},          {"eleven", 11},
        {"twelve", 12},       {"thirteen", 13},
        {"fourteen", 14},     {"fifteen", 15},
        {"sixteen", 16},      {"seventeen", 17},
        {"eighteen", 18},     {"nineteen", 19},
        {"twenty", 20},       {"thirty", 30},
        {"forty", 40},        {"fifty", 50},
        {"sixty", 60},        {"seventy", 70},
        {"eighty", 80},       {"ninety", 90},
        {"hundred", 100},     {"thousand", 1000},
        {"million", 1000000}, {"billion", 1000000000},
        {"once", 1},          {"twice", 2},
        {"thrice", 3},        {"dozen", 12},
        {"fourth", 4},        {"fifth", 5},
        {"sixth", 6},         {"seventh", 7},
        {"eighth", 8},        {"ninth", 9},
        {"tenth", 10},        {"double", 2},
        {"couple", 2},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (*numbers[i].word == *word && strcmp(numbers[i].word, word) == 0) {
            *value = numbers[i].value;
            return true;
        }
    }
    return false;
}

int values_month(const char *word, bool *doubtful)
{
    static const char *const months[] = {"january",   "february", "march",    "april",
                                         "may",       "june",     "july",     "august",
                                         "september", "october",  "november", "december"};
    size_t size = strlen(word);
    *doubtful = size == 3 || strcmp(word, "march") == 0 || strcmp(word, "august") == 0;
    for (int i = 0; i < 12; i++) {
        if (strcmp(word, months[i]) == 0 ||
            (size == 3 && strncmp(word, months[i], 3) == 0) ||
            (i == 8 && strcmp(word, "sept") == 0)) {
            return i + 1;
        }
    }
    return 0;
}
