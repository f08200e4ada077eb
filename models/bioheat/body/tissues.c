// Tissues and their numbers: see tissues.h.
#include "models/bioheat/body/tissues_private.h"

#include "io/json_file.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TABLE_BYTES_MAX = 1 << 20, TISSUES_MAX = 1000 };

static const char *const perfusion_units[BIOHEAT_PERFUSION_KINDS] = {"s-1", "m3 kg-1 s-1", "kg m-3 s-1",
                                                                     "W m-3 K-1"};

// ---- perfusion

// All blood of a volume ten thousand times a second, by each kind of unit: none is as large.
static const double most_perfusion[BIOHEAT_PERFUSION_KINDS] = {1e4, 10, 1e7, 4e10};

enum status bioheat_perfusion_unit(const char *unit, enum bioheat_perfusion_kind *kind, double *slope)
{
    for (int k = 0; k < BIOHEAT_PERFUSION_KINDS; k++) {
        double offset;
        if (units_conversion(unit, perfusion_units[k], slope, &offset) == STATUS_OK) {
            *kind = (enum bioheat_perfusion_kind)k;
            return STATUS_OK;
        }
        status_clear();
    }
    return FAIL(STATUS_DATA,
                "\"%s\" is not a unit of perfusion; expected volume of blood per mass of tissue and time "
                "(mL/min/kg), per volume (s-1), mass of blood per volume (kg m-3 s-1), or heat (W m-3 K-1)",
                unit);
}

double bioheat_perfusion_heat(enum bioheat_perfusion_kind kind, double value, double tissue_density_kg_m3,
                              double blood_density_kg_m3, double blood_specific_heat_j_kg_k)
{
    const double blood = blood_density_kg_m3 * blood_specific_heat_j_kg_k;
    switch (kind) {
    case BIOHEAT_PERFUSION_RATE:
        return value * blood;
    case BIOHEAT_PERFUSION_PER_MASS:
        return value * tissue_density_kg_m3 * blood;
    case BIOHEAT_PERFUSION_MASS:
        return value * blood_specific_heat_j_kg_k;
    default:
        return value;
    }
}

// "559 mL/min/kg" and the like.
static enum status set_perfusion(const char *text, struct bioheat_tissue *tissue)
{
    char *unit;
    const double number = strtod(text, &unit);
    if (unit == text || !isfinite(number))
        return FAIL(STATUS_CONFIGURATION, "\"%s\": expected a number with a unit, such as \"559 mL/min/kg\"",
                    text);
    unit += strspn(unit, " ");
    enum bioheat_perfusion_kind kind;
    double slope;
    if (bioheat_perfusion_unit(*unit ? unit : "1", &kind, &slope) != STATUS_OK) {
        char reason[512];
        snprintf(reason, sizeof reason, "%s", status_message());
        status_clear();
        return FAIL(STATUS_CONFIGURATION, "\"%s\": %s", text, reason);
    }
    if (number < 0)
        return FAIL(STATUS_CONFIGURATION, "\"%s\": perfusion cannot be negative", text);
    if (!(number * slope <= most_perfusion[kind]))
        return FAIL(STATUS_CONFIGURATION, "\"%s\": expected 0 to %g %s", text, most_perfusion[kind],
                    perfusion_units[kind]);
    for (int k = 0; k < BIOHEAT_PERFUSION_KINDS; k++)
        tissue->perfusion[k] = NAN;
    tissue->perfusion[kind] = number * slope;
    return STATUS_OK;
}

// ---- attenuation

// Decibels are 20 times the decimal logarithm of a ratio of amplitudes, nepers the natural one.
#define NP_PER_DB 0.11512925464970229 // ln(10)/20

