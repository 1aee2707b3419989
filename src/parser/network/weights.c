/* The weights file, mapped and checked. */
#include "parser/network/weights.h"

#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum {
    FILE_VERSION = 1,
    START_BYTES = 28, /* magic, version, header size, payload size, checksum */
    HEADER_MOST = 16 * 1024 * 1024,
    ALIGNMENT = 64,
};

struct start {
    uint32_t version;
    uint32_t header_size;
    uint64_t payload_size;
    uint64_t checksum;
};

/* FNV-1a over 8-byte words: enough against damage, and the same in train/export.py. */
static uint64_t checksum_of(const unsigned char *data, size_t size)
{
    uint64_t value = 0xCBF29CE484222325U;
    uint64_t word = 0;
    size_t at = 0;
    for (; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, data + at, sizeof word);
        value = (value ^ word) * 0x100000001B3U;
    }
    if (at < size) {
        word = 0;
        memcpy(&word, data + at, size - at);
        value = (value ^ word) * 0x100000001B3U;
    }
    return value;
}

static bool read_start(const struct weights *weights, struct start *start,
                       struct err *err)
{
    const unsigned char *data = weights->data;
    if (weights->size < START_BYTES || memcmp(data, "DGMW", 4) != 0) {
        return err_set(err, ERR_INVALID_DATA,
                       "The weights file is not one of dragoman's.");
    }
    memcpy(&start->version, data + 4, 4);
    memcpy(&start->header_size, data + 8, 4);
    memcpy(&start->payload_size, data + 12, 8);
    memcpy(&start->checksum, data + 20, 8);
    if (start->version != FILE_VERSION) {
        return err_set(err, ERR_INVALID_DATA,
                       "The weights file has version %u; this program reads version %d.",
                       start->version, FILE_VERSION);
    }
    if (start->header_size > HEADER_MOST ||
        (START_BYTES + start->header_size) % ALIGNMENT != 0 ||
        start->payload_size != weights->size - START_BYTES - start->header_size ||
        weights->size - START_BYTES < start->header_size) {
        return err_set(err, ERR_INVALID_DATA, "The weights file is cut short.");
    }
    if (checksum_of(data + START_BYTES, weights->size - START_BYTES) != start->checksum) {
        (void)err_set(err, ERR_INVALID_DATA, "The weights file is damaged.");
        return err_hint(err, "Its checksum does not match. Fetch it again.");
    }
    return true;
}

/* Where the tensors lie while they are read. */
struct span {
    uint64_t from;
    uint64_t to;
};

struct spans {
    struct span *items;
    size_t count;
    size_t capacity;
};

struct reading {
    struct weights *weights;
    const struct start *start;
    struct spans spans;
};

/* A piece of the payload, or NULL when it does not lie inside. */
static const void *piece(struct reading *reading, int64_t offset, size_t count,
                         size_t size)
{
    const struct weights *weights = reading->weights;
    const struct start *start = reading->start;
    if (offset < 0 || (uint64_t)offset > start->payload_size ||
        (uint64_t)offset % ALIGNMENT != 0 || count > SIZE_MAX / size ||
        count * size > start->payload_size - (uint64_t)offset) {
        return NULL;
    }
    struct span span = {(uint64_t)offset, (uint64_t)offset + count * size};
    VEC_PUSH(weights->arena, &reading->spans, span);
    return (const char *)weights->data + START_BYTES + start->header_size + offset;
}

static bool all_finite(const float *numbers, size_t count)
{
    bool finite = true;
    for (size_t i = 0; i < count; i++) {
        finite = finite && isfinite(numbers[i]);
    }
    return finite;
}

/* Finds where the tensor's numbers lie, and looks at them. */
static bool place_tensor(struct reading *reading, const json_t *entry, const char *name,
                         struct tensor *tensor, struct err *err)
{
    const char *type = json_text_at(entry, "type");
    size_t count = tensor->rows * tensor->columns;
    int64_t offset = json_int_at(entry, "offset", -1);
    bool finite = true;
    if (str_equal(type, "f32")) {
        tensor->real = piece(reading, offset, count, sizeof(float));
        finite = !tensor->real || all_finite(tensor->real, count);
    } else if (str_equal(type, "i8")) {
        int64_t scale = json_int_at(entry, "scale_offset", -1);
        tensor->eight = piece(reading, offset, count, 1);
        tensor->scale = piece(reading, scale, tensor->rows, sizeof(float));
        finite = !tensor->scale || all_finite(tensor->scale, tensor->rows);
    } else {
        return err_set(err, ERR_INVALID_DATA,
                       "The tensor '%.60s' has a type this program does not know.", name);
    }
    if (!tensor->real && (!tensor->eight || !tensor->scale)) {
        return err_set(err, ERR_INVALID_DATA, "The tensor '%.60s' is not in the file.",
                       name);
    }
    return finite || err_set(err, ERR_INVALID_DATA,
                             "The tensor '%.60s' holds what is no number.", name);
}

