// The NIfTI images of a run (output.nifti): made of its finished netCDF files, as fathom convert makes them.
#include "models/bioheat/instance.h"

#include "io/formats/nifti_export.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

const char *const bioheat_image_names[BIOHEAT_IMAGES] = {[BIOHEAT_IMAGE_TEMPERATURE] = "temperature",
                                                         [BIOHEAT_IMAGE_LARGEST] = "largest_temperature",
                                                         [BIOHEAT_IMAGE_DOSE] = "dose",
                                                         [BIOHEAT_IMAGE_LABELS] = "labels"};

static const struct {
    const char *file, *variable;
    enum nifti_write_type type;
} images[BIOHEAT_IMAGES] = {[BIOHEAT_IMAGE_TEMPERATURE] = {"fields.nc", "temperature", NIFTI_WRITE_F32},
                            [BIOHEAT_IMAGE_LARGEST] = {"maxima.nc", "max_temperature", NIFTI_WRITE_F32},
                            [BIOHEAT_IMAGE_DOSE] = {"maxima.nc", "dose", NIFTI_WRITE_F32},
                            [BIOHEAT_IMAGE_LABELS] = {"maxima.nc", "label", NIFTI_WRITE_U8}};

enum { FILE_NAME_BYTES = 64 };

static const char *file_name(int image, char name[FILE_NAME_BYTES])
{
    snprintf(name, FILE_NAME_BYTES, "%s.nii.gz", bioheat_image_names[image]);
    return name;
}

static bool may_write(const void *context, const char *name)
{
    const struct bioheat *b = context;
    char own[FILE_NAME_BYTES];
    for (int k = 0; k < BIOHEAT_IMAGES; k++)
        if (b->params.images[k] && strcmp(name, file_name(k, own)) == 0)
            return true;
    return false;
}

enum status bioheat_images_plan(struct bioheat *b, struct model_plan *plan)
{
    const struct bioheat_params *p = &b->params;
    const double cells = (double)bioheat_cells(&p->body.grid);
    const double kept = (double)p->crop.count[0] * (double)p->crop.count[1] * (double)p->crop.count[2];
    CHECK(model_keep_inputs(b->base.job, "output.nifti", plan, may_write, b));
    for (int k = 0; k < BIOHEAT_IMAGES; k++) {
        if (!p->images[k])
            continue;
        const double numbers = k == BIOHEAT_IMAGE_TEMPERATURE
                                   ? kept * (double)b->streams[BIOHEAT_STREAM_FIELDS].expected_records
                               : k == BIOHEAT_IMAGE_LABELS ? cells / 4
                                                           : cells;
        plan->product_bytes += 4 * numbers * 1.001 + 1024; // zlib adds less than a thousandth
    }
    return STATUS_OK;
}

void bioheat_images_list(const struct bioheat *b, struct cJSON *names)
{
    char name[FILE_NAME_BYTES];
    for (int k = 0; k < BIOHEAT_IMAGES; k++)
        if (b->params.images[k])
            cJSON_AddItemToArray(names, cJSON_CreateString(file_name(k, name)));
}

enum status bioheat_images_write(void *instance, const char *directory, struct cJSON *names)
{
    const struct bioheat *b = instance;
    for (int k = 0; k < BIOHEAT_IMAGES; k++) {
        char name[FILE_NAME_BYTES], from[PATH_BYTES + FILE_NAME_BYTES], to[PATH_BYTES + FILE_NAME_BYTES];
        if (!b->params.images[k])
            continue;
        snprintf(from, sizeof from, "%s/%s", directory, images[k].file);
        snprintf(to, sizeof to, "%s/%s", directory, file_name(k, name));
        const struct nifti_export request = {.path = from,
                                             .output = to,
                                             .variable = images[k].variable,
                                             .name = bioheat_image_names[k],
                                             .description = "Fathom " FATHOM_VERSION,
                                             .record = -1,
                                             .time_s = NAN,
                                             .type = images[k].type};
        CHECK(nifti_export_file(&request, NULL));
        cJSON_AddItemToArray(names, cJSON_CreateString(name));
    }
    return STATUS_OK;
}
