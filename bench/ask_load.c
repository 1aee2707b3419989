/*
 * What a question costs: N questions in flight in a closed loop through the library,
 * against a model that answers by itself (stub_llm). Prints one line of a table. Every
 * answer is checked: a wrong one is counted, not timed away.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "dragoman_server.h"

struct slot {
    struct dgm_question *question;
    int64_t asked_us;
    struct load *load;
};

struct load {
    struct dgm *dgm;
    const char *text;
    size_t in_flight;
    int64_t end_us;
    int64_t start_us;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    size_t *finished; /* slots that are done, as a stack */
    size_t finished_count;
    struct slot *slots;
    size_t done;
    size_t wrong;
    size_t calls;
    double *ms; /* of each question done, up to `room` */
    size_t room;
};

static void observe(void *context, const struct dgm_event *event)
{
    struct slot *slot = context;
    struct load *load = slot->load;
    if (event->kind != DGM_DONE && event->kind != DGM_FAILED &&
        event->kind != DGM_CLARIFICATION) {
        return;
    }
    (void)pthread_mutex_lock(&load->lock);
    load->finished[load->finished_count++] = (size_t)(slot - load->slots);
    (void)pthread_cond_signal(&load->wake);
    (void)pthread_mutex_unlock(&load->lock);
}

static void ask(struct load *load, struct slot *slot)
{
    struct dgm_error error;
    struct dgm_request request = {
        .question = load->text, .fresh = true, .observer = observe, .context = slot};
    slot->load = load;
    slot->asked_us = clock_us();
    slot->question = dgm_ask(load->dgm, &request, &error);
    if (!slot->question) {
        (void)fprintf(stderr, "ask_load: %s\n", error.message);
        exit(1);
    }
}

static void take(struct load *load, struct slot *slot)
{
    const struct dgm_answer *answer = dgm_question_wait(slot->question, -1);
    struct dgm_error error;
    if (dgm_answer_error(answer, &error) || dgm_answer_rows(answer) != 1) {
        if (load->wrong++ == 0) {
            (void)fprintf(stderr, "ask_load: %.2000s\n", dgm_answer_json(answer));
        }
    }
    load->calls += (size_t)dgm_answer_llm_calls(answer);
    if (load->done < load->room) {
        load->ms[load->done] = (double)(clock_us() - slot->asked_us) / 1000.0;
    }
    load->done++;
    dgm_question_free(slot->question);
    slot->question = NULL;
}

/* Asks again until the time is over, then takes what is still on its way. */
static void run_loop(struct load *load)
{
    size_t open = load->in_flight;
    for (size_t i = 0; i < load->in_flight; i++) {
        ask(load, &load->slots[i]);
    }
    while (open) {
        (void)pthread_mutex_lock(&load->lock);
        while (load->finished_count == 0) {
            (void)pthread_cond_wait(&load->wake, &load->lock);
        }
        size_t index = load->finished[--load->finished_count];
        (void)pthread_mutex_unlock(&load->lock);
        take(load, &load->slots[index]);
        if (clock_us() < load->end_us) {
            ask(load, &load->slots[index]);
        } else {
            open--;
        }
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static long status_value(const char *key)
{
    FILE *file = fopen("/proc/self/status", "re");
    char line[256];
    long value = -1;
    while (file && fgets(line, sizeof line, file)) {
        if (str_starts(line, key)) {
            value = strtol(line + strlen(key), NULL, 10);
        }
    }
    if (file) {
        (void)fclose(file);
    }
    return value;
}

static double cpu_ms(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000.0 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000.0;
}

static void print_line(struct load *load, double cpu, long threads)
{
    size_t count = load->done < load->room ? load->done : load->room;
    qsort(load->ms, count, sizeof *load->ms, by_size);
    double seconds = (double)(clock_us() - load->start_us) / 1e6;
    printf("%9zu %9zu %9.0f %9.2f %9.2f %9.3f %9.2f %9ld %9ld %6zu\n", load->in_flight,
           load->done, (double)load->done / seconds, count ? load->ms[count / 2] : 0,
           count ? load->ms[count * 99 / 100] : 0, cpu / (double)load->done,
           (double)load->calls / (double)load->done, status_value("VmHWM:") / 1024,
           threads, load->wrong);
}

static void usage(void)
{
    (void)fprintf(stderr,
                  "usage: ask_load DB URL IN-FLIGHT SECONDS QUESTION [key=value]...\n");
    exit(2);
}

static struct dgm *open_instance(int argc, char **argv)
{
    struct dgm_error error;
    struct dgm_config *config = dgm_config_new();
    bool ok = dgm_config_add_datasource(config, NULL, argv[1], &error) &&
              dgm_config_set(config, "agent.brain", "llm", &error) &&
              dgm_config_set(config, "llm.provider", "openai", &error) &&
              dgm_config_set(config, "llm.url", argv[2], &error) &&
              dgm_config_set(config, "llm.key", "none", &error);
    for (int i = 6; ok && i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals) {
            usage();
        }
        *equals = '\0';
        ok = dgm_config_set(config, argv[i], equals + 1, &error);
    }
    struct dgm *dgm = ok ? dgm_open(config, &error) : NULL;
    if (!dgm) {
        (void)fprintf(stderr, "ask_load: %s\n", error.message);
        exit(1);
    }
    dgm_config_free(config);
    return dgm;
}

int main(int argc, char **argv)
{
    int64_t in_flight = 0;
    double seconds = 0;
    if (argc < 6 || !str_to_int(argv[3], &in_flight) || !str_to_real(argv[4], &seconds)) {
        usage();
    }
    struct load load = {
        .dgm = open_instance(argc, argv),
        .text = argv[5],
        .in_flight = 1,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .wake = PTHREAD_COND_INITIALIZER,
        .room = 1024 * 1024,
    };
    load.slots = memory_array((size_t)in_flight, sizeof *load.slots);
    load.finished = memory_array((size_t)in_flight, sizeof *load.finished);
    load.ms = memory_array(load.room, sizeof *load.ms);
    run_loop(&load); /* warm up: the schema is read, the connection made */
    load.in_flight = (size_t)in_flight;
    load.done = load.wrong = load.calls = 0;
    load.start_us = clock_us();
    load.end_us = load.start_us + (int64_t)(seconds * 1e6);
    double cpu = cpu_ms();
    run_loop(&load);
    print_line(&load, cpu_ms() - cpu, status_value("Threads:"));
    dgm_close(load.dgm);
    memory_free(load.ms);
    memory_free(load.finished);
    memory_free(load.slots);
    return load.wrong ? 1 : 0;
}