enum status bioheat_attenuation_read(const char *text, double *np_m)
{
    static const struct {
        const char *unit;
        double np_m;
    } units[] = {{"dB/cm", 100 * NP_PER_DB},
                 {"dB cm-1", 100 * NP_PER_DB},
                 {"dB/m", NP_PER_DB},
                 {"dB m-1", NP_PER_DB},
                 {"Np/m", 1},
                 {"Np m-1", 1},
                 {"Np/cm", 100},
                 {"Np cm-1", 100},
                 {"dB/(cm MHz^y)", 100 * NP_PER_DB},
                 {"Np/(m MHz^y)", 1}};
    static const double most_np_m = 1e4;
    char *unit;
    const double number = strtod(text, &unit);
    if (unit == text || !isfinite(number))
        return FAIL(STATUS_CONFIGURATION, "\"%s\": expected a number with a unit, such as \"0.59 dB/cm\"",
                    text);
    unit += strspn(unit, " ");
    size_t k = 0;
    while (k < sizeof units / sizeof *units && strcmp(units[k].unit, unit) != 0)
        k++;
    if (k == sizeof units / sizeof *units)
        return FAIL(STATUS_CONFIGURATION,
                    "\"%s\": %s; expected the attenuation at 1 MHz in dB/cm or Np/m, and its power of the "
                    "frequency as attenuation_exponent",
                    text,
                    strstr(unit, "Hz") ? "a unit with a frequency in it leaves the exponent open"
                                       : "not a unit of attenuation");
    *np_m = number * units[k].np_m;
    if (!(*np_m >= 0 && *np_m <= most_np_m))
        return FAIL(STATUS_CONFIGURATION, "\"%s\" is %g Np/m: expected 0 to %g", text, *np_m, most_np_m);
    return STATUS_OK;
}

// ---- numbers of a JSON object: {"density": "1109 kg m-3"}, or in a table {"density": {"value": ...,
// "source": ...}}

const struct tissue_number tissue_numbers[TISSUE_NUMBERS] = {
    [TISSUE_DENSITY] = {"density", "kg m-3", offsetof(struct bioheat_tissue, density_kg_m3), -1,
                        BIOHEAT_LEAST_DENSITY, BIOHEAT_MOST_DENSITY},
    [TISSUE_SPECIFIC_HEAT] = {"specific_heat", "J kg-1 K-1",
                              offsetof(struct bioheat_tissue, specific_heat_j_kg_k), -1,
                              BIOHEAT_LEAST_SPECIFIC_HEAT, BIOHEAT_MOST_SPECIFIC_HEAT},
    [TISSUE_CONDUCTIVITY] = {"conductivity", "W m-1 K-1", offsetof(struct bioheat_tissue, conductivity_w_m_k),
                             -1, BIOHEAT_LEAST_CONDUCTIVITY, BIOHEAT_MOST_CONDUCTIVITY},
    [TISSUE_SOUND_SPEED] = {"sound_speed", "m s-1", offsetof(struct bioheat_tissue, sound_speed_m_s), -1, 100,
                            20000},
    [TISSUE_ATTENUATION] = {"attenuation", NULL, offsetof(struct bioheat_tissue, attenuation_np_m), 1, 0, 0},
    [TISSUE_EXPONENT] = {"attenuation_exponent", NULL, offsetof(struct bioheat_tissue, attenuation_exponent),
                         0, 0, 3},
    [TISSUE_SAFETY_DOSE] = {"safety_dose", "min", offsetof(struct bioheat_tissue, safety_dose_min), 0, 0,
                            HUGE_VAL},
};

double *tissues_number(struct bioheat_tissue *tissue, int k)
{
    return (double *)((char *)tissue + tissue_numbers[k].at);
}

static void clear_numbers(struct bioheat_tissue *tissue)
{
    for (int k = 0; k < TISSUE_NUMBERS; k++)
        *tissues_number(tissue, k) = NAN;
    for (int k = 0; k < BIOHEAT_PERFUSION_KINDS; k++)
        tissue->perfusion[k] = NAN;
}

static enum status set_number(int k, const char *text, struct bioheat_tissue *tissue)
{
    const struct tissue_number *number = &tissue_numbers[k];
    double value;
    if (k == TISSUE_ATTENUATION)
        return bioheat_attenuation_read(text, &tissue->attenuation_np_m);
    CHECK(units_parse_quantity(text, number->unit, &value));
    if (!(value > 0))
        return FAIL(STATUS_CONFIGURATION, "\"%s\": expected more than 0", text);
    if (value < number->least || value > number->most)
        return FAIL(STATUS_CONFIGURATION, "\"%s\": expected %g to %g %s", text, number->least, number->most,
                    number->unit);
    *tissues_number(tissue, k) = value;
    return STATUS_OK;
}

