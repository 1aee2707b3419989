/* The sentence of a result: what is said of each shape, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "agent/sentence/period.h"
#include "agent/sentence/say.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/rows_json.h"

/* A result from its JSON, with ' for ". */
static void rows_of(struct arena *arena, const char *text, struct rows *rows)
{
    struct err err;
    char *json = arena_text(arena, text);
    for (char *c = json; *c; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    const json_t *parsed = json_parse(arena, json, strlen(json), &err);
    if (!parsed || !rows_read(rows, arena, parsed)) {
        fail_msg("no rows: %s", json);
    }
}

/* Facts in words: "c" and "s" are columns that count and add up, "n" others that are computed,
 * "p" plain ones; then single words. */
static struct facts facts_of(const char *text)
{
    struct facts facts = {.order = FACTS_UNORDERED, .keyed = true, .today = "2026-11-19"};
    for (size_t i = 0; text[i] && text[i] != ' '; i++) {
        struct fact_column *column = &facts.columns[i];
        column->kind = text[i] == 'c'   ? FACT_COUNT
                       : text[i] == 's' ? FACT_SUM
                       : text[i] == 'n' ? FACT_COMPUTED
                                        : FACT_PLAIN;
        column->adds = text[i] == 'c' || text[i] == 's';
        column->things = text[i] == 'c' ? "orders" : NULL;
        column->thing = text[i] == 'c' ? "order" : NULL;
        if (text[i] == 's' && strstr(text, "euro")) {
            column->unit = (struct fact_unit){"€", true};
        }
    }
    facts.whole = !strstr(text, "limit");
    facts.lacking = strstr(text, "lacking") != NULL;
    facts.untied = strstr(text, "untied") != NULL;
    facts.filtered = strstr(text, "where") != NULL;
    facts.picked = strstr(text, "having") != NULL;
    facts.distinct = strstr(text, "distinct") != NULL;
    if (strstr(text, "years")) {
        facts.columns[0].span = (struct fact_span){"2026-01-01", "2027-01-01"};
        facts.columns[1].span = (struct fact_span){"2025-01-01", "2026-01-01"};
        facts.columns[0].span_things = facts.columns[1].span_things = "members";
        facts.columns[0].things = facts.columns[1].things = NULL;
        facts.columns[0].minus = facts.columns[1].span;
    }
    facts.columns[0].difference = strstr(text, "minus") != NULL;
    facts.order = strstr(text, "by1") ? 1 : facts.order;
    facts.descending = strstr(text, "desc") != NULL;
    if (strstr(text, "riders")) {
        facts.things = facts.searched = "riders";
        facts.thing = "rider";
    }
    if (strstr(text, "end")) {
        str_put(facts.data_end, sizeof facts.data_end, "2025-12-31");
    }
    facts.columns[0].truth = strstr(text, "truth") != NULL;
    if (strstr(text, "values")) {
        facts.columns[0].things = facts.columns[0].thing = NULL;
        facts.columns[0].values = "country";
    }
    return facts;
}

struct example {
    const char *facts;
    const char *json;
    const char *sentence;
};

static void check(const char *code, const struct example *examples, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        struct facts facts = facts_of(examples[i].facts);
        struct rows rows;
        rows_of(arena, examples[i].json, &rows);
        if (strstr(examples[i].facts, "cut")) {
            rows.cut = ROWS_CUT_BY_COUNT;
        }
        const char *sentence = say_result(arena, language_find(code), &rows, &facts);
        if (strcmp(sentence, examples[i].sentence) != 0) {
            print_error("%s\n  says: %s\nwanted: %s\n", examples[i].json, sentence,
                        examples[i].sentence);
            wrong++;
        }
        arena_free(arena);
    }
    assert_int_equal(wrong, 0);
}

