/* The words of a query: chance, literals of every kind. */
#include "grammar.h"

bool grammar_chance(struct making *work, uint32_t of_hundred)
{
    return dice_roll(work->dice, 100) < of_hundred;
}

void grammar_say(struct making *work, const char *text)
{
    (void)buf_text(work->out, text);
    (void)buf_char(work->out, ' ');
    work->budget--;
}

void grammar_pick(struct making *work, const char *const *texts, uint32_t count)
{
    grammar_say(work, texts[dice_roll(work->dice, count)]);
}

char grammar_any_kind(struct making *work)
{
    return "NTDBO"[dice_roll(work->dice, 5)];
}

void grammar_literal(struct making *work, char kind)
{
    static const char *const numbers[] = {
        "1", "0", "-1", "2.5", "NULL", "7", "1e10", "100", "3", "9223372036854775807"};
    static const char *const texts[] = {
        "'Rome'", "''",           "'%a%'",       "'paid'",      "'é日'",
        "'$.a'",  "'[1,2,3]'",    "'{\"a\":1}'", "'%Y'",        "'day'",
        "'a_c'",  "'canary.csv'", "'SELECT 1'",  "'2024-01-31'"};
    static const char *const dates[] = {"'2024-01-31'", "'1999-12-31'", "NULL"};
    static const char *const booleans[] = {"TRUE", "FALSE", "NULL", "(1 = 1)"};
    static const char *const others[] = {"NULL", "x'00ff'", "[1, 2]", "INTERVAL '1' DAY"};
    switch (kind) {
    case 'T':
        PICK(work, texts);
        break;
    case 'D':
        if (work->dialect == DIALECT_DUCKDB) {
            (void)buf_text(work->out, "DATE ");
        }
        grammar_pick(work, dates, 2);
        break;
    case 'B':
        PICK(work, booleans);
        break;
    case 'O':
        PICK(work, others);
        break;
    case 'L':
        grammar_say(work, "[1, 2, 3]");
        break;
    default:
        PICK(work, numbers);
        break;
    }
}
