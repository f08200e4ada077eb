// Other numbers than the table's: sets of tissues at one end of published ranges (tissues.set), and factors
// (tissues.scale). See tissues.h.
#include "models/bioheat/body/tissues_private.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- ranges

static enum status check_range(const char *name, double low, double value, double high)
{
    if (isnan(low) && isnan(high))
        return STATUS_OK;
    if (!(low <= value && value <= high))
        return FAIL(STATUS_DATA, "%s: the value does not lie between \"low\" and \"high\", in the same unit",
                    name);
    return STATUS_OK;
}

enum status tissues_check_ranges(const struct bioheat_tissue *tissue, const struct bioheat_tissue *low,
                                 const struct bioheat_tissue *high)
{
    for (int k = 0; k < TISSUE_NUMBERS; k++)
        CHECK(check_range(tissue_numbers[k].name, *tissues_number((struct bioheat_tissue *)low, k),
                          *tissues_number((struct bioheat_tissue *)tissue, k),
                          *tissues_number((struct bioheat_tissue *)high, k)));
    for (int k = 0; k < BIOHEAT_PERFUSION_KINDS; k++)
        CHECK(check_range("perfusion", low->perfusion[k], tissue->perfusion[k], high->perfusion[k]));
    return STATUS_OK;
}

static void move(double *value, double end, bool *is_moved)
{
    if (isnan(end))
        return;
    *value = end;
    *is_moved = true;
}

// Conservative: the end that makes tissue hotter under a given pressure or power.
static void move_tissue(struct bioheat_tissues *table, size_t k, bool is_hotter)
{
    struct bioheat_tissue *tissue = &table->tissues[k];
    for (int n = 0; n < TISSUE_NUMBERS; n++)
        if (tissue_numbers[n].hotter != 0)
            move(tissues_number(tissue, n),
                 *tissues_number(
                     (tissue_numbers[n].hotter > 0) == is_hotter ? &table->high[k] : &table->low[k], n),
                 &tissue->is_moved);
    for (int n = 0; n < BIOHEAT_PERFUSION_KINDS; n++)
        move(&tissue->perfusion[n], is_hotter ? table->low[k].perfusion[n] : table->high[k].perfusion[n],
             &tissue->is_moved);
}

// ---- factors

static const struct {
    const char *key;
    int number; // −1: perfusion
    double least, most;
} factors[] = {
    {"tissues.scale.density", TISSUE_DENSITY, 0.1, 10},
    {"tissues.scale.specific_heat", TISSUE_SPECIFIC_HEAT, 0.1, 10},
    {"tissues.scale.conductivity", TISSUE_CONDUCTIVITY, 0.1, 10},
    {"tissues.scale.perfusion", -1, 0, 10},
    {"tissues.scale.sound_speed", TISSUE_SOUND_SPEED, 0.1, 10},
    {"tissues.scale.attenuation", TISSUE_ATTENUATION, 0, 10},
};
enum { FACTORS = sizeof factors / sizeof *factors };

static enum status check_factor(const struct job *job, int k, const cJSON *item)
{
    if (!cJSON_IsNumber(item) ||
        !(item->valuedouble >= factors[k].least && item->valuedouble <= factors[k].most))
        return job_fail(job, factors[k].key, "expected a factor from %g to %g, or {\"TISSUE\": factor}",
                        factors[k].least, factors[k].most);
    return STATUS_OK;
}

static enum status check_factors(const struct job *job)
{
    for (int k = 0; k < FACTORS; k++) {
        const cJSON *item = job_json(job, factors[k].key);
        if (!item)
            continue;
        if (!cJSON_IsObject(item))
            CHECK(check_factor(job, k, item));
        for (const cJSON *member = cJSON_IsObject(item) ? item->child : NULL; member; member = member->next)
            CHECK(check_factor(job, k, member));
    }
    return STATUS_OK;
}

void tissues_scale(const struct job *job, struct bioheat_tissue *tissue)
{
    for (int k = 0; k < FACTORS; k++) {
        const cJSON *item = job_json(job, factors[k].key);
        if (cJSON_IsObject(item))
            item = cJSON_GetObjectItemCaseSensitive(item, tissue->name);
        if (!item)
            continue;
        for (int n = 0; n < BIOHEAT_PERFUSION_KINDS && factors[k].number < 0; n++)
            tissue->perfusion[n] *= item->valuedouble;
        if (factors[k].number >= 0)
            *tissues_number(tissue, factors[k].number) *= item->valuedouble;
    }
}

// ---- a job's choice

enum status bioheat_tissues_choose(struct bioheat_tissues *tissues, const struct job *job)
{
    const char *set = job_string(job, "tissues.set");
    if ((strcmp(set, "default") != 0 || job_has(job, "tissues.scale")) && job_has(job, "domain.fields"))
        return job_fail(job, job_has(job, "tissues.scale") ? "tissues.scale" : "tissues.set",
                        "has no effect on domain.fields, whose numbers are those of its file");
    CHECK(check_factors(job));
    for (size_t k = 0; k < tissues->count && strcmp(set, "default") != 0; k++)
        move_tissue(tissues, k, strcmp(set, "conservative") == 0);
    return STATUS_OK;
}

static bool has_name(const struct bioheat_tissue *tissues, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(tissues[k].name, name) == 0)
            return true;
    return false;
}

static enum status check_names(const struct job *job, const struct bioheat_tissue *tissues, size_t count)
{
    for (int k = 0; k < FACTORS; k++) {
        const cJSON *item = job_json(job, factors[k].key);
        for (const cJSON *member = cJSON_IsObject(item) ? item->child : NULL; member; member = member->next)
            if (!has_name(tissues, count, member->string))
                return job_fail(job, factors[k].key, "\"%.60s\" is not a tissue of this job", member->string);
    }
    return STATUS_OK;
}

// Appends a name, once.
static void list_name(const char *name, char *list, size_t bytes)
{
    const char *found = strstr(list, name);
    const size_t used = strlen(list), length = strlen(name);
    const bool is_listed = found && (found[length] == '\0' || found[length] == ',');
    if (!is_listed && used + length + 3 < bytes)
        snprintf(list + used, bytes - used, "%s%s", used > 0 ? ", " : "", name);
}

// A result is conservative for the tissues with ranges only, which its reader must know.
static void warn_of_unmoved(const struct job *job, const char *set, const struct bioheat_tissue *tissues,
                            const bool *is_used, size_t count)
{
    char moved[256] = "", unmoved[400] = "";
    for (size_t k = 0; k < count; k++)
        if (is_used[k] && tissues[k].name[0] && !isnan(tissues[k].conductivity_w_m_k))
            list_name(tissues[k].name, tissues[k].is_moved ? moved : unmoved,
                      tissues[k].is_moved ? sizeof moved : sizeof unmoved);
    if (unmoved[0])
        job_warn(job, "tissues.set",
                 "%s for %s only: the table has no ranges for %s, whose numbers are the usual ones", set,
                 moved, unmoved);
}

enum status bioheat_tissues_check_choice(const struct job *job, const struct bioheat_tissue *tissues,
                                         const bool *is_used, size_t count)
{
    const char *set = job_string(job, "tissues.set");
    bool has_moved = false;
    CHECK(check_names(job, tissues, count));
    if (strcmp(set, "default") == 0)
        return STATUS_OK;
    for (size_t k = 0; k < count; k++)
        has_moved |= is_used[k] && tissues[k].is_moved;
    if (!has_moved)
        return job_fail(job, "tissues.set", "%s: the table has no range for any tissue of this job", set);
    warn_of_unmoved(job, set, tissues, is_used, count);
    return STATUS_OK;
}
