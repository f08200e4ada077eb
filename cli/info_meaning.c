// What an image is: see info_meaning.h.
//
// Names of BabelBrain's files: its source (BabelIntegrationBASE.py, BabelDatasetPreps.py, and ExportMaps of
// Babel_Thermal.py, which puts PressureField, IntensityField and MI in the place of ThermalField; commit
// b0a729a9, https://github.com/ProteusMRIgHIFU/BabelBrain); of SimNIBS's: charm's folder m2m_SUBJECT.
#include "cli/info_meaning.h"

#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <string.h>

// A file whose name has both parts; the first row that fits counts.
static const struct known {
    const char *part, *other;
    enum info_use use;
    const char *units, *table, *says;
} files[] = {
    {"FullElasticSolution", "_NORM", INFO_NOTHING, NULL, NULL,
     "a normalised field of BabelBrain's, without Pa: a job takes the one that ends in "
     "FullElasticSolution.nii.gz or _Sub.nii.gz"},
    {"FullElasticSolution", "Phase", INFO_NOTHING, NULL, NULL,
     "a phase of BabelBrain's: a job takes the amplitude, in FullElasticSolution.nii.gz or _Sub.nii.gz"},
    {"Water_FullElasticSolution", "", INFO_NOTHING, NULL, NULL,
     "BabelBrain's pressure in water, without the head: it heats no tissue; a job takes the one without "
     "\"Water_\""},
    {"RayleighFreeWater", "", INFO_NOTHING, NULL, NULL,
     "BabelBrain's pressure in water, without the head: it heats no tissue; a job takes FullElasticSolution"},
    {"FullElasticSolution", "", INFO_PRESSURE, NULL, NULL, "a pressure amplitude of BabelBrain's, in Pa"},
    {"ThermalField-", "", INFO_TEMPERATURE, "degC", NULL,
     "BabelBrain's temperature at the end of the sonication, in degC"},
    {"PressureField-", "", INFO_PRESSURE, "Pa", NULL, "BabelBrain's pressure amplitude, in Pa"},
    {"IntensityField-", "", INFO_NOTHING, NULL, NULL,
     "BabelBrain's intensity, in W/cm2: a job takes the pressure, FullElasticSolution or PressureField"},
    {"-MI-Duration", "", INFO_NOTHING, NULL, NULL, "BabelBrain's mechanical index: a job takes the pressure"},
    {"PPW_CT.nii", "", INFO_NOTHING, NULL, NULL,
     "the numbers of BabelBrain's bone materials, not Hounsfield units: a job takes the CT of which they "
     "were made"},
    {"BabelViscoInput", "", INFO_LABELS, NULL, "babelbrain", "labels of BabelBrain's"},
    {"final_tissues", "", INFO_LABELS, NULL, "simnibs-charm", "labels of SimNIBS's charm"},
};

// Names in the header of Fathom's own images, of at most 16 bytes.
static const struct known own[] = {
    {"max_temperature", "", INFO_TEMPERATURE, "degC", NULL,
     "largest temperatures of a run of Fathom's, in degC"},
    {"largest_tempera", "", INFO_TEMPERATURE, "degC", NULL,
     "largest temperatures of a run of Fathom's, in degC"},
    {"temperature", "", INFO_TEMPERATURE, "degC", NULL, "temperatures of a run of Fathom's, in degC"},
    {"dose", "", INFO_NOTHING, NULL, NULL,
     "thermal dose of a run of Fathom's, in equivalent minutes: no input of a job"},
    {"label", "", INFO_LABELS, NULL, NULL, "labels of a run of Fathom's"},
};

// More are hardly tissues.
enum { TISSUES_MOST = 32 };
// HU of air and of bone; Pa that no scanner's grey values reach.
static const double air_hu = -500, dense_hu = 300, most_hu = 4100, least_pa = 1e5;

static const struct known *find(const struct known *rows, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strstr(name, rows[k].part) && strstr(name, rows[k].other))
            return &rows[k];
    return NULL;
}

static const struct known *find_known(const struct nifti_info *image)
{
    const char *slash = strrchr(image->path, '/');
    const struct known *known = find(files, sizeof files / sizeof *files, slash ? slash + 1 : image->path);
    if (!known && strncmp(image->description, "Fathom ", 7) == 0)
        known = find(own, sizeof own / sizeof *own, image->name);
    return known;
}

// ---- the lines of a job

static cJSON *use_labels(const struct nifti_info *image, const char *table)
{
    cJSON *job = cJSON_CreateObject();
    cJSON *labels = cJSON_AddObjectToObject(cJSON_AddObjectToObject(job, "domain"), "labels");
    cJSON_AddStringToObject(labels, "file", image->path);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(job, "tissues"), "labels", table ? table : "?");
    return job;
}