// "1000 kg m-3".
static const char *tissue_example(int k, char text[static 40])
{
    snprintf(text, 40, "1000 %s", tissue_numbers[k].unit);
    return text;
}

static enum status set_exponent(const cJSON *value, struct bioheat_tissue *tissue)
{
    const double most = tissue_numbers[TISSUE_EXPONENT].most;
    if (!cJSON_IsNumber(value) || !(value->valuedouble >= 0 && value->valuedouble <= most))
        return FAIL(STATUS_CONFIGURATION, "expected a number from 0 to %g, the y of f^y", most);
    tissue->attenuation_exponent = value->valuedouble;
    return STATUS_OK;
}

// One member. *is_known: it is the name of a number.
static enum status take_member(const char *name, const cJSON *value, struct bioheat_tissue *tissue,
                               bool *is_known)
{
    int k = 0;
    while (k < TISSUE_NUMBERS && strcmp(tissue_numbers[k].name, name) != 0)
        k++;
    const bool is_perfusion = strcmp(name, "perfusion") == 0;
    *is_known = k < TISSUE_NUMBERS || is_perfusion;
    if (!*is_known || cJSON_IsNull(value))
        return STATUS_OK;
    if (k == TISSUE_EXPONENT)
        return set_exponent(value, tissue);
    if (!cJSON_IsString(value))
        return FAIL(STATUS_CONFIGURATION, "expected a text with a unit, like \"%s\"",
                    is_perfusion              ? "559 mL/min/kg"
                    : k == TISSUE_ATTENUATION ? "0.59 dB/cm"
                                              : tissue_example(k, (char[40]){0}));
    return is_perfusion ? set_perfusion(value->valuestring, tissue)
                        : set_number(k, value->valuestring, tissue);
}

static enum status unknown_member(const char *name, const char *also)
{
    const char *known[TISSUE_NUMBERS + 3];
    size_t count = 0;
    for (int k = 0; k < TISSUE_NUMBERS; k++)
        known[count++] = tissue_numbers[k].name;
    known[count++] = "perfusion";
    known[count++] = also;
    known[count++] = "name";
    const char *nearest = suggest_word(name, known, count);
    return FAIL(STATUS_CONFIGURATION, "unknown key \"%s\"%s%s%s", name, nearest ? " (did you mean \"" : "",
                nearest ? nearest : "", nearest ? "\"?)" : "");
}

// ---- the table

// A source that a number names must be one that the table lists, if it lists any.
static enum status check_source(const cJSON *sources, const cJSON *member, const char *key)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(member, key);
    if (!name || !sources)
        return STATUS_OK;
    if (!cJSON_IsString(name) || !cJSON_GetObjectItemCaseSensitive(sources, name->valuestring))
        return FAIL(STATUS_DATA, "%s: \"%s\" is not among the table's \"sources\"", key,
                    cJSON_IsString(name) ? name->valuestring : "?");
    return STATUS_OK;
}

// "low" and "high" beside a value: the ends of a published range.
static enum status take_range(const cJSON *member, struct bioheat_tissue *low, struct bioheat_tissue *high)
{
    const cJSON *ends[] = {cJSON_GetObjectItemCaseSensitive(member, "low"),
                           cJSON_GetObjectItemCaseSensitive(member, "high")};
    bool is_known;
    if (!ends[0] && !ends[1])
        return STATUS_OK;
    if (!cJSON_IsString(ends[0]) || !cJSON_IsString(ends[1]))
        return FAIL(STATUS_DATA, "a range needs both \"low\" and \"high\", texts with a unit");
    CHECK_ABOUT(take_member(member->string, ends[0], low, &is_known), "low");
    CHECK_ABOUT(take_member(member->string, ends[1], high, &is_known), "high");
    return STATUS_OK;
}