static bool add_tensor(struct reading *reading, const json_t *entry, struct err *err)
{
    struct weights *weights = reading->weights;
    const char *name = json_text_at(entry, "name");
    const json_t *shape = json_array_at(entry, "shape");
    size_t dimensions = json_array_size(shape);
    json_int_t rows = json_integer_value(json_array_get(shape, 0));
    json_int_t columns =
        dimensions == 2 ? json_integer_value(json_array_get(shape, 1)) : 1;
    if (!name || dimensions < 1 || dimensions > 2 || rows < 1 || columns < 1 ||
        rows > 10000000 || columns > 100000) {
        return err_set(err, ERR_INVALID_DATA, "The weights file lists a tensor wrongly.");
    }
    if (map_get(&weights->tensors, name)) {
        return err_set(err, ERR_INVALID_DATA,
                       "The weights file has the tensor '%.60s' twice.", name);
    }
    struct tensor *tensor = ARENA_NEW(weights->arena, struct tensor);
    tensor->rows = (size_t)rows;
    tensor->columns = (size_t)columns;
    if (!place_tensor(reading, entry, name, tensor, err)) {
        return false;
    }
    (void)map_set(&weights->tensors, name, tensor);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct span *left = a;
    const struct span *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

/* Tensors that share bytes would make a small file large in memory. */
static bool stand_apart(const struct spans *spans, struct err *err)
{
    if (spans->count) {
        qsort(spans->items, spans->count, sizeof *spans->items, by_place);
    }
    for (size_t i = 1; i < spans->count; i++) {
        if (spans->items[i].from < spans->items[i - 1].to) {
            return err_set(err, ERR_INVALID_DATA, "Tensors of the weights file overlap.");
        }
    }
    return true;
}

static bool read_header(struct weights *weights, const struct start *start,
                        struct err *err)
{
    const char *text = (const char *)weights->data + START_BYTES;
    if (!weights_read_header(weights, text, start->header_size, err)) {
        return false;
    }
    struct reading reading = {.weights = weights, .start = start};
    size_t index = 0;
    const json_t *entry = NULL;
    json_array_foreach(json_array_at(weights->header, "tensors"), index, entry)
    {
        if (!add_tensor(&reading, entry, err)) {
            return false;
        }
    }
    return stand_apart(&reading.spans, err);
}

static struct weights *weights_new(const void *data, size_t size, bool mapped,
                                   struct err *err)
{
    struct arena *arena = arena_new();
    struct weights *weights = ARENA_NEW(arena, struct weights);
    *weights =
        (struct weights){.arena = arena, .data = data, .size = size, .mapped = mapped};
    map_init(&weights->tensors, false);
    struct start start = {0};
    if (!read_start(weights, &start, err) || !read_header(weights, &start, err)) {
        weights_close(weights);
        return NULL;
    }
    return weights;
}

struct weights *weights_of(const void *data, size_t size, struct err *err)
{
    return weights_new(data, size, false, err);
}

struct weights *weights_open(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 1) {
        if (fd >= 0) {
            (void)close(fd);
        }
        (void)err_set(err, ERR_FILE_NOT_FOUND,
                      "The parser's weights '%s' cannot be read.", path);
        return NULL;
    }
    size_t size = (size_t)info.st_size;
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    (void)close(fd);
    if (data == MAP_FAILED) {
        (void)err_set(err, ERR_FILE_NOT_FOUND,
                      "The parser's weights '%s' cannot be mapped.", path);
        return NULL;
    }
    return weights_new(data, size, true, err);
}

void weights_close(struct weights *weights)
{
    if (!weights) {
        return;
    }
    if (weights->mapped) {
        union {
            const void *borrowed;
            void *own;
        } view = {weights->data};
        (void)munmap(view.own, weights->size);
    }
    map_release(&weights->tensors);
    arena_free(weights->arena);
}

const struct tensor *weights_get(const struct weights *weights, const char *name,
                                 size_t rows, size_t columns, struct err *err)
{
    const struct tensor *tensor = map_get(&weights->tensors, name);
    if (!tensor || tensor->rows != rows || tensor->columns != columns) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "The weights file has no tensor '%s' of %zu by %zu.", name, rows,
                      columns);
        return NULL;
    }
    return tensor;
}

bool weights_names_match(const struct weights *weights, const char *key,
                         const char *(*name)(int index), int count, struct err *err)
{
    const json_t *names = json_array_at(weights->header, key);
    bool same = json_array_size(names) == (size_t)count;
    for (int i = 0; same && i < count; i++) {
        same = str_equal(json_string_value(json_array_get(names, (size_t)i)), name(i));
    }
    if (!same) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "The weights were made for other %s than this program has.", key);
        return err_hint(err, "Use the weights that came with this version.");
    }
    return true;
}

void tensor_row(const struct tensor *tensor, size_t row, float *out)
{
    size_t columns = tensor->columns;
    if (tensor->real) {
        memcpy(out, tensor->real + row * columns, columns * sizeof *out);
        return;
    }
    const int8_t *from = tensor->eight + row * columns;
    float scale = tensor->scale[row];
    for (size_t i = 0; i < columns; i++) {
        out[i] = (float)from[i] * scale;
    }
}
