/* Writes every call and reply to a file in the form that the scripted provider plays. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "llm/call.h"

enum { BLOCK_MOST = 128 * 1024 * 1024, WHEN_BYTES = 200 };

struct recorder {
    pthread_mutex_t lock;
    int file;
};

struct recorder *recorder_open(const char *path, struct err *err)
{
    /* prompts and replies may hold private data: only the owner reads them */
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) {
        (void)err_set(err, ERR_CONFIG, "The recording cannot be written.");
        (void)err_detail(err, "llm.record: %s", strerrordesc_np(errno));
        return NULL;
    }
    struct recorder *recorder = memory_alloc(sizeof *recorder);
    (void)pthread_mutex_init(&recorder->lock, NULL);
    recorder->file = file;
    return recorder;
}

void recorder_close(struct recorder *recorder)
{
    if (recorder) {
        (void)close(recorder->file);
        (void)pthread_mutex_destroy(&recorder->lock);
        memory_free(recorder);
    }
}

/* The question's first line is enough to find the block again. */
static void add_when(struct buf *out, const char *question)
{
    size_t size = question ? strcspn(question, "\r\n") : 0;
    if (size > 0 && size <= WHEN_BYTES) {
        (void)buf_text(out, "when: ");
        (void)buf_add(out, question, size);
        (void)buf_char(out, '\n');
    }
}

static void add_text(struct buf *out, const char *text, size_t size)
{
    for (const char *at = text, *end = text + size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = stop ? (size_t)(stop - at) : (size_t)(end - at);
        if (length >= 3 && memcmp(at, "<<<", 3) == 0) {
            (void)buf_char(out, '\\');
        }
        (void)buf_add(out, at, length);
        (void)buf_char(out, '\n');
        at += length + (stop ? 1 : 0);
    }
    if (size > 0 && text[size - 1] == '\n') {
        (void)buf_char(out, '\n');
    }
}

void recorder_add(struct recorder *recorder, const char *stage, const char *question,
                  const struct llm_reply *reply)
{
    struct buf block;
    buf_init(&block, BLOCK_MOST);
    (void)buf_format(&block, ">>> %s\n", *stage ? stage : "*");
    add_when(&block, question);
    if (!reply->ok) {
        (void)buf_format(&block, "error: %s\n", err_name(reply->error.code));
    }
    (void)buf_text(&block, "---\n");
    if (reply->ok) {
        add_text(&block, reply->text, reply->size);
    }
    (void)buf_text(&block, "<<<\n\n");
    (void)pthread_mutex_lock(&recorder->lock);
    for (size_t done = 0; !block.full && done < block.size;) {
        ssize_t wrote = write(recorder->file, block.data + done, block.size - done);
        if (wrote < 0 && errno != EINTR) {
            LOG(LOG_LLM, LOG_WARN, "a model reply could not be recorded");
            break;
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    (void)pthread_mutex_unlock(&recorder->lock);
    buf_release(&block);
}
