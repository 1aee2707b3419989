/* What a model says to people: plain words, nothing in them is live. */
#include "agent/saying.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/scan.h"
#include "base/str.h"
#include "base/utf8.h"

enum { LABEL_MOST = 300, TARGET_MOST = 4000 };

static const char removed[] = "(link removed)";

struct sayer {
    struct buf *out;
    const char *text;
    size_t size;
    const char *asked;
};

static void say_all(struct sayer *sayer, size_t most);

static size_t saying_find(const struct sayer *sayer, size_t from, char sign, size_t most)
{
    size_t end = sayer->size - from < most ? sayer->size : from + most;
    for (size_t at = from; at < end; at++) {
        if (sayer->text[at] == sign) {
            return at;
        }
    }
    return sayer->size;
}

static bool ends_address(char c)
{
    return isspace((unsigned char)c) || strchr("<>\"'`()[]{}|\\^", c);
}

/* https:host, which browsers read as https://host, and schemes that need no slashes. */
static bool is_scheme(const char *text, size_t left, size_t size)
{
    static const char *const schemes[] = {"http",     "https",  "ftp", "javascript",
                                          "vbscript", "mailto", "xmpp"};
    for (size_t i = 0;
         size + 1 < left && text[size] == ':' && !ends_address(text[size + 1]) &&
         i < sizeof schemes / sizeof *schemes;
         i++) {
        if (strlen(schemes[i]) == size && !strncasecmp(text, schemes[i], size)) {
            return true;
        }
    }
    return false;
}

/* //host.org: without a dot it may be a comment. */
static bool is_host(const char *text, size_t left)
{
    size_t end = 2;
    bool dot = false;
    if (left < 3 || text[0] != '/' || text[1] != '/') {
        return false;
    }
    while (end < left &&
           (isalnum((unsigned char)text[end]) || strchr("-._", text[end]))) {
        dot = dot || (text[end] == '.' && end > 2 && end + 1 < left &&
                      isalnum((unsigned char)text[end + 1]));
        end++;
    }
    return dot;
}

static bool is_mail_sign(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("._+-", c));
}

/* Bytes of a mail address that begins here. */
static size_t mail_at(const struct sayer *sayer, size_t at)
{
    const char *text = sayer->text;
    size_t end = at;
    if (at > 0 && is_mail_sign(text[at - 1])) {
        return 0;
    }
    while (end < sayer->size && is_mail_sign(text[end])) {
        end++;
    }
    if (end == at || end + 1 >= sayer->size || text[end] != '@' ||
        !isalnum((unsigned char)text[end + 1])) {
        return 0;
    }
    end++;
    while (end < sayer->size && is_mail_sign(text[end]) && text[end] != '+') {
        end++;
    }
    return end - at;
}

/* Bytes of an address that begins here: scheme://…, //host, www.… or somebody@host. */
static size_t address_at(const struct sayer *sayer, size_t at)
{
    const char *text = sayer->text + at;
    size_t left = sayer->size - at;
    size_t mail = mail_at(sayer, at);
    size_t scheme = 0;
    if (mail) {
        return mail;
    }
    while (scheme < left && scheme < 20 &&
           (isalnum((unsigned char)text[scheme]) || strchr("+.-", text[scheme]))) {
        scheme++;
    }
    bool known = (scheme && left - scheme > 3 && !memcmp(text + scheme, "://", 3)) ||
                 (left > 4 && !strncasecmp(text, "www.", 4)) ||
                 (left > 5 && !strncasecmp(text, "data:", 5) && text[5] != ' ') ||
                 is_scheme(text, left, scheme) || is_host(text, left);
    if (!known) {
        return 0;
    }
    size_t end =
        scheme ? scheme : 2; /* of "www.a.org" all of it, and no word behind it */
    while (end < left && text[end] && !ends_address(text[end])) {
        end++;
    }
    return end;
}

static bool was_asked(const struct sayer *sayer, const char *address, size_t size)
{
    const char *asked = sayer->asked;
    return asked && memmem(asked, strlen(asked), address, size);
}

static bool begins_word(const struct sayer *sayer, size_t at)
{
    return at == 0 || !isalnum((unsigned char)sayer->text[at - 1]);
}