static cJSON *use_pressure(const struct nifti_info *image, const char *units, const char *kind)
{
    cJSON *job = cJSON_CreateObject();
    cJSON *pressure = cJSON_AddObjectToObject(cJSON_AddObjectToObject(job, "source"), "pressure");
    cJSON_AddStringToObject(pressure, "file", image->path);
    cJSON_AddStringToObject(pressure, "frequency", "?");
    if (units)
        cJSON_AddStringToObject(pressure, "units", units);
    if (kind)
        cJSON_AddStringToObject(pressure, "kind", kind);
    return job;
}

static cJSON *use_temperature(const struct nifti_info *image)
{
    cJSON *job = cJSON_CreateObject();
    cJSON *initial = cJSON_AddObjectToObject(job, "initial");
    cJSON_AddStringToObject(initial, "file", image->path);
    cJSON_AddStringToObject(initial, "units", "degC");
    if (image->records > 1)
        cJSON_AddStringToObject(initial, "record", "?");
    return job;
}

static cJSON *use_ct(const struct nifti_info *image)
{
    cJSON *job = cJSON_CreateObject();
    cJSON *ct = cJSON_AddObjectToObject(cJSON_AddObjectToObject(job, "domain"), "ct");
    cJSON_AddStringToObject(ct, "file", image->path);
    return job;
}

static cJSON *lines_of(const struct nifti_info *image, const struct known *known)
{
    switch (known->use) {
    case INFO_LABELS:
        return use_labels(image, known->table);
    case INFO_PRESSURE:
        return use_pressure(image, known->units, known->units ? "amplitude" : NULL);
    case INFO_TEMPERATURE:
        return use_temperature(image);
    case INFO_CT:
        return use_ct(image);
    case INFO_NOTHING:
        break;
    }
    return NULL;
}

// ---- from the values

static const char which_labels[] =
    "tissues.labels: a table of labels (\"simnibs-charm\", ...), or the tissue of each label as in {\"1\": "
    "\"skin\"}";

static struct info_meaning of_labels(const struct nifti_info *image, const struct info_values *values)
{
    if (values->different > TISSUES_MOST)
        return (struct info_meaning){
            .says = "",
            .decide =
                "whether these are labels: so many different whole numbers are rather the grey values of "
                "an image; labels are \"domain\": {\"labels\": {\"file\": ...}}"};
    return (struct info_meaning){
        .use = INFO_LABELS, .says = "", .job = use_labels(image, NULL), .decide = which_labels};
}

static struct info_meaning of_values(const struct nifti_info *image, const struct info_values *values)
{
    if (values->least < air_hu && values->most > dense_hu && values->most <= most_hu)
        return (struct info_meaning){.use = INFO_CT,
                                     .says = "",
                                     .job = use_ct(image),
                                     .decide = "whether it is a CT in HU, as its values suggest"};
    if (values->least >= 0 && values->most >= least_pa && values->not_finite == 0)
        return (struct info_meaning){.use = INFO_PRESSURE,
                                     .units = "?",
                                     .says = "",
                                     .job = use_pressure(image, "?", "?"),
                                     .decide = "whether it is a pressure; its units (\"Pa\"), and its kind, "
                                               "\"amplitude\" or \"rms\""};
    return (struct info_meaning){
        .says = "",
        .decide = "what the values are, which the file does not state: a pressure is \"source\": "
                  "{\"pressure\": {\"file\", \"units\", \"kind\", \"frequency\"}} and has no "
                  "negative values; a temperature \"initial\": {\"file\", \"units\": \"degC\"}; "
                  "a CT \"domain\": {\"ct\": {\"file\"}}; labels are whole numbers from 0 to 255"};
}

bool info_meaning_may_be_labels(const struct nifti_info *image)
{
    const struct known *known = find_known(image);
    return !known || known->use == INFO_LABELS;
}

struct info_meaning info_meaning_of(const struct nifti_info *image, const struct info_values *values)
{
    const struct known *known = find_known(image);
    if (!known)
        return values->are_labels ? of_labels(image, values) : of_values(image, values);
    return (struct info_meaning){.use = known->use,
                                 .units = known->units,
                                 .table = known->table,
                                 .says = known->says,
                                 .job = lines_of(image, known),
                                 .decide = known->use == INFO_LABELS && !known->table ? which_labels : ""};
}

// ---- what a run refuses

void info_refused(enum info_use use, const struct bioheat_input *input, char text[INFO_REFUSED_BYTES])
{
    enum status status = STATUS_OK;
    const bool is_open = input->units && strcmp(input->units, "?") == 0; // which the user has to find out
    switch (use) {
    case INFO_LABELS:
        status = bioheat_input_labels(input);
        break;
    case INFO_PRESSURE:
        status = is_open ? STATUS_OK : bioheat_input_pressure(input);
        break;
    case INFO_TEMPERATURE:
        status = bioheat_input_temperature(input);
        break;
    case INFO_CT:
        status = bioheat_input_ct(input);
        break;
    case INFO_NOTHING:
        break;
    }
    if (status != STATUS_OK)
        utf8_copy(text, INFO_REFUSED_BYTES, status_message());
    status_clear();
}