static const struct example english[] = {
    /* one figure */
    {"c", "{'columns':['count'],'rows':[[2400]]}", "2,400 orders."},
    {"c where", "{'columns':['count'],'rows':[[2400]]}", "2,400 orders match."},
    {"c", "{'columns':['count'],'rows':[[1]]}", "1 order."},
    {"c where", "{'columns':['count'],'rows':[[1]]}", "1 order matches."},
    {"c where", "{'columns':['count'],'rows':[[0]]}", "No orders match."},
    {"c where end", "{'columns':['count'],'rows':[[0]]}",
     "No orders match; the data end on 31 December 2025."},
    {"c values", "{'columns':['count'],'rows':[[6]]}", "6 different values of country."},
    {"c values", "{'columns':['count'],'rows':[[1]]}", "Count: 1."},
    {"s euro", "{'columns':['sum_amount'],'rows':[[-868920.5]]}",
     "Total amount: -€868,920.50."},
    {"n", "{'columns':['avg_amount'],'rows':[[354.1790980392]]}",
     "Average amount: 354.18."},
    {"n", "{'columns':['rate'],'rows':[[0.0012345]]}", "Rate: 0.00123."},
    {"s", "{'columns':['sum_amount'],'rows':[[null]]}", "Total amount: (no value)."},
    {"p truth", "{'columns':['value'],'rows':[[1]]}", "Yes."},
    {"p", "{'columns':['value'],'rows':[[false]]}", "No."},
    {"p", "{'columns':['name'],'rows':[['Ada']]}", "Name: Ada."},
    {"n", "{'columns':['last'],'rows':[['2025-03-05']]}", "Last: 5 March 2025."},
    {"n", "{'columns':['id'],'rows':[['123456789012345678901234567890']]}",
     "Id: 123456789012345678901234567890."},
    /* one row */
    {"pp", "{'columns':['first_name','last_name'],'rows':[['Finn','Fischer']]}",
     "Finn Fischer."},
    {"pcs euro", "{'columns':['country','count','sum_amount'],'rows':[['Peru',12,5.5]]}",
     "Peru: 12 orders and total amount €5.50."},
    {"nn", "{'columns':['min_price','max_price'],'rows':[[1,5]]}",
     "Min price: 1 and max price 5."},
    {"cc years", "{'columns':['count','count_2'],'rows':[[101,133]]}",
     "101 members in 2026 and 133 members in 2025."},
    {"nn", "{'columns':['count','count_2','count_3'],'rows':[[578,1422,3]]}",
     "578, 1,422 and 3."},
    {"n years minus", "{'columns':['value'],'rows':[[2768.72]]}",
     "2026 minus 2025: 2,768.72."},
    {"n minus", "{'columns':['value'],'rows':[[-5]]}", "Difference: -5."},
    {"pn", "{'columns':['name','min_duration'],'rows':[['Dr. Hahn',null]]}",
     "Dr. Hahn: no value of min duration."},
    {"ps by1 desc limit untied", "{'columns':['country','sum'],'rows':[['Peru',12]]}",
     "Sum: Peru leads with 12."},
    {"ps by1 desc limit", "{'columns':['country','sum'],'rows':[['Peru',12]]}",
     "Peru: sum 12."},
    /* nothing */
    {"p where riders", "{'columns':['name'],'rows':[]}", "No riders match."},
    {"p riders", "{'columns':['name'],'rows':[]}", "No riders."},
    {"p where", "{'columns':['name'],'rows':[]}", "No rows match."},
    /* rankings */
    {"ps euro",
     "{'columns':['country','sum'],'rows':[['A',50],['B',30],['C',10],['D',6],['E',4]]}",
     "A leads with €50, 50 % of the total; the top three of 5 together have 90 %."},
    {"ps euro",
     "{'columns':['country','sum'],'rows':[['A',9970],['B',10],['C',10],['D',10]]}",
     "A leads with €9,970, 99.7 % of the total."},
    {"pc", "{'columns':['country','n'],'rows':[['A',5],['B',5],['C',1],['D',1]]}",
     "A and B lead with 5 orders each."},
    {"pc", "{'columns':['c','n'],'rows':[['A',5],['B',5],['C',5],['D',5],['E',1]]}",
     "N: 4 of 5 share the highest value, 5 orders."},
    {"pc", "{'columns':['c','n'],'rows':[['A',1],['B',1],['C',1],['D',1]]}",
     "N: 1 order for each of the 4."},
    {"ps", "{'columns':['c','sum'],'rows':[['A',-5],['B',-7],['C',20],['D',1],['E',2]]}",
     "Sum: C leads with 20; lowest for B with -7."},
    {"ps", "{'columns':['c','sum'],'rows':[[null,9],['B',7],['C',2],['D',1],['E',1]]}",
     "Sum: B leads with 7, 35 % of the total; (no value): 9, 45 % of the total."},
    {"pc", "{'columns':['store','n'],'rows':[['(no store)',6],['A',2],['B',1],['C',1]]}",
     "A leads with 2 orders, 20 % of the total, followed by B (1 order) and C (1 order); "
     "(no store): 6 orders, 60 % of the total."},
    {"pc by1 desc limit",
     "{'columns':['store','n'],'rows':[['(no store)',6],['A',2],['B',1]]}",
     "A leads with 2 orders, followed by B (1 order); (no store): 6 orders."},
    {"pc", "{'columns':['store','n'],'rows':[[null,6],['A',2],[null,1]]}",
     "3 rows: (no value) (6 orders), A (2 orders) and (no value) (1 order)."},
    {"ppc",
     "{'columns':['store','month','n'],'rows':[[null,'2025-01',6],[null,'2025-02',5],"
     "['A','2025-01',2]]}",
     "3 rows: (no value) in January 2025 (6 orders), (no value) in February 2025 (5 "
     "orders) and A "
     "in January 2025 (2 orders)."},
    {"pc", "{'columns':['store','n'],'rows':[['A',6],[null,2],['B',1]]}",
     "A leads with 6 orders, 67 % of the total, followed by (no value) (2 orders) and B "
     "(1 order)."},
    {"pn", "{'columns':['c','avg_x'],'rows':[['A',1],['B',7],['C',2],['D',4.25]]}",
     "Average x: highest for B with 7; lowest for A with 1."},
    {"pc by1 desc limit",
     "{'columns':['c','n'],'rows':[['A',9],['B',7],['C',7],['D',1]]}",
     "A leads with 9 orders, followed by B (7 orders) and C (7 orders)."},
    {"pc by1 limit", "{'columns':['c','n'],'rows':[['A',1],['B',7],['C',8]]}",
     "N: lowest for A with 1 order, followed by B (7 orders) and C (8 orders)."},
    {"pc limit", "{'columns':['c','n'],'rows':[['A',9],['B',7],['C',2]]}",
     "3 rows: A (9 orders), B (7 orders) and C (2 orders)."},
    {"pc cut", "{'columns':['c','n'],'rows':[['A',9],['B',7],['C',2],['D',1]]}",
     "More than 4 rows, among them A (9 orders), B (7 orders) and C (2 orders)."},
    {"pc", "{'columns':['c','n'],'rows':[['A',9],['A',7],['C',2],['D',1]]}",
     "4 rows: A (9 orders), A (7 orders), C (2 orders) and D (1 order)."},
    {"pc",
     "{'columns':['c','n'],'rows':[['A',1000000000001],['B',1000000000000],['C',1],"
     "['D',1]]}",
     "A leads with 1,000,000,000,001 orders, 50 % of the total."},
    {"ps",
     "{'columns':['c','sum'],'rows':[['A',0.30000000000000004],['B',0.3],['C',0],"
     "['D',0]]}",
     "Sum: A and B lead with 0.3 each."},
    /* comparisons */
    {"pc", "{'columns':['c','n'],'rows':[['online',60],['store',40]]}",
     "online leads with 60 orders, 60 % of the total, followed by store (40 orders); "
     "online is 50 % higher."},
    {"pc", "{'columns':['c','n'],'rows':[['online',6],['store',6]]}",
     "N: 6 orders each for online and store."},
    {"pn", "{'columns':['c','avg_x'],'rows':[['A',0.5],['B',0]]}",
     "Average x: highest for A with 0.5, followed by B (0)."},
    /* series */
    {"ps",
     "{'columns':['month','sum'],'rows':[['2025-01',63064],['2025-02',50000.4],"
     "['2025-11',150000],['2025-12',145134]]}",
     "Sum rose from 63,064 in January 2025 to 145,134 in December 2025 (+130 %); months "
     "without a row in between: 8."},
    {"ps",
     "{'columns':['month','sum'],'rows':[['2025-01',63064],['2025-02',50000.4],"
     "['2025-03',150000],['2025-04',145134]]}",
     "Sum rose from 63,064 in January 2025 to 145,134 in April 2025 (+130 %); "
     "highest: March 2025 with 150,000; lowest: February 2025 with 50,000."},
    {"pc", "{'columns':['month','n'],'rows':[['2024-01',1],['2024-10',1]]}",
     "Orders: 1 both in January 2024 and in October 2024; months without a row in "
     "between: 8."},
    {"pc", "{'columns':['year','n'],'rows':[[2019,4],[2021,1],[2022,2]]}",
     "Orders fell from 4 in 2019 to 2 in 2022 (-50 %); years without a row in between: "
     "1."},
    {"pc", "{'columns':['q','n'],'rows':[['2024-Q1',4],['2024-Q4',1],['2025-Q1',2]]}",
     "Orders fell from 4 in Q1 2024 to 2 in Q1 2025 (-50 %); quarters without a row in "
     "between: 2."},
    {"pc",
     "{'columns':['m','n'],'rows':[['2025-01-01',4],['2025-02-01',1],['2025-05-01',2]]}",
     "Orders fell from 4 in January 2025 to 2 in May 2025 (-50 %); months without a row "
     "in between: 2."},
    {"pc",
     "{'columns':['d','n'],'rows':[['2025-01-02',4],['2025-01-05',1],['2025-01-07',2]]}",
     "Orders fell from 4 on 2 January 2025 to 2 on 7 January 2025 (-50 %)."},
    {"pc", "{'columns':['year','n'],'rows':[[null,9],[2019,4],[2020,1],[2021,2]]}",
     "Orders fell from 4 in 2019 to 2 in 2021 (-50 %); lowest: 2020 with 1; without a "
     "period: 9."},
    {"pc", "{'columns':['year','n'],'rows':[[2019,4],[2020,2],[null,1]]}",
     "Orders fell from 4 in 2019 to 2 in 2020 (-50 %); without a period: 1."},
    {"pn", "{'columns':['month','growth'],'rows':[['2025-01',null],['2025-02',8.5]]}",
     "2 rows: January 2025 (no value) and February 2025 (8.5)."},
    {"ps",
     "{'columns':['month','sum'],'rows':[['2026-11',5],['2026-10',20],['2026-09',10]]}",
     "Sum rose from 10 in September 2026 to 20 in October 2026 (+100 %); November 2026 "
     "is not over yet: 5 so far."},
    {"pc where having",
     "{'columns':['month','n'],'rows':[['2025-01',55],['2025-06',57],['2025-12',52]]}",
     "Orders fell from 55 in January 2025 to 52 in December 2025 (-5.5 %)."},
    {"pc",
     "{'columns':['month','n'],'rows':[['2026-08',50],['2026-09',40],['2026-10',60],"
     "['2026-11',30],['2026-12',2]]}",
     "Orders rose from 50 in August 2026 to 60 in October 2026 (+20 %); lowest: "
     "September "
     "2026 with 40; November 2026 is not over yet: 30 so far; December 2026 lies in the "
     "future: 2 so far."},
    {"pc",
     "{'columns':['month','n'],'rows':[['2027-01',1],['2026-12',99],['2026-10',60],"
     "['2026-09',40]]}",
     "Orders rose from 40 in September 2026 to 60 in October 2026 (+50 %); 2 later "
     "periods "
     "lie in the future."},
    {"pc", "{'columns':['year','n'],'rows':[[2027,10],[2028,12]]}",
     "Orders rose from 10 in 2027 to 12 in 2028 (+20 %)."},
    {"pc",
     "{'columns':['day','n'],'rows':[['2026-11-18',10],['2026-11-19',12],"
     "['2026-11-20',1]]}",
     "Orders: 10 on 18 November 2026; 19 November 2026 is not over yet: 12 so far; 20 "
     "November 2026 lies in the future: 1 so far."},
    {"pc", "{'columns':['year','n'],'rows':[[2024,10],[2025,10]]}",
     "Orders: 10 both in 2024 and in 2025."},
    {"ps",
     "{'columns':['m','sum'],'rows':[['2025-01-01 00:00:00',4],"
     "['2025-02-01 00:00:00',3],['2025-03-01 00:00:00',1]]}",
     "Sum fell from 4 in January 2025 to 1 in March 2025 (-75 %)."},
    {"ps", "{'columns':['d','sum'],'rows':[['2025-01-01',0],['2025-01-02',3]]}",
     "Sum rose from 0 on 1 January 2025 to 3 on 2 January 2025."},
    {"ps", "{'columns':['d','sum'],'rows':[['2025-01-01',-4],['2025-01-02',3]]}",
     "Sum rose from -4 on 1 January 2025 to 3 on 2 January 2025."},
    {"ps", "{'columns':['m','sum'],'rows':[['January',1000.2],['February',1000.4]]}",
     "Sum rose from 1,000.2 in January to 1,000.4 in February (less than 0.1 %)."},
    {"ps cut", "{'columns':['d','sum'],'rows':[['2025-01-01',4],['2025-01-02',3]]}",
     "More than 2 rows, among them 1 January 2025 (4) and 2 January 2025 (3)."},
    /* groups that have no row */
    {"ps lacking",
     "{'columns':['c','sum'],'rows':[['A',-5],['B',-7],['C',20],['D',1],['E',2]]}",
     "Sum: C leads with 20; lowest for B with -7."},
    {"ps lacking",
     "{'columns':['c','sum'],'rows':[['A',5],['B',7],['C',20],['D',1],['E',2]]}",
     "Sum: C leads with 20, 57 % of the total; the top three of 5 together have 91 %."},
    {"pc by1 limit lacking", "{'columns':['c','n'],'rows':[['A',1],['B',7],['C',8]]}",
     "N: lowest shown for A with 1 order, followed by B (7 orders) and C (8 orders)."},
    {"pc by1 limit lacking", "{'columns':['c','n'],'rows':[['A',1],['B',1],['C',8]]}",
     "N: lowest shown for A and B with 1 order each, followed by C (8 orders)."},
    {"pc by1", "{'columns':['year','n'],'rows':[[2020,1],[2024,7],[2021,8],[2022,9]]}",
     "N: lowest shown for 2020 with 1 order."},
    {"pc by1 limit lacking", "{'columns':['c','n'],'rows':[['A',0],['B',7],['C',8]]}",
     "N: lowest for A with 0 orders, followed by B (7 orders) and C (8 orders)."},
    {"ps by1 limit untied lacking", "{'columns':['country','sum'],'rows':[['Peru',12]]}",
     "Peru: sum 12."},
    {"ppc",
     "{'columns':['first_name','last_name','n'],'rows':[['(no patron)','(no patron)',9],"
     "['A','B',3]]}",
     "A B leads with 3 orders, 25 % of the total; (no patron): 9 orders, 75 % of the "
     "total."},
    {"ppp by1 limit",
     "{'columns':['no','balance','born'],'rows':[['D-1',-5.5,1965],['D-2',-4.5,1983]]}",
     "Balance: lowest for D-1 with -5.5, followed by D-2 (-4.5)."},
    /* lists */
    {"pp riders",
     "{'columns':['ride_id','status'],'rows':[[4,'done'],[5,'done'],[6,'late']]}",
     "3 riders: ride id 4, ride id 5 and ride id 6."},
    {"p riders", "{'columns':['status'],'rows':[['a'],['b'],['c'],['d'],['e'],['a']]}",
     "6 riders."},
    {"p riders", "{'columns':['name'],'rows':[['A'],['A'],['B']]}", "3 riders."},
    {"p riders", "{'columns':['city'],'rows':[['A'],['B']]}",
     "2 riders (city): A and B."},
    {"p riders", "{'columns':['city'],'rows':[['A'],[null]]}", "2 riders."},
    {"p riders", "{'columns':['rider_no'],'rows':[['A1'],['B2']]}",
     "2 riders: A1 and B2."},
    {"ppppppp", "{'columns':['name','a','b','c','d','e','f'],'rows':[['X',1,2,3,4,5,6]]}",
     "X: a 1, b 2, c 3, d 4, e 5 and 1 more value."},
    {"ppppppp",
     "{'columns':['name','a','b','c','d','e','f','g'],'rows':[['X',1,2,3,4,5,6,7]]}",
     "X: a 1, b 2, c 3, d 4, e 5 and 2 more values."},
    /* halves */
    {"n", "{'columns':['avg_x'],'rows':[[1.005]]}", "Average x: 1.01."},
    {"n", "{'columns':['avg_x'],'rows':[[-2.125]]}", "Average x: -2.13."},
    {"ps", "{'columns':['c','sum'],'rows':[['A',2500.5],['B',10],['C',10],['D',10]]}",
     "Sum: A leads with 2,501, 99 % of the total."},
    {"p riders", "{'columns':['name'],'rows':[['A'],['B'],['C'],['D'],['E'],['F']]}",
     "6 riders: A, B, C, and 3 more."},
    {"p riders", "{'columns':['name'],'rows':[['A'],['B']]}", "2 riders: A and B."},
    {"p distinct riders", "{'columns':['country'],'rows':[['A'],['B']]}",
     "2 different values of country: A and B."},
    {"p cut", "{'columns':['name'],'rows':[['A'],['B'],['C'],['D']]}",
     "More than 4 rows, among them A, B and C."},
    {"p cut", "{'columns':['name'],'rows':[['A'],['A'],['B'],['A']]}",
     "More than 4 rows, among them A and B."},
    {"pp", "{'columns':['x','y'],'rows':[[1.5,2.5],[2.5,3.5]]}", "2 rows."},
};

