/* Things that are amounts of money by their name. */
#include "parser/words/money.h"

#include <stdbool.h>

#include "base/str.h"
#include "parser/words/tokens.h"

/* Nobody counts them unless he says so. */
static bool is_money(const char *word)
{
    static const char *const words[] = {
        "expenses",  "expenditures", "costs",   "fees",  "fines",    "salaries",
        "wages",     "donations",    "refunds", "sales", "earnings", "revenues",
        "spendings", "royalties",    "taxes",   "tips",  "grants",   "allowances"};
    return IS_AMONG(word, words);
}

/* Each is a paper or an act as well. */
static bool is_paper(const char *word)
{
    static const char *const words[] = {
        "payments", "invoices",  "purchases", "claims",        "bills",
        "deposits", "transfers", "charges",   "contributions", "withdrawals",
        "receipts", "payouts",   "premiums",  "reimbursements"};
    return IS_AMONG(word, words);
}

/* Of these the sum is meant where nothing says which of them: "payments per month", but not
 * "failed payments per month". */
static bool is_flow(const struct tokens *words, size_t at)
{
    static const char *const flows[] = {"payments", "payouts", "contributions",
                                        "deposits"};
    static const char *const openings[] = {
        "our",       "the",    "all",    "monthly", "show", "daily",     "weekly",
        "quarterly", "yearly", "annual", "running", "of",   "cumulative"};
    return IS_AMONG(words->items[at].text, flows) &&
           (!at || IS_AMONG(words->items[at - 1].text, openings));
}

static bool says_total(const char *word)
{
    static const char *const words[] = {"total", "totals",   "sum",  "sums",
                                        "value", "combined", "worth"};
    return IS_AMONG(word, words);
}

/* "how many", "number of", and figures that are no sums */
static bool says_other(const char *word)
{
    static const char *const words[] = {
        "many",       "number",   "numbers", "count",   "counts", "counted",   "often",
        "percentage", "percent",  "average", "avg",     "mean",   "median",    "most",
        "fewest",     "fraction", "least",   "more",    "fewer",  "less",      "no",
        "nr",         "rows",     "records", "entries", "volume", "frequency", "frequent",
        "times",      "busiest",  "any",     "without"};
    return IS_AMONG(word, words);
}

enum money_meaning money_meaning(const struct tokens *words, size_t at)
{
    const char *word = words->items[at].text;
    bool money = is_money(word);
    if (words->items[at].quoted || (!money && !is_paper(word))) {
        return MONEY_NOT_MEANT;
    }
    bool total = false;
    for (size_t i = 0; i < words->count; i++) {
        if (says_other(words->items[i].text)) {
            return MONEY_NOT_MEANT;
        }
        total = total || says_total(words->items[i].text);
    }
    if (money) {
        return total ? MONEY_SUMMED : MONEY_SUMMED_BY_CUSTOM;
    }
    return total || is_flow(words, at) ? MONEY_SUMMED_BY_CUSTOM : MONEY_NOT_MEANT;
}
