// What a NIfTI image is: see info_image.h.
#include "cli/info_image.h"

#include "cli/info_job.h"
#include "cli/info_meaning.h"
#include "cli/options.h"
#include "io/formats/nifti_place.h"
#include "io/json_file.h"
#include "io/utf8.h"
#include "models/bioheat/body/label_tables.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The values of the first record.
struct values {
    struct info_values all;
    size_t finite, cells[BIOHEAT_LABELS];
};

static void count_plane(const double *plane, size_t count, struct values *values)
{
    for (size_t n = 0; n < count; n++) {
        const double v = plane[n];
        if (!isfinite(v)) {
            values->all.not_finite++;
            values->all.are_labels = false;
            continue;
        }
        values->finite++;
        values->all.least = fmin(values->all.least, v);
        values->all.most = fmax(values->all.most, v);
        if (v >= 0 && v < BIOHEAT_LABELS && v == floor(v))
            values->cells[(int)v]++;
        else
            values->all.are_labels = false;
    }
}

static enum status read_values(struct nifti *file, struct values *values)
{
    const struct nifti_info *info = nifti_info(file);
    const size_t count = info->cells[NIFTI_I] * info->cells[NIFTI_J];
    double *plane = malloc(count * sizeof *plane);
    *values = (struct values){
        .all = {.least = INFINITY, .most = -INFINITY, .are_labels = info_meaning_may_be_labels(info)}};
    if (!plane)
        return FAIL(STATUS_SYSTEM, "%s: no memory for a plane of %zu values", info->path, count);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < info->cells[NIFTI_K] && status == STATUS_OK; k++) {
        status = nifti_read_plane(file, plane);
        if (status == STATUS_OK)
            count_plane(plane, count, values);
    }
    free(plane);
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        values->all.different += values->cells[label] > 0;
    return status;
}

// Towards which side i, j, k run, as programs for images write it: "RAS", "LPS".
static void orientation(const struct nifti_info *info, char text[NIFTI_AXES + 1])
{
    static const char sides[2][NIFTI_AXES + 1] = {"RAS", "LPI"};
    for (int i = 0; i < NIFTI_AXES; i++)
        text[i] = sides[info->spacing_mm[i] < 0][info->axis[i]];
    text[NIFTI_AXES] = '\0';
}

static const char *code_words(int code)
{
    static const char *const words[] = {"no position is stated", "scanner", "aligned", "Talairach",
                                        "MNI 152"};
    return code >= 0 && code <= 4 ? words[code] : "unknown code";
}

// First and last centres of cells along the grid's axis.
static void range_of(const struct nifti_info *info, const struct nifti_place *place, int axis,
                     double range_mm[2])
{
    const size_t cells = info->cells[(int)place->axes[axis]];
    range_mm[0] = nifti_place_first_mm(place, axis);
    range_mm[1] = range_mm[0] + nifti_place_spacing_mm(place, axis) * (double)(cells - 1);
}

// What it is, and whether a run takes it, for that or for anything: else there are no lines of a job.
static struct info_meaning find_meaning(const struct nifti_info *info, const struct nifti_place *place,
                                        const struct values *values, char refused[INFO_REFUSED_BYTES])
{
    struct info_meaning meaning = info_meaning_of(info, &values->all);
    const struct bioheat_input input = {.path = info->path, .units = meaning.units, .table = meaning.table};
    refused[0] = '\0';
    info_refused(meaning.use, &input, refused);
    if (!refused[0] && nifti_place_check(place, info->path) != STATUS_OK)
        utf8_copy(refused, INFO_REFUSED_BYTES, status_message());
    status_clear();
    if (refused[0]) {
        cJSON_Delete(meaning.job);
        meaning.job = NULL;
    }
    return meaning;
}

// ---- text

// With their names in the table that the file's program has.
static void print_labels(const struct values *values, const char *table)
{
    static char names[BIOHEAT_LABELS][BIOHEAT_NAME_BYTES];
    const char *head = "labels    ";
    memset(names, 0, sizeof names);
    if (table && bioheat_label_table_names(table, names) != STATUS_OK)
        status_clear(); // a job that names it says so
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (values->cells[label] > 0) {
            printf("%s %3d%s%s: %zu cells (%.3g %%)\n", head, label, names[label][0] ? " " : "", names[label],
                   values->cells[label], 100 * (double)values->cells[label] / (double)values->finite);
            head = "          ";
        }
}

static enum status print_meaning(const struct info_meaning *meaning, const char *refused)
{
    if (meaning->says[0])
        printf("by name    %s\n", meaning->says);
    if (refused[0])
        printf("refused    by a run: %s\n", UTF8_SHOWN(refused));
    if (meaning->job)
        CHECK(info_job_print(NULL, meaning->job));
    if (meaning->decide[0])
        printf("to decide  %s\n", meaning->decide);
    return STATUS_OK;
}

