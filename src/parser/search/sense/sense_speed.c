/* "The slowest" takes the most time, and "faster than a second" takes less. */
#include "base/str.h"
#include "parser/ir/ir_schema.h"
#include "parser/search/sense/sense.h"

enum speed { SPEED_UNSAID, SPEED_SLOW, SPEED_FAST };

static enum speed speed_of(const char *question)
{
    static const char *const slow[] = {"slowest", "slower than", "longest to ",
                                       "longer than"};
    static const char *const fast[] = {"fastest", "faster than", "quickest",
                                       "quicker than"};
    enum speed speed = SPEED_UNSAID;
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        speed = str_contains_nocase(question, slow[i]) ? SPEED_SLOW : speed;
    }
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++) {
        bool both = speed == SPEED_SLOW && str_contains_nocase(question, fast[i]);
        speed = both                                     ? SPEED_UNSAID
                : str_contains_nocase(question, fast[i]) ? SPEED_FAST
                                                         : speed;
    }
    return speed;
}

/* How long something took, and not how fast it went. */
static bool takes_time(const struct ir_schema *schema, struct ir_token token)
{
    static const char *const words[] = {
        "duration", "elapsed", "latency", "runtime",      "response_time", "seconds",
        "minutes",  "millis",  "delay",   "waiting_time", "time_taken",    "_days"};
    if (ir_is(token, IR_DAYS) || ir_is(token, IR_HOURS) || ir_is(token, IR_MONTHS) ||
        ir_is(token, IR_YEARS)) {
        return true;
    }
    if (token.kind != IR_COLUMN || token.index <= 0) {
        return false;
    }
    const struct ir_column *column = &schema->columns[token.index];
    bool found = column->type == IR_TYPE_NUMBER && str_ends_nocase(column->name, "_ms");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found = found || (column->type == IR_TYPE_NUMBER &&
                          str_contains_nocase(column->name, words[i]));
    }
    return found;
}

static void turn(struct ir_token *token, enum ir_keyword from, enum ir_keyword to)
{
    if (ir_is(*token, from)) {
        token->index = (int)to;
    }
}

/* The order and the extreme that stand beside a time that was taken. */
static void turn_extremes(const struct ir_schema *schema, struct ir_tokens *tokens,
                          enum speed speed)
{
    bool ordered = false;
    bool timed = false;
    for (size_t i = 0; i < tokens->count; i++) {
        struct ir_token *token = &tokens->items[i];
        ordered = ordered || ir_is(*token, IR_ORDER);
        timed = ordered && (timed || takes_time(schema, *token));
        if (timed && speed == SPEED_SLOW) {
            turn(token, IR_ASC, IR_DESC);
        } else if (timed) {
            turn(token, IR_DESC, IR_ASC);
        }
        if (i + 1 < tokens->count && takes_time(schema, tokens->items[i + 1])) {
            turn(token, speed == SPEED_SLOW ? IR_MIN : IR_MAX,
                 speed == SPEED_SLOW ? IR_MAX : IR_MIN);
        }
    }
}

void sense_speed(const struct ir_schema *schema, const char *question,
                 struct ir_tokens *tokens)
{
    static const enum ir_keyword less[] = {IR_LESS, IR_AT_MOST};
    static const enum ir_keyword more[] = {IR_GREATER, IR_AT_LEAST};
    enum speed speed = speed_of(question);
    bool timed = false;
    for (size_t i = 0; i < tokens->count; i++) {
        timed = timed || takes_time(schema, tokens->items[i]);
    }
    if (speed == SPEED_UNSAID || !timed) {
        return;
    }
    turn_extremes(schema, tokens, speed);
    if (!str_contains_nocase(question, "er than")) {
        return;
    }
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = 0; k < 2; k++) {
            turn(&tokens->items[i], speed == SPEED_SLOW ? less[k] : more[k],
                 speed == SPEED_SLOW ? more[k] : less[k]);
        }
    }
}