// ---- the levels of the ITRUSST consensus

// By words in a tissue's name, which a table of the user's own may call otherwise than ours: the source must
// say what a table cites it for (see exposure.c). The brain's level is the strictest: it holds wherever such
// a word is a part of the name, in English, Latin or German. The looser ones take a name of known words
// alone: "thalamus next to backbone" is no bone.
static const char *const brain_words[] = {
    "brain",   "matter",    "cerebrum", "cerebral", "cerebell", "cortex",  "kortex", "thalam",
    "hirn",    "hippocamp", "amygdal",  "pallidum", "putamen",  "caudate", "striat", "gangli",
    "nucleus", "gyrus",     "insula",   "callosum", "medulla",  "rhinal"};
static const double brain_min = 2;
static const struct {
    const char *word;
    double dose_min; // NaN: which bone or skin it is, and where
} other_words[] = {{"bone", 16},       {"bones", 16},     {"skull", 16},       {"skin", 21},
                   {"scalp", 21},      {"cortical", NAN}, {"trabecular", NAN}, {"cancellous", NAN},
                   {"compact", NAN},   {"spongy", NAN},   {"diploe", NAN},     {"diploic", NAN},
                   {"dense", NAN},     {"outer", NAN},    {"inner", NAN},      {"table", NAN},
                   {"layer", NAN},     {"left", NAN},     {"right", NAN},      {"upper", NAN},
                   {"lower", NAN},     {"frontal", NAN},  {"parietal", NAN},   {"temporal", NAN},
                   {"occipital", NAN}, {"of", NAN},       {"the", NAN},        {"head", NAN},
                   {"human", NAN},     {"average", NAN},  {"mean", NAN}};
static const char consensus_source[] = "itrusst", consensus_text[] = "brain 2, bone 16, skin 21 min";

// Bytes beyond ASCII are those of letters.
static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

// The length of the first word of *text, which it moves there; 0: none is left.
static size_t next_word(const char **text)
{
    size_t length = 0;
    while (**text && !is_letter(**text))
        ++*text;
    while (is_letter((*text)[length]))
        length++;
    return length;
}

static bool find_word(const char *word, size_t length, double *dose_min)
{
    for (size_t k = 0; k < sizeof other_words / sizeof *other_words; k++)
        if (strlen(other_words[k].word) == length && strncasecmp(word, other_words[k].word, length) == 0) {
            *dose_min = other_words[k].dose_min;
            return true;
        }
    return false;
}

// NaN: it has none for such a tissue.
static double consensus_min(const char *name)
{
    double least_min = NAN, word_min;
    for (size_t k = 0; k < sizeof brain_words / sizeof *brain_words; k++)
        if (strcasestr(name, brain_words[k]))
            return brain_min;
    for (size_t length; (length = next_word(&name)) > 0; name += length) {
        if (!find_word(name, length, &word_min))
            return NAN;
        least_min = fmin(least_min, word_min);
    }
    return least_min;
}

// What a table states about a limit of dose. A tissue that the consensus does not name is believed to be one
// of its kinds up to the strictest of its levels.
static enum status check_limit(struct bioheat_tissue *tissue)
{
    const double level_min = consensus_min(tissue->name), limit_min = tissue->safety_dose_min;
    if (tissue->cites_consensus && limit_min > level_min)
        return FAIL(STATUS_DATA,
                    "safety_dose: %g min with the source \"%s\", whose limit for such a tissue is %g min: "
                    "give that, a stricter one, or another source",
                    limit_min, consensus_source, level_min);
    tissue->is_consensus_limit =
        tissue->cites_consensus && limit_min <= (isnan(level_min) ? brain_min : level_min);
    return STATUS_OK;
}