static void english_sentences(void **state)
{
    (void)state;
    check("en", english, sizeof english / sizeof *english);
}

static void german_sentences(void **state)
{
    (void)state;
    static const struct example german[] = {
        {"ppppppp",
         "{'columns':['name','a','b','c','d','e','f'],'rows':[['X',1,2,3,4,5,6]]}",
         "X: a 1, b 2, c 3, d 4, e 5 und 1 weiterer Wert."},
        {"c where end", "{'columns':['count'],'rows':[[0]]}",
         "Keine orders erfüllen die Bedingungen; die Daten enden am 31. Dezember 2025."},
        {"ps euro",
         "{'columns':['c','sum'],'rows':[['A',5000.6],['B',30],['C',10],['D',6]]}",
         "A führt mit 5.001 €, 99 % der Summe."},
        {"ps", "{'columns':['m','sum'],'rows':[['2025-01',4],['2025-02',5]]}",
         "Sum: von 4 im Januar 2025 auf 5 im Februar 2025 gestiegen (+25 %)."},
        {"p riders", "{'columns':['name'],'rows':[['A'],['B'],['C'],['D'],['E'],['F']]}",
         "6 riders: A, B, C und 3 weitere."},
    };
    check("de-AT,en;q=0.5", german, sizeof german / sizeof *german);
}

