/* Ctrl-C, taken by a thread of its own. */
#include "cli/stop.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "dragoman_server.h"

/* A signal belongs to the process, so what it acts on does too. */
static struct {
    pthread_mutex_t lock;
    bool listening;
    bool stopped; /* the watched question, or the one that is to come */
    bool held;
    struct dgm_question *question;
    void (*stop)(void *context);
    void *context;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *stop_thread(void *context)
{
    (void)context;
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    for (;;) {
        int signal_number = 0;
        if (sigwait(&set, &signal_number) != 0) {
            continue;
        }
        (void)pthread_mutex_lock(&watch.lock);
        if (watch.stopped || (!watch.question && !watch.stop && !watch.held)) {
            /* The cursor may stand behind a progress line or a ^C. */
            (void)!write(STDERR_FILENO, "\n", isatty(STDERR_FILENO) == 1);
            _exit(STOP_STATUS);
        }
        watch.stopped = true;
        if (watch.question) {
            dgm_question_stop(watch.question);
        }
        if (watch.stop) {
            watch.stop(watch.context);
        }
        (void)pthread_mutex_unlock(&watch.lock);
    }
    return NULL;
}

void stop_listen(void)
{
    if (watch.listening) {
        return;
    }
    struct sigaction now;
    if (sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler == SIG_IGN) {
        return; /* nohup and background jobs of scripts: they want to be left alone */
    }
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    pthread_t thread;
    if (pthread_sigmask(SIG_BLOCK, &set, NULL) == 0 &&
        pthread_create(&thread, NULL, stop_thread, NULL) == 0) {
        (void)pthread_detach(thread);
        watch.listening = true;
    } else {
        (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* then Ctrl-C just ends us */
    }
}

void stop_hold(void)
{
    (void)pthread_mutex_lock(&watch.lock);
    watch.held = true;
    watch.stopped = false;
    (void)pthread_mutex_unlock(&watch.lock);
}

void stop_watch(struct dgm_question *question)
{
    (void)pthread_mutex_lock(&watch.lock);
    watch.question = question;
    if (watch.stopped) {
        dgm_question_stop(question);
    }
    (void)pthread_mutex_unlock(&watch.lock);
}

void stop_watch_call(void (*stop)(void *context), void *context)
{
    (void)pthread_mutex_lock(&watch.lock);
    watch.stop = stop;
    watch.context = context;
    (void)pthread_mutex_unlock(&watch.lock);
}

bool stop_unwatch(void)
{
    (void)pthread_mutex_lock(&watch.lock);
    bool stopped = watch.stopped;
    watch.question = NULL;
    watch.stop = NULL;
    watch.stopped = false;
    (void)pthread_mutex_unlock(&watch.lock);
    return stopped;
}