// Of a limit of a table that a job uses.
static void warn_of_limit(const struct job *job, const char *key, const struct bioheat_tissue *tissue,
                          const char *path)
{
    const double level_min = consensus_min(tissue->name), limit_min = tissue->safety_dose_min;
    if (tissue->cites_consensus && !tissue->is_consensus_limit && limit_min > 0)
        job_warn(job, key,
                 "%s has a limit of dose of %g min in %s, with the source \"%s\", which has none for it "
                 "(%s): within it the tissue is not judged as passed",
                 tissue->name, limit_min, path, consensus_source, consensus_text);
    else if (!tissue->cites_consensus && limit_min > level_min)
        job_warn(job, key,
                 "%s has a limit of dose of %g min in %s, looser than that of the ITRUSST consensus, %g min: "
                 "within it the tissue is not judged as passed",
                 tissue->name, limit_min, path, level_min);
    else if (tissue->cites_consensus && limit_min < level_min)
        job_warn(job, key,
                 "%s has a limit of dose of %g min in %s, with the source \"%s\", whose own is %g min: the "
                 "stricter one is taken",
                 tissue->name, limit_min, path, consensus_source, level_min);
}

static enum status read_table_tissue(const cJSON *item, const cJSON *sources, struct bioheat_tissue *tissue,
                                     struct bioheat_tissue *low, struct bioheat_tissue *high)
{
    clear_numbers(tissue);
    clear_numbers(low);
    clear_numbers(high);
    if (strlen(item->string) >= BIOHEAT_NAME_BYTES || !item->string[0])
        return FAIL(STATUS_DATA, "a name must have 1 to %d characters", BIOHEAT_NAME_BYTES - 1);
    snprintf(tissue->name, sizeof tissue->name, "%s", item->string);
    if (!cJSON_IsObject(item))
        return FAIL(STATUS_DATA, "expected an object with density, specific_heat, conductivity, perfusion");
    for (const cJSON *member = item->child; member; member = member->next) {
        const cJSON *value =
            cJSON_IsObject(member) ? cJSON_GetObjectItemCaseSensitive(member, "value") : member;
        bool is_known;
        if (!value)
            return FAIL(STATUS_DATA, "%s: \"value\" is missing", member->string);
        CHECK_ABOUT(take_member(member->string, value, tissue, &is_known), "%s", member->string);
        if (!is_known && strcmp(member->string, "comment") != 0)
            return unknown_member(member->string, "comment");
        if (!is_known || !cJSON_IsObject(member))
            continue;
        CHECK_ABOUT(take_range(member, low, high), "%s", member->string);
        if (strcmp(member->string, tissue_numbers[TISSUE_SAFETY_DOSE].name) == 0)
            tissue->cites_consensus = strcmp(json_text(member, "source"), consensus_source) == 0;
        CHECK_ABOUT(check_source(sources, member, "source"), "%s", member->string);
        CHECK_ABOUT(check_source(sources, member, "range_source"), "%s", member->string);
    }
    CHECK(check_limit(tissue));
    return tissues_check_ranges(tissue, low, high);
}

static enum status read_table(const cJSON *document, struct bioheat_tissues *table)
{
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(document, "fathom_tissues");
    const cJSON *tissues = cJSON_GetObjectItemCaseSensitive(document, "tissues");
    if (!cJSON_IsNumber(version) || version->valuedouble != 1 || !cJSON_IsObject(tissues))
        return FAIL(STATUS_DATA,
                    "%s: not a table of tissues: expected {\"fathom_tissues\": 1, \"tissues\": {...}}",
                    table->path);
    const int count = cJSON_GetArraySize(tissues);
    if (count < 1 || count > TISSUES_MAX)
        return FAIL(STATUS_DATA, "%s: %d tissues, expected 1 to %d", table->path, count, TISSUES_MAX);
    table->tissues = calloc((size_t)count, sizeof *table->tissues);
    table->low = calloc((size_t)count, sizeof *table->low);
    table->high = calloc((size_t)count, sizeof *table->high);
    if (!table->tissues || !table->low || !table->high)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %d tissues", table->path, count);
    for (const cJSON *item = tissues->child; item; item = item->next) {
        const size_t k = table->count;
        if (read_table_tissue(item, cJSON_GetObjectItemCaseSensitive(document, "sources"), &table->tissues[k],
                              &table->low[k], &table->high[k]) != STATUS_OK) {
            char reason[512];
            snprintf(reason, sizeof reason, "%s", status_message());
            status_clear();
            return FAIL(STATUS_DATA, "%s: tissue \"%.60s\": %s", table->path, item->string, reason);
        }
        table->count++;
    }
    return STATUS_OK;
}