/* Behind "[words]": the end of what makes a link of them, or 0. */
static size_t target_end(const struct sayer *sayer, size_t at, size_t close)
{
    char next = close + 1 < sayer->size ? sayer->text[close + 1] : ' ';
    bool picture = sayer->text[at] == '!';
    if (next == '(') {
        size_t end = saying_find(sayer, close + 2, ')', TARGET_MOST);
        return end == sayer->size ? close + 2 : end + 1;
    }
    if (next == '[' && (picture || begins_word(sayer, at))) { /* a[1][2] is none */
        size_t end = saying_find(sayer, close + 2, ']', LABEL_MOST);
        if (end < sayer->size &&
            (end + 1 >= sayer->size || sayer->text[end + 1] != '(')) {
            return end + 1;
        }
    }
    return picture ? close + 1 : 0;
}

/* [words](target), [words][name], a picture of this kind or ![name]: its end, or 0; the
 * words are borrowed. */
static size_t link_at(const struct sayer *sayer, size_t at, size_t *words, size_t *length)
{
    size_t open = at + (sayer->text[at] == '!');
    if (open >= sayer->size || sayer->text[open] != '[') {
        return 0;
    }
    size_t close = saying_find(sayer, open + 1, ']', LABEL_MOST);
    if (close >= sayer->size) {
        return 0;
    }
    *words = open + 1;
    *length = close - open - 1;
    return target_end(sayer, at, close);
}

static bool begins_tag(const struct sayer *sayer, size_t at)
{
    char next = at + 1 < sayer->size ? sayer->text[at + 1] : ' ';
    return sayer->text[at] == '<' &&
           (isalpha((unsigned char)next) || strchr("/!?", next));
}

static size_t say_character(struct sayer *sayer, size_t at)
{
    char c = sayer->text[at];
    char next = at + 1 < sayer->size ? sayer->text[at + 1] : ' ';
    /* neither a link nor "[name]: address", its definition */
    bool parts =
        (c == ']' && (next == '(' || next == ':')) || saying_entity(sayer->text + at) > 0;
    if (begins_tag(sayer, at)) {
        (void)buf_text(sayer->out, "\xE2\x80\xB9"); /* looks like it, is none */
    } else {
        (void)buf_char(sayer->out, c);
        (void)buf_text(sayer->out, parts ? " " : "");
    }
    return at + 1;
}

static size_t say_next(struct sayer *sayer, size_t at)
{
    size_t words = 0;
    size_t length = 0;
    char c = sayer->text[at];
    size_t end = c == '[' || c == '!' ? link_at(sayer, at, &words, &length) : 0;
    if (end) {
        /* In quotes: what stands around must not make something new with the words. */
        struct sayer label = *sayer;
        label.text = sayer->text + words;
        label.size = length;
        (void)buf_text(sayer->out, "\xE2\x80\x9C");
        say_all(&label, SIZE_MAX);
        (void)buf_text(sayer->out, "\xE2\x80\x9D");
        return end;
    }
    size_t address = begins_word(sayer, at) ? address_at(sayer, at) : 0;
    if (!address) {
        return say_character(sayer, at);
    }
    if (was_asked(sayer, sayer->text + at, address)) {
        (void)buf_add(sayer->out, sayer->text + at, address);
    } else {
        (void)buf_text(sayer->out, removed);
    }
    return at + address;
}

static void say_all(struct sayer *sayer, size_t most)
{
    for (size_t at = 0; at < sayer->size && sayer->out->size <= most;) {
        at = say_next(sayer, at);
    }
}

/* One line of plain words, in which neither a tag nor a link nor an address can begin:
 * nothing of it would change. */
static bool is_harmless(const char *text, size_t size)
{
    if (strstr(text, "//") || scan_plain(text, size, '<', '[') != size ||
        strpbrk(text, "]!:@&\\")) {
        return false;
    }
    const char *dot = strchr(text, '.'); /* as in www. */
    while (dot && (dot == text || (dot[-1] != 'w' && dot[-1] != 'W'))) {
        dot = strchr(dot + 1, '.');
    }
    return !dot;
}

char *saying_clean(struct arena *arena, const char *text, size_t most, const char *asked)
{
    size_t size = strlen(text);
    if (size <= most && is_harmless(text, size)) {
        return str_trim(arena, text);
    }
    struct buf out;
    const char *seen = saying_plain(arena, text);
    struct sayer sayer = {&out, seen, strlen(seen), asked};
    buf_init(&out, sayer.size * 8 + most);
    say_all(&sayer, most);
    if (out.size > most) {
        buf_truncate(&out, utf8_cut(buf_get(&out), out.size, most - 3));
        (void)buf_text(&out, "\xE2\x80\xA6");
    }
    char *clean = str_trim(arena, buf_get(&out));
    buf_release(&out);
    return clean;
}
