/* Rows of a sheet into a dictionary: the heading says what each cell is. */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "datasource/dictionary/dictionary_state.h"

enum { HEADING_WITHIN = 20, HEAD_MOST = 40 };

enum part {
    PART_NONE,
    PART_TABLE,
    PART_COLUMN,
    PART_ACTUAL,
    PART_ACTUAL_TABLE,
    PART_ACTUAL_COLUMN,
    PART_DESCRIPTION,
    PART_SYNONYMS,
    PART_VALUES,
    PART_VALUE,
    PART_MEANING,
    PART_METRIC,
    PART_EXPRESSION,
    PART_COUNT
};

/* Headings with blanks and signs left out, as people write them. */
static const struct {
    const char *name;
    enum part part;
} headings[] = {
    {"table", PART_TABLE},
    {"tablename", PART_TABLE},
    {"schemaname", PART_TABLE},
    {"schematable", PART_TABLE},
    {"schematablename", PART_TABLE},
    {"entity", PART_TABLE},
    {"column", PART_COLUMN},
    {"columnname", PART_COLUMN},
    {"schemacolumn", PART_COLUMN},
    {"schemacolumnname", PART_COLUMN},
    {"field", PART_COLUMN},
    {"fieldname", PART_COLUMN},
    {"attribute", PART_COLUMN},
    {"actualname", PART_ACTUAL},
    {"actual", PART_ACTUAL},
    {"physicalname", PART_ACTUAL},
    {"databasename", PART_ACTUAL},
    {"actualtable", PART_ACTUAL_TABLE},
    {"actualtablename", PART_ACTUAL_TABLE},
    {"physicaltable", PART_ACTUAL_TABLE},
    {"physicaltablename", PART_ACTUAL_TABLE},
    {"actualcolumn", PART_ACTUAL_COLUMN},
    {"actualcolumnname", PART_ACTUAL_COLUMN},
    {"physicalcolumn", PART_ACTUAL_COLUMN},
    {"physicalcolumnname", PART_ACTUAL_COLUMN},
    {"description", PART_DESCRIPTION},
    {"columndescription", PART_DESCRIPTION},
    {"tabledescription", PART_DESCRIPTION},
    {"comment", PART_DESCRIPTION},
    {"comments", PART_DESCRIPTION},
    {"definition", PART_DESCRIPTION},
    {"notes", PART_DESCRIPTION},
    {"synonyms", PART_SYNONYMS},
    {"synonym", PART_SYNONYMS},
    {"aliases", PART_SYNONYMS},
    {"alias", PART_SYNONYMS},
    {"businessname", PART_SYNONYMS},
    {"displayname", PART_SYNONYMS},
    {"label", PART_SYNONYMS},
    {"alsoknownas", PART_SYNONYMS},
    {"values", PART_VALUES},
    {"valuemeanings", PART_VALUES},
    {"allowedvalues", PART_VALUES},
    {"codes", PART_VALUES},
    {"value", PART_VALUE},
    {"code", PART_VALUE},
    {"meaning", PART_MEANING},
    {"metric", PART_METRIC},
    {"metricname", PART_METRIC},
    {"measure", PART_METRIC},
    {"expression", PART_EXPRESSION},
    {"formula", PART_EXPRESSION},
    {"calculation", PART_EXPRESSION},
    {"sql", PART_EXPRESSION},
};

struct sheet {
    struct dictionary *dictionary;
    const char *name;
    size_t rows;
    bool understood;
    enum part parts[DICTIONARY_CELLS_MOST];
    bool has[PART_COUNT];
    const char *table;  /* of the row before: merged cells are empty below the first */
    const char *actual; /* its actual name, or NULL */
    const char *column; /* likewise */
};

struct sheet *sheet_new(struct dictionary *dictionary, const char *name)
{
    struct sheet *sheet = ARENA_NEW(dictionary->arena, struct sheet);
    sheet->dictionary = dictionary;
    sheet->name = dictionary_text(dictionary->arena, name, DICTIONARY_NAME_MOST);
    return sheet;
}

bool sheet_understood(const struct sheet *sheet)
{
    return sheet->understood;
}

static enum part part_of(const char *cell)
{
    char plain[HEAD_MOST + 1];
    size_t size = 0;
    for (; cell && *cell; cell++) {
        if (isalnum((unsigned char)*cell)) {
            if (size == HEAD_MOST) {
                return PART_NONE;
            }
            plain[size++] = (char)tolower((unsigned char)*cell);
        } else if ((unsigned char)*cell >= 0x80) {
            return PART_NONE;
        }
    }
    plain[size] = '\0';
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (strcmp(headings[i].name, plain) == 0) {
            return headings[i].part;
        }
    }
    return PART_NONE;
}

/* A heading names what is described and at least one more thing. */
static bool read_heading(struct sheet *sheet, const char *const *cells, size_t count)
{
    bool has[PART_COUNT] = {false};
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        enum part part = part_of(cells[i]);
        part = has[part] ? PART_NONE : part; /* the first of two counts */
        sheet->parts[i] = part;
        has[part] = has[part] || part != PART_NONE;
        known += part != PART_NONE;
    }
    memcpy(sheet->has, has, sizeof has);
    sheet->understood =
        known > 1 && (has[PART_TABLE] || has[PART_COLUMN] || has[PART_ACTUAL_TABLE] ||
                      (has[PART_METRIC] && has[PART_EXPRESSION]));
    return sheet->understood;
}