enum status bioheat_tissues_read(const char *path, struct bioheat_tissues **tissues)
{
    *tissues = NULL;
    cJSON *document = NULL;
    CHECK(json_file_read(path, TABLE_BYTES_MAX, &document));
    struct bioheat_tissues *table = calloc(1, sizeof *table);
    if (table)
        table->path = strdup(path);
    enum status status = table && table->path ? read_table(document, table)
                                              : FAIL(STATUS_SYSTEM, "%s: no memory to read it", path);
    cJSON_Delete(document);
    if (status != STATUS_OK) {
        bioheat_tissues_free(table);
        return status;
    }
    *tissues = table;
    return STATUS_OK;
}

void bioheat_tissues_free(struct bioheat_tissues *tissues)
{
    if (!tissues)
        return;
    free(tissues->path);
    free(tissues->tissues);
    free(tissues->low);
    free(tissues->high);
    free(tissues);
}

const char *bioheat_tissues_path(const struct bioheat_tissues *tissues)
{
    return tissues->path;
}

const struct bioheat_tissue *bioheat_tissues_find(const struct bioheat_tissues *tissues, const char *name,
                                                  const char **nearest)
{
    const char *names[TISSUES_MAX];
    for (size_t k = 0; k < tissues->count; k++) {
        names[k] = tissues->tissues[k].name;
        if (strcmp(names[k], name) == 0)
            return &tissues->tissues[k];
    }
    *nearest = suggest_word(name, names, tissues->count);
    return NULL;
}

// ---- in a job

static enum status take_name(const struct bioheat_tissues *tissues, const cJSON *item,
                             struct bioheat_tissue *tissue)
{
    if (!cJSON_IsString(item))
        return FAIL(STATUS_CONFIGURATION, "expected the name of a tissue, or an object with its numbers");
    const char *nearest;
    const struct bioheat_tissue *found = bioheat_tissues_find(tissues, item->valuestring, &nearest);
    if (!found)
        return FAIL(STATUS_CONFIGURATION, "no tissue \"%.60s\" in %s%s%s%s", item->valuestring, tissues->path,
                    nearest ? " (did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?)" : "");
    *tissue = *found;
    return STATUS_OK;
}

static enum status take_object(const struct bioheat_tissues *tissues, const cJSON *item,
                               struct bioheat_tissue *tissue)
{
    const cJSON *base = cJSON_GetObjectItemCaseSensitive(item, "tissue");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
    if (base)
        CHECK_ABOUT(take_name(tissues, base, tissue), "tissue");
    if (name &&
        (!cJSON_IsString(name) || !name->valuestring[0] || strlen(name->valuestring) >= BIOHEAT_NAME_BYTES))
        return FAIL(STATUS_CONFIGURATION, "name: expected a text of 1 to %d characters",
                    BIOHEAT_NAME_BYTES - 1);
    if (name)
        snprintf(tissue->name, sizeof tissue->name, "%s", name->valuestring);
    const double of_base_min = tissue->safety_dose_min;
    for (const cJSON *member = item->child; member; member = member->next) {
        bool is_known;
        CHECK_ABOUT(take_member(member->string, member, tissue, &is_known), "%s", member->string);
        if (!is_known && member != base && member != name)
            return unknown_member(member->string, "tissue");
    }
    if (tissue->is_consensus_limit && tissue->safety_dose_min > of_base_min)
        return FAIL(STATUS_CONFIGURATION,
                    "safety_dose: %g min is looser than ITRUSST's limit for this tissue, %g min: give a "
                    "stricter one, or none",
                    tissue->safety_dose_min, of_base_min);
    // A medium defined in the job has blood only if the job gives it.
    bool has_blood = base != NULL;
    for (int k = 0; k < BIOHEAT_PERFUSION_KINDS; k++)
        has_blood |= !isnan(tissue->perfusion[k]);
    if (!has_blood)
        tissue->perfusion[BIOHEAT_PERFUSION_RATE] = 0;
    return STATUS_OK;
}

