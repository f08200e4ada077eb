// Tables of labels by name: see label_tables.h.
#include "models/bioheat/label_tables.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <stdio.h>
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

void bioheat_label_table_close(struct bioheat_label_table *table)
{
    cJSON_Delete(table->document);
    table->document = NULL;
}
