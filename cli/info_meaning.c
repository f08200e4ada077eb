// What an image is: see info_meaning.h.
//
// Names of BabelBrain's files: its source (BabelIntegrationBASE.py, Babel_Thermal.py, commit b0a729a9,
// https://github.com/ProteusMRIgHIFU/BabelBrain); of SimNIBS's: charm's folder m2m_SUBJECT.
#include "cli/info_meaning.h"

#include <cjson/cJSON.h>
#include <string.h>

enum use { NOTHING, LABELS, PRESSURE, PRESSURE_IN_PA, TEMPERATURE, CT };

// A file whose name has both parts; the first row that fits counts.
static const struct known {
    const char *part, *other;
    enum use use;
    const char *table, *says;
} files[] = {
    {"FullElasticSolution", "_NORM", NOTHING, NULL,
     "a normalised field of BabelBrain's, without Pa: a job takes the one that ends in "
     "FullElasticSolution.nii.gz or _Sub.nii.gz"},
    {"FullElasticSolution", "Phase", NOTHING, NULL,
     "a phase of BabelBrain's: a job takes the amplitude, in FullElasticSolution.nii.gz or _Sub.nii.gz"},
    {"Water_FullElasticSolution", "", NOTHING, NULL,
     "BabelBrain's pressure in water, without the head: it heats no tissue; a job takes the one without "
     "\"Water_\""},
    {"FullElasticSolution", "", PRESSURE, NULL, "a pressure amplitude of BabelBrain's, in Pa"},
    {"ThermalField-", "", TEMPERATURE, NULL,
     "BabelBrain's temperature at the end of the sonication, in degC"},
    {"PressureField-", "", PRESSURE_IN_PA, NULL, "BabelBrain's pressure amplitude, in Pa"},
    {"IntensityField-", "", NOTHING, NULL,
     "BabelBrain's intensity, in W/cm2: a job takes the pressure, FullElasticSolution or PressureField"},
    {"_MI-Duration", "", NOTHING, NULL, "BabelBrain's mechanical index: a job takes the pressure"},
    {"BabelViscoInput", "", LABELS, "babelbrain", "labels of BabelBrain's"},
    {"final_tissues", "", LABELS, "simnibs-charm", "labels of SimNIBS's charm"},
};

// Names in the header of Fathom's own images, of at most 16 bytes.
static const struct known own[] = {
    {"max_temperature", "", TEMPERATURE, NULL, "largest temperatures of a run of Fathom's, in degC"},
    {"largest_tempera", "", TEMPERATURE, NULL, "largest temperatures of a run of Fathom's, in degC"},
    {"temperature", "", TEMPERATURE, NULL, "temperatures of a run of Fathom's, in degC"},
    {"dose", "", NOTHING, NULL,
     "thermal dose of a run of Fathom's, in equivalent minutes: no input of a job"},
    {"label", "", LABELS, NULL, "labels of a run of Fathom's"},
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

static cJSON *lines_of(const struct nifti_info *image, enum use use, const char *table)
{
    switch (use) {
    case LABELS:
        return use_labels(image, table);
    case PRESSURE:
        return use_pressure(image, NULL, NULL);
    case PRESSURE_IN_PA:
        return use_pressure(image, "Pa", "amplitude");
    case TEMPERATURE:
        return use_temperature(image);
    case CT:
        return use_ct(image);
    case NOTHING:
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
            "", NULL,
            "whether these are labels: so many different whole numbers are rather the "
            "grey values of an image; labels are \"domain\": {\"labels\": {\"file\": "
            "...}}"};
    return (struct info_meaning){"", use_labels(image, NULL), which_labels};
}

static struct info_meaning of_values(const struct nifti_info *image, const struct info_values *values)
{
    if (values->least < air_hu && values->most > dense_hu && values->most <= most_hu)
        return (struct info_meaning){"", use_ct(image), "whether it is a CT in HU, as its values suggest"};
    if (values->least >= 0 && values->most >= least_pa && values->not_finite == 0)
        return (struct info_meaning){
            "", use_pressure(image, "?", "?"),
            "whether it is a pressure; its units (\"Pa\"), and its kind, \"amplitude\" "
            "or \"rms\""};
    return (struct info_meaning){
        "", NULL,
        "what the values are, which the file does not state: a pressure is \"source\": "
        "{\"pressure\": {\"file\", \"units\", \"kind\", \"frequency\"}} and has no "
        "negative values; a temperature \"initial\": {\"file\", \"units\": \"degC\"}; "
        "a CT \"domain\": {\"ct\": {\"file\"}}; labels are whole numbers from 0 to 255"};
}

bool info_meaning_may_be_labels(const struct nifti_info *image)
{
    const struct known *known = find_known(image);
    return !known || known->use == LABELS;
}

struct info_meaning info_meaning_of(const struct nifti_info *image, const struct info_values *values)
{
    const struct known *known = find_known(image);
    if (!known)
        return values->are_labels ? of_labels(image, values) : of_values(image, values);
    if (known->use == LABELS && !values->are_labels)
        return (struct info_meaning){known->says, NULL, "why some values are no whole numbers from 0 to 255"};
    const bool is_refused = (known->use == PRESSURE || known->use == PRESSURE_IN_PA) &&
                            (values->not_finite > 0 || values->least < 0);
    return (struct info_meaning){known->says, lines_of(image, known->use, known->table),
                                 is_refused ? "why some values are negative or not finite: a run refuses them"
                                 : known->use == LABELS && !known->table ? which_labels
                                                                         : ""};
}