static enum status print_text(const struct nifti_info *info, const struct nifti_place *place,
                              const struct values *values)
{
    char sides[NIFTI_AXES + 1];
    orientation(info, sides);
    printf("file       %s\nformat     NIfTI-1, %s%s\n", UTF8_SHOWN(info->path), info->type,
           info->is_integer ? "" : ", not whole or scaled");
    printf("cells      %zu × %zu × %zu along i, j, k", info->cells[0], info->cells[1], info->cells[2]);
    if (info->records > 1)
        printf(", %zu records (below: the first)", info->records);
    printf("\nspacing    %.7g × %.7g × %.7g mm\n", fabs(info->spacing_mm[0]), fabs(info->spacing_mm[1]),
           fabs(info->spacing_mm[2]));
    printf("placed by  %s (code %d: %s); i, j, k run towards %s\n", info->placed_by, info->code,
           code_words(info->code), sides);
    for (int x = 0; x < 3; x++) {
        static const char *const sense[] = {"to the right", "to the front", "up"};
        double range_mm[2];
        range_of(info, place, x, range_mm);
        printf("%c          %.7g … %.7g mm (%s%s)\n", "xyz"[x], range_mm[0], range_mm[1], sense[x],
               info -> largest_angle_degree > NIFTI_PLACE_TILT_DEGREE ? ", along the slices" : "");
    }
    if (info->largest_angle_degree > NIFTI_PLACE_TILT_DEGREE)
        printf("tilt       %.4g degrees between slices and scanner\n", info->largest_angle_degree);
    if (values->finite > 0)
        printf("values     %.7g … %.7g, %zu not finite\n", values->all.least, values->all.most,
               values->all.not_finite);
    else
        printf("values     none is finite\n");
    char refused[INFO_REFUSED_BYTES];
    const struct info_meaning meaning = find_meaning(info, place, values, refused);
    if (values->all.are_labels)
        print_labels(values, meaning.table);
    nifti_place_warn(place, info->path);
    return print_meaning(&meaning, refused);
}

// ---- JSON

static void add_range(cJSON *report, const struct nifti_info *info, const struct nifti_place *place, int axis)
{
    static const char *const names[] = {"x_mm", "y_mm", "z_mm"};
    double range_mm[2];
    range_of(info, place, axis, range_mm);
    cJSON_AddItemToObject(report, names[axis], cJSON_CreateDoubleArray(range_mm, 2));
}

static enum status print_json(const struct nifti_info *info, const struct nifti_place *place,
                              const struct values *values)
{
    char sides[NIFTI_AXES + 1];
    orientation(info, sides);
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "file", info->path);
    cJSON_AddStringToObject(report, "format", "NIfTI-1");
    cJSON_AddStringToObject(report, "type", info->type);
    const double cells[] = {(double)info->cells[0], (double)info->cells[1], (double)info->cells[2]};
    cJSON_AddItemToObject(report, "cells", cJSON_CreateDoubleArray(cells, 3));
    cJSON_AddNumberToObject(report, "records", (double)info->records);
    const double spacing[] = {fabs(info->spacing_mm[0]), fabs(info->spacing_mm[1]),
                              fabs(info->spacing_mm[2])};
    cJSON_AddItemToObject(report, "spacing_mm", cJSON_CreateDoubleArray(spacing, 3));
    cJSON_AddStringToObject(report, "placed_by", info->placed_by);
    cJSON_AddNumberToObject(report, "code", info->code);
    cJSON_AddStringToObject(report, "orientation", sides);
    for (int x = 0; x < 3; x++)
        add_range(report, info, place, x);
    cJSON_AddNumberToObject(report, "tilt_degree", info->largest_angle_degree);
    cJSON *affine = cJSON_AddArrayToObject(report, "affine_mm");
    for (int row = 0; row < 3; row++)
        cJSON_AddItemToArray(affine, cJSON_CreateDoubleArray(place->affine[row], 4));
    json_add_number(report, "least", values->all.least);
    json_add_number(report, "most", values->all.most);
    cJSON_AddNumberToObject(report, "not_finite", (double)values->all.not_finite);
    cJSON *labels = values->all.are_labels ? cJSON_AddObjectToObject(report, "labels") : NULL;
    for (int label = 0; label < BIOHEAT_LABELS && labels; label++)
        if (values->cells[label] > 0) {
            char name[8];
            snprintf(name, sizeof name, "%d", label);
            cJSON_AddNumberToObject(labels, name, (double)values->cells[label]);
        }
    char refused[INFO_REFUSED_BYTES];
    const struct info_meaning meaning = find_meaning(info, place, values, refused);
    cJSON_AddStringToObject(report, "by_name", meaning.says);
    if (refused[0])
        cJSON_AddStringToObject(cJSON_AddObjectToObject(report, "refused"), "message", refused);
    if (meaning.job)
        cJSON_AddItemToObject(report, "job", meaning.job);
    cJSON_AddStringToObject(report, "to_decide", meaning.decide);
    return options_print_json(report);
}

enum status info_image(const char *path, bool as_json)
{
    struct nifti *file;
    struct nifti_place place;
    struct values values;
    CHECK(nifti_open(path, &file));
    enum status status = read_values(file, &values);
    if (status == STATUS_OK) {
        nifti_place_of(nifti_info(file), &place);
        status = (as_json ? print_json : print_text)(nifti_info(file), &place, &values);
    }
    nifti_close(file);
    return status;
}
