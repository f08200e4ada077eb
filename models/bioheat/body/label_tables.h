// Tables of labels by name ("simnibs-charm"): which tissue the labels of a segmentation program stand for.
// They are in data/label-tables.json, with the source of each. Independent of grids and of the tissues'
// numbers.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_LABEL_TABLES_H
#define FATHOM_MODELS_BIOHEAT_BODY_LABEL_TABLES_H

#include "io/job/job.h"
#include "io/path.h"
#include "models/bioheat/body/media.h"

struct cJSON;

// A table: its JSON, {"labels": {"1": "white matter", ...}, "void": [0]}, in its document.
struct bioheat_label_table {
    struct cJSON *document; // owned
    const struct cJSON *labels, *air;
    char path[PATH_BYTES];
};

// The table that the job names under `key`. STATUS_CONFIGURATION: no table has this name (the message
// lists them); STATUS_NO_INPUT, STATUS_DATA: the program's file of tables is missing or damaged.
enum status bioheat_label_table_open(const struct job *job, const char *key, const char *name,
                                     struct bioheat_label_table *table);
// Without a job: the name of the tissue of each label of a table, "void" of those that are air, "" of those
// that it does not have. STATUS_NO_INPUT, STATUS_DATA as above, or no table has this name.
enum status bioheat_label_table_names(const char *table, char names[BIOHEAT_LABELS][BIOHEAT_NAME_BYTES]);
void bioheat_label_table_close(struct bioheat_label_table *table); // all zero is fine

#endif