enum status bioheat_tissue_of_job(const struct job *job, const char *key, const cJSON *item,
                                  const struct bioheat_tissues *tissues, struct bioheat_tissue *tissue)
{
    memset(tissue, 0, sizeof *tissue);
    snprintf(tissue->name, sizeof tissue->name, "medium");
    clear_numbers(tissue);
    CHECK_KEY(job, key,
              cJSON_IsObject(item) ? take_object(tissues, item, tissue) : take_name(tissues, item, tissue));
    const char *base_name = cJSON_IsObject(item) ? json_text(item, "tissue") : item->valuestring, *nearest;
    const struct bioheat_tissue *base = bioheat_tissues_find(tissues, base_name, &nearest);
    if (cJSON_IsObject(item))
        tissues_warn_of_own(job, key, tissue, tissues, base_name);
    if (base)
        warn_of_limit(job, key, base, tissues->path);
    tissues_scale(job, tissue);
    return STATUS_OK;
}

enum status bioheat_tissue_medium(const struct job *job, const char *key, const struct bioheat_tissue *tissue,
                                  enum bioheat_role role, bool has_perfusion, double blood_density_kg_m3,
                                  double blood_specific_heat_j_kg_k, struct bioheat_medium *medium)
{
    for (int k = TISSUE_DENSITY; k <= TISSUE_CONDUCTIVITY; k++)
        if (isnan(*tissues_number((struct bioheat_tissue *)tissue, k)))
            return job_fail(job, key, "%s has no %s; give it, like \"%s\": \"... %s\"", tissue->name,
                            tissue_numbers[k].name, tissue_numbers[k].name, tissue_numbers[k].unit);
    *medium =
        (struct bioheat_medium){.role = role,
                                .conductivity_w_m_k = tissue->conductivity_w_m_k,
                                .heat_capacity_j_m3_k = tissue->density_kg_m3 * tissue->specific_heat_j_kg_k};
    if (!has_perfusion || role != BIOHEAT_TISSUE) // what keeps its temperature needs no blood
        return STATUS_OK;
    for (int k = 0; k < BIOHEAT_PERFUSION_KINDS; k++)
        if (!isnan(tissue->perfusion[k])) {
            medium->perfusion_w_m3_k = bioheat_perfusion_heat(
                (enum bioheat_perfusion_kind)k, tissue->perfusion[k], tissue->density_kg_m3,
                blood_density_kg_m3, blood_specific_heat_j_kg_k);
            return STATUS_OK;
        }
    return job_fail(
        job, key,
        "%s has no perfusion; give it, like \"perfusion\": \"0 s-1\", or \"physics\": {\"perfusion\": false}",
        tissue->name);
}

enum status bioheat_tissue_acoustics(const struct job *job, const char *key,
                                     const struct bioheat_tissue *tissue, double frequency_hz,
                                     struct bioheat_acoustics *acoustics)
{
    static const struct {
        int number;
        const char *example;
    } needed[] = {{TISSUE_DENSITY, "\"1046 kg m-3\""},
                  {TISSUE_SOUND_SPEED, "\"1546 m s-1\""},
                  {TISSUE_ATTENUATION, "\"0.59 dB/cm\" (at 1 MHz)"},
                  {TISSUE_EXPONENT, "1.3"}};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        const char *name = tissue_numbers[needed[k].number].name;
        if (isnan(*tissues_number((struct bioheat_tissue *)tissue, needed[k].number)))
            return job_fail(job, key, "%s has no %s, which source.pressure needs; give it, like \"%s\": %s",
                            tissue->name, name, name, needed[k].example);
    }
    acoustics->attenuation_np_m =
        tissue->attenuation_np_m * pow(frequency_hz * 1e-6, tissue->attenuation_exponent);
    acoustics->impedance_pa_s_m = tissue->density_kg_m3 * tissue->sound_speed_m_s;
    return STATUS_OK;
}
