// Tables of labels by name: see label_tables.h.
#include "models/bioheat/body/label_tables.h"

#include "io/json_file.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_BYTES_MAX = 1 << 20, NAMES_BYTES = 256 };

static enum status find(const struct job *job, const char *key, const char *name,
                        struct bioheat_label_table *table)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(table->document, "fathom_label_tables");
    const cJSON *tables = cJSON_GetObjectItemCaseSensitive(table->document, "tables");
    char names[NAMES_BYTES] = "";
    if (!cJSON_IsNumber(version) || version->valuedouble != 1 || !cJSON_IsObject(tables))
        return FAIL(STATUS_DATA,
                    "%s: no tables of labels: expected {\"fathom_label_tables\": 1, \"tables\": {...}}",
                    table->path);
    for (const cJSON *item = tables->child; item; item = item->next) {
        const size_t used = strlen(names);
        if (strcmp(item->string, name) == 0) {
            table->labels = cJSON_GetObjectItemCaseSensitive(item, "labels");
            table->air = cJSON_GetObjectItemCaseSensitive(item, "void");
            if (!cJSON_IsObject(table->labels) || (table->air && !cJSON_IsArray(table->air)))
                return FAIL(STATUS_DATA, "%s: table \"%s\": expected \"labels\": {...} and \"void\": [...]",
                            table->path, name);
            return STATUS_OK;
        }
        snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", item->string);
    }
    return job_fail(job, key,
                    "no table of labels \"%.60s\": expected one of %s, or an object like {\"1\": "
                    "\"skin\"}",
                    name, names);
}

enum status bioheat_label_table_open(const struct job *job, const char *key, const char *name,
                                     struct bioheat_label_table *table)
{
    *table = (struct bioheat_label_table){0};
    CHECK_KEY(job, key, path_find("label-tables.json", job_directory(job), table->path));
    CHECK(json_file_read(table->path, TABLES_BYTES_MAX, &table->document));
    return find(job, key, name, table);
}

// "grey matter", or {"tissue": "brain", "name": "target"}.
static void take_name(const cJSON *entry, char name[BIOHEAT_NAME_BYTES])
{
    const char *own = json_text(entry, "name");
    utf8_copy(name, BIOHEAT_NAME_BYTES,
              cJSON_IsString(entry) ? entry->valuestring
              : own[0]              ? own
                                    : json_text(entry, "tissue"));
}

enum status bioheat_label_table_names(const char *table, char names[BIOHEAT_LABELS][BIOHEAT_NAME_BYTES])
{
    char path[PATH_BYTES];
    cJSON *document;
    memset(names, 0, BIOHEAT_LABELS * sizeof *names);
    CHECK(path_find("label-tables.json", NULL, path));
    CHECK(json_file_read(path, TABLES_BYTES_MAX, &document));
    const cJSON *found = json_member(json_member(document, "tables"), table), *item;
    cJSON_ArrayForEach(item, json_member(found, "labels"))
    {
        const long label = strtol(item->string, NULL, 10);
        if (label >= 0 && label < BIOHEAT_LABELS)
            take_name(item, names[label]);
    }
    cJSON_ArrayForEach(item, json_member(found, "void"))
    {
        if (item->valueint >= 0 && item->valueint < BIOHEAT_LABELS)
            utf8_copy(names[item->valueint], BIOHEAT_NAME_BYTES, "void");
    }
    const enum status status =
        found ? STATUS_OK : FAIL(STATUS_DATA, "%s: no table of labels \"%s\"", path, table);
    cJSON_Delete(document);
    return status;
}

void bioheat_label_table_close(struct bioheat_label_table *table)
{
    cJSON_Delete(table->document);
    table->document = NULL;
}
