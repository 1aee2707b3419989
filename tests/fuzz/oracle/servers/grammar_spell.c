/* The same thing, written differently: gaps, quotes of names and texts, casts. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "grammar.h"

bool grammar_is(const struct making *work, enum dialect dialect)
{
    return work->words->dialect == dialect;
}

bool grammar_chance(struct making *work, uint32_t of_hundred)
{
    return dice_chance(work->dice, of_hundred);
}

/* Between two words. Few of them leave the statement unreadable. */
static void gap(struct making *work)
{
    static const char *const gaps[] = {"\t",       "\n",        "  ",      "\r\n",
                                       "/**/",     " /* ; */ ", " --\n",   " -- '\n",
                                       "/* \" */", "/* ' */",   "/*$$*/ ", "\f"};
    static const char *const mysql[] = {" # '\n",  "/*! */",      "/*!99999 ' */",
                                        "/*M! */", "/*!50000 */", "/*+ x */",
                                        " --\t\n"};
    static const char *const broken[] = {"/*/**/", "/* /* */ ", "/*/**/*/ ", "\v",
                                         "--\n",   "/*!*/",     "\xC2\xA0"};
    uint32_t roll = dice_roll(work->dice, 2000);
    if (roll >= 20) {
        (void)buf_char(work->out, ' ');
    } else if (roll == 0) {
        (void)buf_text(work->out, broken[dice_roll(work->dice, 7)]);
    } else if (roll < 3 && grammar_is(work, DIALECT_MYSQL)) {
        (void)buf_text(work->out, mysql[dice_roll(work->dice, 7)]);
    } else {
        (void)buf_text(work->out, gaps[dice_roll(work->dice, 12)]);
    }
}

void grammar_say(struct making *work, const char *text)
{
    (void)buf_text(work->out, text);
    gap(work);
    work->budget--;
}

void grammar_pick(struct making *work, const char *const *texts, uint32_t count)
{
    grammar_say(work, texts[dice_roll(work->dice, count)]);
}

const char *grammar_one(struct making *work, const struct texts *texts)
{
    return texts->count ? texts->items[dice_roll(work->dice, (uint32_t)texts->count)]
                        : "x";
}

static void name_escaped(struct making *work, const char *name)
{
    (void)buf_text(work->out, "U&\"");
    for (; *name; name++) {
        if (dice_roll(work->dice, 3) == 0) {
            (void)buf_format(work->out, "\\%04x", (unsigned char)*name);
        } else {
            (void)buf_char(work->out, *name);
        }
    }
    grammar_say(work, "\"");
}

static void name_quoted(struct making *work, const char *name, char quote)
{
    (void)buf_char(work->out, quote);
    (void)buf_text(work->out, name);
    (void)buf_char(work->out, quote);
    gap(work);
}

void grammar_name(struct making *work, const char *name)
{
    /* both have backticks, and names whose case matters */
    bool mysql = grammar_is(work, DIALECT_MYSQL) || grammar_is(work, DIALECT_CLICKHOUSE);
    uint32_t roll = dice_roll(work->dice, 1000);
    if (roll < 900) {
        grammar_say(work, name);
    } else if (roll < 960) {
        name_quoted(work, name, mysql ? '`' : '"');
    } else if (roll < (mysql ? 962 : 980)) {
        for (; *name; name++) {
            (void)buf_char(work->out, (char)toupper((unsigned char)*name));
        }
        gap(work);
    } else if (roll < 999 || mysql) {
        (void)buf_text(work->out, name);
        (void)buf_text(work->out, "/*x*/");
    } else {
        name_escaped(work, name);
    }
}

/* MariaDB takes sum (x), with a gap, for a function of the database. */
void grammar_call_name(struct making *work, const char *name)
{
    if (!grammar_is(work, DIALECT_POSTGRES) && grammar_chance(work, 90)) {
        (void)buf_text(work->out, name);
    } else {
        grammar_name(work, name);
    }
    grammar_say(work, "(");
}

