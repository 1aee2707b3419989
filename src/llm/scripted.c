/*
 * A model that plays a transcript: the test default, and what a recording is played with.
 *
 *     # comment, between blocks
 *     >>> generate_sql
 *     when: employees
 *     delay_ms: 50
 *     piece_ms: 5
 *     error: LLM_RATE_LIMITED
 *     repeat
 *     ---
 *     the reply, until
 *     <<<
 *
 * With piece_ms the reply comes in pieces of 16 bytes, that long apart. The header lines
 * are optional, and so is "---" unless the reply begins like one of them. Stage "*" is
 * any stage. A reply line that must read "<<<" is written "\<<<".
 */
#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"
#include "llm/call.h"

enum { SCRIPT_MOST = 64 * 1024 * 1024, PIECE_SIZE = 16 };

struct block {
    const char *stage;
    const char *when; /* or NULL */
    int64_t delay_ms;
    int64_t piece_ms;
    enum err_code error;
    bool repeat;
    bool used;
    const char *text;
    size_t size;
};

struct script {
    struct arena *arena;
    pthread_mutex_t lock; /* for `used` and `first` */
    struct block *items;
    size_t count;
    size_t capacity;
    size_t first; /* blocks before this one are used up */
};

/* Walks over lines; the line is a copy without its end. */
struct lines {
    struct arena *arena;
    const char *at;
    const char *end;
    int number;
};

static const char *next_line(struct lines *lines)
{
    if (lines->at >= lines->end) {
        return NULL;
    }
    const char *stop = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    stop = stop ? stop : lines->end;
    size_t size = (size_t)(stop - lines->at);
    size_t shown = size > 0 && lines->at[size - 1] == '\r' ? size - 1 : size;
    const char *line = arena_copy(lines->arena, lines->at, shown);
    lines->at = stop < lines->end ? stop + 1 : stop;
    lines->number++;
    return line;
}

static bool script_error(const struct lines *lines, struct err *err, const char *what)
{
    (void)err_set(err, ERR_CONFIG, "The script of model replies is wrong at line %d: %s.",
                  lines->number, what);
    return err_hint(err, "A block is '>>> stage', the reply, and a line '<<<'.");
}

static bool is_repeat(const char *line)
{
    return str_equal_nocase(line, "repeat") || str_equal_nocase(line, "repeat: true");
}

/* One header line; *taken is false when it is the reply's first line already. */
static bool read_header(struct block *block, const char *line, const struct lines *lines,
                        bool *taken, struct err *err)
{
    struct arena *arena = lines->arena;
    *taken = true;
    if (str_starts(line, "when:")) {
        block->when = str_trim(arena, line + 5);
    } else if (str_starts(line, "delay_ms:")) {
        if (!str_to_int(str_trim(arena, line + 9), &block->delay_ms) ||
            block->delay_ms < 0) {
            return script_error(lines, err, "delay_ms is not a number");
        }
    } else if (str_starts(line, "piece_ms:")) {
        if (!str_to_int(str_trim(arena, line + 9), &block->piece_ms) ||
            block->piece_ms < 0) {
            return script_error(lines, err, "piece_ms is not a number");
        }
    } else if (str_starts(line, "error:")) {
        if (!err_find(str_trim(arena, line + 6), &block->error)) {
            return script_error(lines, err, "no such error code");
        }
    } else if (is_repeat(line)) {
        block->repeat = true;
    } else {
        *taken = false;
    }
    return true;
}

static bool read_block(struct script *script, const char *first, struct lines *lines,
                       struct err *err)
{
    struct block *block = VEC_ADD(script->arena, script);
    char *stage = str_trim(script->arena, first + 3);
    char *space = strpbrk(stage, " \t");
    if (space) {
        *space = '\0';
        if (!is_repeat(str_trim(script->arena, space + 1))) {
            return script_error(lines, err, "only 'repeat' may follow the stage");
        }
        block->repeat = true;
    }
    block->stage = stage;
    struct buf text;
    buf_init(&text, SCRIPT_MOST);
    bool header = true;
    bool ok = *stage ? true : script_error(lines, err, "the stage is missing");
    const char *line = NULL;
    while (ok && (line = next_line(lines)) && !str_equal(line, "<<<")) {
        bool taken = false;
        if (header && str_equal(line, "---")) {
            header = false;
            continue;
        }
        if (header) {
            ok = read_header(block, line, lines, &taken, err);
        }
        if (ok && !taken) {
            header = false;
            (void)buf_text(&text, str_starts(line, "\\<<<") ? line + 1 : line);
            (void)buf_char(&text, '\n');
        }
    }
    if (ok && !line) {
        ok = script_error(lines, err, "the last block has no '<<<'");
    }
    buf_truncate(&text, text.size ? text.size - 1 : 0); /* the last line's own end */
    block->size = text.size;
    block->text = buf_clone(&text, script->arena);
    buf_release(&text);
    return ok;
}