static void read_metric(struct sheet *sheet, const char *const *parts)
{
    struct dictionary *dictionary = sheet->dictionary;
    struct arena *arena = dictionary->arena;
    struct dictionary_metric *metric =
        dictionary_metric_add(dictionary, parts[PART_METRIC], parts[PART_EXPRESSION]);
    if (metric) {
        metric->table = dictionary_text(arena, parts[PART_TABLE], DICTIONARY_NAME_MOST);
        metric->metric.comment =
            dictionary_text(arena, parts[PART_DESCRIPTION], DICTIONARY_TEXT_MOST);
        if (parts[PART_SYNONYMS]) {
            dictionary_synonyms_split(arena, &metric->metric.synonyms,
                                      parts[PART_SYNONYMS]);
        }
    }
}

static const char *name_of(const struct sheet *sheet, const char *text)
{
    return dictionary_text(sheet->dictionary->arena, text, DICTIONARY_NAME_MOST);
}

/* Which table and column a row is about: its own cells, or those of the rows above. */
static void place_row(struct sheet *sheet, const char *const *parts)
{
    const char *actual = parts[PART_ACTUAL_TABLE];
    const char *table = name_of(sheet, parts[PART_TABLE]);
    actual = actual || parts[PART_COLUMN] || sheet->has[PART_ACTUAL_COLUMN]
                 ? actual
                 : parts[PART_ACTUAL];
    actual = name_of(sheet, actual);
    table = table ? table : actual;
    if (table && !str_equal(table, sheet->table)) {
        sheet->table = table;
        sheet->actual = NULL;
        sheet->column = NULL;
    }
    if (!sheet->has[PART_TABLE] && !sheet->table) {
        sheet->table = sheet->name;
    }
    sheet->actual = actual ? actual : sheet->actual;
    const char *column = parts[PART_COLUMN]          ? parts[PART_COLUMN]
                         : parts[PART_ACTUAL_COLUMN] ? parts[PART_ACTUAL_COLUMN]
                                                     : NULL;
    bool goes_on = !column && sheet->has[PART_VALUE] && parts[PART_VALUE];
    sheet->column = goes_on ? sheet->column : name_of(sheet, column);
}

static bool read_entry(struct sheet *sheet, const char *const *parts, struct err *err)
{
    struct arena *arena = sheet->dictionary->arena;
    place_row(sheet, parts);
    if (!sheet->table) {
        return true;
    }
    struct dictionary_entry *entry =
        dictionary_entry_add(sheet->dictionary, sheet->table, sheet->column, err);
    if (!entry) {
        return false;
    }
    entry->actual_table = sheet->actual;
    if (sheet->column && !entry->actual_column) {
        const char *actual =
            parts[PART_ACTUAL_COLUMN] ? parts[PART_ACTUAL_COLUMN] : parts[PART_ACTUAL];
        entry->actual_column = name_of(sheet, actual);
    }
    const char *about = parts[PART_DESCRIPTION] || parts[PART_VALUE]
                            ? parts[PART_DESCRIPTION]
                            : parts[PART_MEANING];
    about = dictionary_text(arena, about, DICTIONARY_TEXT_MOST);
    if (parts[PART_VALUE]) {
        const char *meaning = parts[PART_MEANING] ? parts[PART_MEANING] : about;
        dictionary_meaning_add(arena, &entry->meanings, parts[PART_VALUE], meaning);
    } else if (!entry->description) {
        entry->description = about;
    }
    if (parts[PART_SYNONYMS]) {
        dictionary_synonyms_split(arena, &entry->synonyms, parts[PART_SYNONYMS]);
    }
    if (parts[PART_VALUES]) {
        dictionary_meanings_split(arena, &entry->meanings, parts[PART_VALUES]);
    }
    return true;
}

bool sheet_row(struct sheet *sheet, const char *const *cells, size_t count,
               struct err *err)
{
    const char *parts[PART_COUNT] = {0};
    bool any = false;
    count = count < DICTIONARY_CELLS_MOST ? count : DICTIONARY_CELLS_MOST;
    if (++sheet->rows > DICTIONARY_ROWS_MOST) {
        return err_set(err, ERR_INVALID_DATA, "The dictionary has more than %d rows.",
                       DICTIONARY_ROWS_MOST);
    }
    if (!sheet->understood) {
        (void)(sheet->rows <= HEADING_WITHIN && read_heading(sheet, cells, count));
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (sheet->parts[i] != PART_NONE && !str_empty(cells[i])) {
            parts[sheet->parts[i]] = cells[i];
            any = true;
        }
    }
    if (!any) {
        return true;
    }
    if (parts[PART_METRIC]) {
        read_metric(sheet, parts);
        return true;
    }
    return read_entry(sheet, parts, err);
}