/* How each form of a text begins and ends, and which sign of it is doubled or escaped. */
static const struct text_form {
    const char *open;
    const char *close;
    bool escapes; /* every sign as \xHH, now and then */
    enum dialect dialect;
} text_forms[] = {
    {"'", "'", false, DIALECT_POSTGRES},
    {"E'", "'", true, DIALECT_POSTGRES},
    {"U&'", "'", false, DIALECT_POSTGRES},
    {"$$", "$$", false, DIALECT_POSTGRES},
    {"$q$", "$q$", false, DIALECT_POSTGRES},
    {"e'", "'", true, DIALECT_POSTGRES},
    {"''\n'", "'", false, DIALECT_POSTGRES},
    {"N'", "'", false, DIALECT_POSTGRES},
    {"'", "'", false, DIALECT_MYSQL},
    {"\"", "\"", false, DIALECT_MYSQL},
    {"N'", "'", false, DIALECT_MYSQL},
    {"_utf8mb4'", "'", false, DIALECT_MYSQL},
    {"'' '", "'", false, DIALECT_MYSQL},
    {"'", "' ''", false, DIALECT_MYSQL},
    {"_latin1 '", "'", false, DIALECT_MYSQL},
    {"'\\", "'", false, DIALECT_MYSQL},
    {"'", "'", false, DIALECT_CLICKHOUSE},
    {"$$", "$$", false, DIALECT_CLICKHOUSE},
    {"$q$", "$q$", false, DIALECT_CLICKHOUSE},
    {"'\\", "'", false, DIALECT_CLICKHOUSE},
    {"''||'", "'", false, DIALECT_CLICKHOUSE},
    {"'", "'", true, DIALECT_CLICKHOUSE},
    {"\xE2\x80\x98", "\xE2\x80\x99", false, DIALECT_CLICKHOUSE},
    {"\"", "\"", false, DIALECT_CLICKHOUSE},
};

void grammar_text(struct making *work, const char *text)
{
    bool mysql = grammar_is(work, DIALECT_MYSQL);
    bool clickhouse = grammar_is(work, DIALECT_CLICKHOUSE);
    uint32_t number = mysql ? 8 : clickhouse ? 16 : 0;
    if (grammar_chance(work, 10)) {
        number += dice_roll(work->dice, 8);
    }
    const struct text_form *form = &text_forms[number];
    char quote = form->open[strlen(form->open) - 1];
    (void)buf_text(work->out, form->open);
    for (; *text; text++) {
        if (form->escapes && dice_roll(work->dice, 4) == 0) {
            (void)buf_format(work->out, "\\x%02x", (unsigned char)*text);
            continue;
        }
        if (*text == quote && quote != '$') {
            (void)buf_char(work->out, quote);
        }
        if (*text == '\\' &&
            (form->escapes || mysql || clickhouse || form->open[0] == 'U')) {
            (void)buf_char(work->out, '\\');
        }
        (void)buf_char(work->out, *text);
    }
    grammar_say(work, form->close);
}

enum { CAST_CALL, CAST_COLONS, CAST_TYPED };

/* Which spelling a cast gets; the value comes between begin and end. */
int grammar_cast_form(struct making *work)
{
    return !grammar_is(work, DIALECT_MYSQL) && grammar_chance(work, 50) ? CAST_COLONS
                                                                        : CAST_CALL;
}

void grammar_cast_begin(struct making *work, int form)
{
    grammar_say(work, form == CAST_COLONS ? "(" : "CAST(");
}

void grammar_cast_end(struct making *work, int form, const char *type)
{
    grammar_say(work, form == CAST_COLONS ? ")::" : "AS");
    grammar_say(work, type);
    if (form == CAST_CALL) {
        grammar_say(work, ")");
    }
}

/* The usual spelling of a type, mostly. */
const char *grammar_type(struct making *work, int kind)
{
    const char *const *casts = work->words->kinds[kind].casts;
    uint32_t count = 0;
    while (casts && casts[count]) {
        count++;
    }
    if (count == 0) {
        return grammar_is(work, DIALECT_MYSQL) ? "CHAR" : "text";
    }
    return casts[grammar_chance(work, 60) ? 0 : dice_roll(work->dice, count)];
}

static const char *some_value(struct making *work, const struct kind *kind)
{
    uint32_t count = 0;
    while (kind->values && kind->values[count]) {
        count++;
    }
    return count ? kind->values[dice_roll(work->dice, count)] : NULL;
}

void grammar_value(struct making *work, int number)
{
    const struct kind *kind = &work->words->kinds[number];
    const char *value = some_value(work, kind);
    if (!value || grammar_chance(work, 3)) {
        grammar_say(work, "NULL");
        return;
    }
    if (kind->bare && grammar_chance(work, 92)) {
        grammar_say(work, value);
        return;
    }
    if (kind->untyped && grammar_chance(work, 75)) {
        grammar_text(work, value);
        return;
    }
    const char *type = grammar_type(work, number);
    if (grammar_is(work, DIALECT_POSTGRES) && grammar_chance(work, 20) &&
        !strpbrk(type, " ([\"")) {
        grammar_say(work, type);
        grammar_text(work, value);
        return;
    }
    int form = grammar_cast_form(work);
    if (form == CAST_COLONS) {
        grammar_text(work, value);
        grammar_say(work, "::");
        grammar_say(work, type);
        return;
    }
    grammar_cast_begin(work, form);
    grammar_text(work, value);
    grammar_cast_end(work, form, type);
}

/* Kinds come in the order of how usual they are. */
int grammar_any_kind(struct making *work)
{
    enum { USUAL = 6 };
    int most = work->words->any_count - 1;
    int usual = most < USUAL ? most : USUAL;
    return 1 + (int)dice_roll(work->dice,
                              (uint32_t)(grammar_chance(work, 60) ? usual : most));
}