static struct script *script_parse(const char *text, size_t size, struct err *err)
{
    struct script *script = memory_alloc(sizeof *script);
    script->arena = arena_new();
    (void)pthread_mutex_init(&script->lock, NULL);
    struct arena *scratch = arena_new();
    struct lines lines = {.arena = scratch, .at = text, .end = text + size};
    bool ok = true;
    const char *line;
    while (ok && (line = next_line(&lines))) {
        if (str_starts(line, ">>>")) {
            lines.arena = script->arena; /* header values are kept */
            ok = read_block(script, line, &lines, err);
            lines.arena = scratch;
        } else if (!str_empty(line) && *line != '#') {
            ok = script_error(&lines, err, "text outside of a block");
        }
    }
    arena_free(scratch);
    if (!ok) {
        script_free(script);
        return NULL;
    }
    return script;
}

struct script *script_load(const char *path, struct err *err)
{
    if (str_empty(path)) {
        (void)err_set(err, ERR_LLM_NOT_CONFIGURED,
                      "The scripted model has no script. Set llm.script.");
        return NULL;
    }
    struct arena *arena = arena_new();
    size_t size;
    char *text = file_read(arena, path, SCRIPT_MOST, &size, err);
    struct script *script = text ? script_parse(text, size, err) : NULL;
    arena_free(arena);
    return script;
}

void script_free(struct script *script)
{
    if (script) {
        (void)pthread_mutex_destroy(&script->lock);
        arena_free(script->arena);
        memory_free(script);
    }
}

static bool block_matches(const struct block *block, const struct llm_call *call)
{
    const char *texts[] = {call->question, call->user, call->system};
    if (block->used || (!str_equal(block->stage, "*") &&
                        !str_equal(block->stage, call->stage ? call->stage : ""))) {
        return false;
    }
    if (!block->when) {
        return true;
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i] && strstr(texts[i], block->when)) {
            return true;
        }
    }
    return false;
}

/* False when no block is left for the call. Thread-safe. */
static bool script_take(struct script *script, const struct llm_call *call,
                        struct script_reply *reply)
{
    (void)pthread_mutex_lock(&script->lock);
    struct block *found = NULL;
    for (size_t i = script->first; i < script->count && !found; i++) {
        if (block_matches(&script->items[i], call)) {
            found = &script->items[i];
            found->used = !found->repeat;
        }
    }
    while (script->first < script->count && script->items[script->first].used) {
        script->first++;
    }
    (void)pthread_mutex_unlock(&script->lock);
    if (found) {
        *reply = (struct script_reply){.text = found->text,
                                       .size = found->size,
                                       .delay_ms = found->delay_ms,
                                       .piece_ms = found->piece_ms,
                                       .error = found->error};
    }
    return found != NULL;
}

static void scripted_answer(struct llm_ticket *ticket)
{
    struct err error;
    if (ticket->scripted_error == ERR_OK) {
        ticket_show(ticket);
        ticket_deliver(ticket, NULL);
    } else {
        (void)err_set(&error, ticket->scripted_error, "The script says %s.",
                      err_name(ticket->scripted_error));
        buf_clear(&ticket->said.text);
        ticket_deliver(ticket, &error);
    }
    ticket_over(ticket);
}

/* The next piece of the reply, and so on. */
static void scripted_piece(struct llm_ticket *ticket)
{
    struct script_reply *rest = &ticket->scripted;
    size_t size = rest->size < PIECE_SIZE ? rest->size : PIECE_SIZE;
    (void)buf_add(&ticket->said.text, rest->text, size);
    rest->text += size;
    rest->size -= size;
    if (rest->size == 0) {
        scripted_answer(ticket);
    } else {
        ticket_show(ticket);
        ticket_wait(ticket, rest->piece_ms, scripted_piece);
    }
}

/*
 * Without a delay the answer comes on the caller's own thread, before llm_start returns.
 */
void scripted_start(struct llm_ticket *ticket, const struct llm_call *call)
{
    struct script_reply reply;
    ticket->attempts = 1;
    if (!script_take(ticket->llm->script, call, &reply)) {
        struct err error;
        (void)err_set(&error, ERR_LLM_UNAVAILABLE,
                      "The script has no reply left for stage %s.", ticket->call.stage);
        ticket_deliver(ticket, &error);
        ticket_over(ticket);
        return;
    }
    const char *texts[] = {call->system, call->user};
    for (size_t i = 0; i < 2; i++) {
        ticket->prompt_tokens += texts[i] ? llm_tokens(texts[i], strlen(texts[i])) : 0;
    }
    if (reply.piece_ms > 0 && ticket->loop && reply.error == ERR_OK) {
        ticket->scripted = reply;
        ticket_wait(ticket, reply.delay_ms, scripted_piece);
        return;
    }
    (void)buf_add(&ticket->said.text, reply.text, reply.size);
    ticket->scripted_error = ticket->said.text.full ? ERR_LLM_NONSENSE : reply.error;
    if (reply.delay_ms > 0 && ticket->loop) {
        ticket_wait(ticket, reply.delay_ms, scripted_answer);
    } else {
        scripted_answer(ticket);
    }
}
