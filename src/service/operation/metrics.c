/* Figures of a running instance. */
#include "base/buf.h"
#include "base/writer.h"
#include "knowledge/schema/schema_cache.h"
#include "service/instance.h"

enum { TEXT_MOST = 1 << 20 };

static void write_schema_cache(struct dgm *dgm, struct writer *writer)
{
    int64_t counts[SCHEMA_LEVELS] = {0};
    (void)pthread_mutex_lock(&dgm->lock);
    if (dgm->store_ready) {
        schema_cache_counts(dgm->agent.schemas, counts);
    }
    (void)pthread_mutex_unlock(&dgm->lock);
    int64_t hits = counts[SCHEMA_LEVEL_MEMORY] + counts[SCHEMA_LEVEL_STORE];
    int64_t looks = hits + counts[SCHEMA_LEVEL_READ];
    writer_key(writer, "schema_cache");
    writer_object(writer);
    writer_key_int(writer, "l1_hits", counts[SCHEMA_LEVEL_MEMORY]);
    writer_key_int(writer, "l2_hits", counts[SCHEMA_LEVEL_STORE]);
    writer_key_int(writer, "misses", counts[SCHEMA_LEVEL_READ]);
    writer_key_int(writer, "stale", counts[SCHEMA_LEVEL_STALE]);
    if (looks) {
        writer_key_real(writer, "hit_rate", (double)hits / (double)looks);
    } else {
        writer_key(writer, "hit_rate");
        writer_null(writer);
    }
    writer_object_end(writer);
}

char *dgm_metrics(struct dgm *dgm)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    write_schema_cache(dgm, &writer);
    writer_object_end(&writer);
    return buf_take(&buf);
}