static void spanish_sentences(void **state)
{
    (void)state;
    static const struct example spanish[] = {
        {"ppppppp",
         "{'columns':['name','a','b','c','d','e','f'],'rows':[['X',1,2,3,4,5,6]]}",
         "X: a 1, b 2, c 3, d 4, e 5 y 1 valor más."},
        {"c", "{'columns':['count'],'rows':[[2400]]}", "2400 orders."},
        {"c", "{'columns':['count'],'rows':[[24000]]}", "24.000 orders."},
        {"ps", "{'columns':['m','sum'],'rows':[['2025-01-01',4],['2025-02-03',5]]}",
         "Sum: subió de 4 el 1 de enero de 2025 a 5 el 3 de febrero de 2025 (+25 %)."},
    };
    check("fr, es-MX", spanish, sizeof spanish / sizeof *spanish);
}

/* Texts of cells are one short line, in quotes if they read like a sentence. */
static void cells_are_tamed(void **state)
{
    (void)state;
    static const struct example hostile[] = {
        {"p", "{'columns':['name'],'rows':[['a\\nb\\u0007 c\\u202e d']]}",
         "Name: a b c d."},
        {"p", "{'columns':['name'],'rows':[['A leads with 5. Trust me, now']]}",
         "Name: “A leads with 5. Trust me, now”."},
        {"p", "{'columns':['name'],'rows':[['<b>x</b>']]}", "Name: “<b>x</b>”."},
        {"p", "{'columns':['name'],'rows':[['a” leads “b']]}", "Name: “a' leads 'b”."},
        {"p", "{'columns':['name'],'rows':[['']]}", "Name: (empty)."},
        {"p", "{'columns':['a; DROP'],'rows':[['x']]}", "“a; DROP”: x."},
        {"p",
         "{'columns':['name'],'rows':[['"
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']]}",
         "Name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…."},
    };
    check("en", hostile, sizeof hostile / sizeof *hostile);
}

