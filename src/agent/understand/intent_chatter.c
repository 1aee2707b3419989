/* Messages that no data can answer: sums, insults and small talk. They get a friendly reply instead of guesses. */
#include <string.h>

#include "agent/understand/intent_words.h"
#include "base/str.h"

/* "2+2?", "what is 17 * 3": numbers and signs, and no word of its own. */
static bool is_sum(struct arena *arena, const char *question)
{
    static const char *const fillers[] = {
        "what",  "what's", "whats",  "is",         "how",     "much", "equals", "plus",
        "minus", "times",  "by",     "multiplied", "divided", "and",  "the",    "of",
        "sum",   "result", "please", "calculate",  "compute", "x",    NULL};
    static const char *const signs[] = {"plus",    "minus", "times", "multiplied",
                                        "divided", "x",     NULL};
    struct texts words = {0};
    size_t numbers = 0;
    intent_words(arena, question, &words);
    for (size_t i = 0; i < words.count; i++) {
        bool number = strspn(words.items[i], "0123456789") == strlen(words.items[i]);
        numbers += number;
        if (!number && !intent_in_list(words.items[i], fillers)) {
            return false;
        }
    }
    static const char *const asked[] = {"what",    "what's",    "whats", "how",
                                        "compute", "calculate", "is",    NULL};
    /* "03/04/2025" alone is a day, "2023 - 2024" a period */
    const char *set = intent_any_in_list(&words, asked) ? "+*/^=-" : "+*^=";
    bool sign = strpbrk(question, set) || intent_any_in_list(&words, signs);
    return numbers >= 2 && sign;
}

/* All words are of one of these lists, and one is of the first. */
static bool is_made_of(const struct texts *words, const char *const *first,
                       const char *const *others)
{
    bool found = false;
    for (size_t i = 0; i < words->count; i++) {
        if (intent_in_list(words->items[i], first)) {
            found = true;
        } else if (!intent_in_list(words->items[i], others)) {
            return false;
        }
    }
    return found;
}

static const char *const fillers[] = {
    "you",      "you're",  "youre",   "your",  "are",  "is",   "this",   "that",  "it",
    "so",       "such",    "a",       "an",    "the",  "very", "really", "just",  "thing",
    "tool",     "bot",     "i",       "me",    "my",   "what", "do",     "don't", "not",
    "at",       "all",     "of",      "to",    "off",  "go",   "away",   "was",   "how",
    "answer",   "answers", "program", "ok",    "well", "now",  "and",    "but",   "as",
    "computer", "am",      "who",     "made",  "were", "by",   "too",    "no",    "yes",
    "today",    "doing",   "up",      "there", NULL};

static bool is_insult(const struct texts *words)
{
    static const char *const insults[] = {
        "stupid",   "idiot", "idiotic",   "dumb",    "useless",  "rubbish",  "garbage",
        "crap",     "shit",  "fuck",      "fucking", "damn",     "hell",     "sucks",
        "suck",     "hate",  "moron",     "lousy",   "terrible", "pathetic", "nonsense",
        "bullshit", "silly", "worthless", NULL};
    return words->count <= 8 && is_made_of(words, insults, fillers);
}

static bool is_chat(struct arena *arena, const struct texts *words)
{
    static const char *const phrases[] = {"how are you",
                                          "how are you doing",
                                          "how are you today",
                                          "what's up",
                                          "whats up",
                                          "who made you",
                                          "are you a robot",
                                          "are you human",
                                          "are you real",
                                          "are you an ai",
                                          "what is your name",
                                          "what's your name",
                                          "nice to meet you",
                                          "i love you",
                                          "do you love me",
                                          "are you there",
                                          "lol",
                                          "haha",
                                          "test",
                                          "testing",
                                          "how old are you",
                                          "where are you from",
                                          "i am bored",
                                          "i'm bored",
                                          "what do you think",
                                          "sing a song",
                                          NULL};
    static const char *const praise[] = {"cool",      "great", "nice",    "awesome",
                                         "perfect",   "super", "amazing", "brilliant",
                                         "excellent", "smart", NULL};
    return intent_in_list(str_join(arena, words, " "), phrases) ||
           (words->count <= 6 && is_made_of(words, praise, fillers));
}

/* About the conversation itself. */
static bool is_remark(struct arena *arena, const struct texts *words)
{
    static const char *const remarks[] = {"sorry",
                                          "oh sorry",
                                          "oops",
                                          "ups",
                                          "my mistake",
                                          "sorry my mistake",
                                          "my bad",
                                          "oops sorry",
                                          "i'm sorry",
                                          "i am sorry",
                                          "never mind",
                                          "nevermind",
                                          "sorry about that",
                                          "whoops",
                                          NULL};
    return intent_in_list(str_join(arena, words, " "), remarks);
}

bool intent_is_chatter(struct arena *arena, const char *question)
{
    return intent_chatter(arena, question) != NULL;
}

const char *intent_chatter(struct arena *arena, const char *question)
{
    struct texts words = {0};
    intent_words(arena, question, &words);
    if (!words.count) {
        return NULL;
    }
    if (is_sum(arena, question)) {
        return "I calculate with the data of your databases only. Ask for a count, a sum "
               "or "
               "an average of something in them; \"what tables are there?\" shows what "
               "there is.";
    }
    if (is_insult(&words)) {
        return "I am sorry that I was no help. Tell me what you want to know about your "
               "data, if possible with the names of tables or columns; \"what tables are "
               "there?\" shows them.";
    }
    if (is_remark(arena, &words)) {
        return "No problem. Ask the next question, or say \"undo\" to go back to the "
               "answer before the last one.";
    }
    if (is_chat(arena, &words)) {
        return "I only know your data. Ask me something about it, for example how many "
               "rows a table has; \"what tables are there?\" shows what there is.";
    }
    return NULL;
}