static void changed_rows(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    assert_string_equal(say_changed(arena, language_find("en"), 1), "1 row was changed.");
    assert_string_equal(say_changed(arena, language_find("de"), 1200),
                        "1.200 Zeilen wurden geändert.");
    arena_free(arena);
}

static void languages_are_found(void **state)
{
    (void)state;
    static const char *const codes[][2] = {
        {"de", "de"}, {"DE-de", "de"}, {"en-US,de", "en"}, {"fr,es;q=0.8", "es"},
        {"fr", NULL}, {"", NULL},      {"deu", NULL},      {",,, es", "es"}};
    assert_null(language_find(NULL));
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        const struct language *language = language_find(codes[i][0]);
        if (!codes[i][1]) {
            assert_null(language);
        } else {
            assert_non_null(language);
            assert_string_equal(language->code, codes[i][1]);
        }
    }
}

/* Every language has every phrase, with all that the phrase is about and nothing else. */
static void phrases_are_complete(void **state)
{
    (void)state;
    static const char *const slots[PHRASE_COUNT_OF] = {
#define PHRASE(name, slots) slots,
#include "agent/sentence/phrases.def"
#undef PHRASE
    };
    struct arena *arena = arena_new();
    for (size_t l = 0; language_get(l); l++) {
        for (size_t p = 0; p < PHRASE_COUNT_OF; p++) {
            const char *text = language_get(l)->phrases[p];
            struct texts wanted = {0};
            size_t found = 0;
            assert_non_null(text);
            if (*slots[p]) {
                str_split(arena, slots[p], ' ', &wanted);
            }
            for (size_t i = 0; i < wanted.count; i++) {
                assert_non_null(
                    strstr(text, arena_format(arena, "{%s}", wanted.items[i])));
            }
            for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{')) {
                found++;
            }
            assert_int_equal(found, wanted.count);
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(english_sentences),   cmocka_unit_test(german_sentences),
        cmocka_unit_test(spanish_sentences),   cmocka_unit_test(cells_are_tamed),
        cmocka_unit_test(changed_rows),        cmocka_unit_test(languages_are_found),
        cmocka_unit_test(phrases_are_complete)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
