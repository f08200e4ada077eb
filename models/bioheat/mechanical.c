// Mechanical safety: the mechanical index of the sound of source.pressure, judged by the level of the ITRUSST
// consensus. Independent of files and of the temperature.
#include "core/log.h"
#include "io/json_file.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/body/tissues.h"
#include "models/bioheat/instance.h"

#include <cjson/cJSON.h>
#include <string.h>

// Aubry et al., ITRUSST consensus on biophysical safety for transcranial ultrasound stimulation, Brain
// Stimulation 18(6), 2025 (arXiv:2311.05359v3), abstract: no significant risk of mechanical effects if the
// mechanical index MI, or that for transcranial application MItc, does not exceed 1.9. MI is the largest
// negative pressure in MPa over the root of the frequency in MHz (IEC 62359).
static const double index_limit = 1.9;

// Bubbles are those of soft tissue. Bone, in which sound is faster than this (m/s), is not judged: even
// trabecular bone has 2000, no soft tissue has 1800.
static const double soft_tissue_most_m_s = 1900;

static const char rule[] =
    "level of the ITRUSST consensus (arXiv:2311.05359v3) for no significant risk of mechanical effects: a "
    "mechanical index (MI, or MItc in situ) of at most 1.9; computed from the largest amplitude in situ in "
    "soft tissue, taken for the negative pressure, at the largest amplitude of the protocol, without "
    "derating";

static double index_of(const struct bioheat_sound *sound, int label)
{
    return 1e-6 * sound->amplitude_pa[label] / sqrt(1e-6 * sound->frequency_hz);
}

static bool is_soft(const struct bioheat *b, const struct bioheat_sound *sound, int label)
{
    return sound->amplitude_pa[label] > 0 &&
           bioheat_domain_tissue(b->params.domain, label)->sound_speed_m_s <= soft_tissue_most_m_s;
}

// The index of the runs before, which the state carries.
static double earlier_index(const struct bioheat *b)
{
    return b->chain ? bioheat_chain_index(b->chain) : 0;
}

static bool has_exceeded_before(const struct bioheat *b)
{
    return earlier_index(b) > index_limit;
}

// The soft tissue of the largest amplitude; −1: none, or no pressure is known.
static int find_largest(const struct bioheat *b, struct bioheat_sound *sound)
{
    int largest = -1;
    if (!bioheat_heating_sound(b->heating, sound))
        return -1;
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (is_soft(b, sound, label) &&
            (largest < 0 || sound->amplitude_pa[label] > sound->amplitude_pa[largest]))
            largest = label;
    return largest;
}

double bioheat_mechanical_index(const struct bioheat *b)
{
    struct bioheat_sound sound;
    const int label = find_largest(b, &sound);
    return fmax(earlier_index(b), label < 0 ? 0 : index_of(&sound, label));
}

// "mechanical index 2.31 (level 1.9): 1.63 MPa at 500 kHz in white matter".
static void tell_index(const struct bioheat *b, const struct bioheat_sound *sound, int label, char *text,
                       size_t bytes)
{
    char ispta[64] = "";
    if (!isnan(sound->duty_cycle))
        snprintf(ispta, sizeof ispta, "; Ispta %.3g W/cm2",
                 1e-4 * sound->duty_cycle * sound->intensity_w_m2[label]);
    snprintf(text, bytes, "mechanical index %.3g (level %g): %.3g MPa at %.4g kHz in %.64s%s",
             index_of(sound, label), index_limit, 1e-6 * sound->amplitude_pa[label],
             1e-3 * sound->frequency_hz, bioheat_tissue_name(b, label), ispta);
}

static const char *verdict_word(const struct bioheat *b, const struct bioheat_sound *sound, int label)
{
    if (b->params.safety == BIOHEAT_SAFETY_IGNORED)
        return "not judged";
    if (has_exceeded_before(b))
        return "exceeded";
    return label < 0 ? "not judged" : index_of(sound, label) > index_limit ? "exceeded" : "passed";
}

enum { MESSAGE_BYTES = 480 };

// Whether mechanical safety concerns the run: it has a source, or continues one that exceeded the level.
static bool is_told(const struct bioheat *b)
{
    return bioheat_terms(bioheat_heating_source(b->heating)) > 0 || has_exceeded_before(b);
}

static void tell(const struct bioheat *b, const struct bioheat_sound *sound, int label,
                 char text[MESSAGE_BYTES])
{
    size_t used = 0;
    if (b->params.safety != BIOHEAT_SAFETY_IGNORED && has_exceeded_before(b))
        used = (size_t)snprintf(text, MESSAGE_BYTES,
                                "a run before this one (initial.from) had mechanical index %.3g (level %g); "
                                "this run: ",
                                earlier_index(b), index_limit);
    text += used;
    const size_t bytes = MESSAGE_BYTES - used;
    if (b->params.safety == BIOHEAT_SAFETY_IGNORED)
        snprintf(text, bytes, "check.itrusst is false in the job");
    else if (label < 0)
        snprintf(text, bytes, "%s",
                 isnan(sound->frequency_hz) ? "the pressure is not known: only source.pressure gives it"
                                            : "no soft tissue has a pressure");
    else
        tell_index(b, sound, label, text, bytes);
}

void bioheat_mechanical_log(const struct bioheat *b)
{
    struct bioheat_sound sound;
    char text[MESSAGE_BYTES];
    const int label = find_largest(b, &sound);
    const char *verdict = verdict_word(b, &sound, label);
    if (!is_told(b))
        return;
    tell(b, &sound, label, text);
    if (strcmp(verdict, "exceeded") == 0)
        log_warning("mechanical safety (ITRUSST): %s: EXCEEDED", text);
    else
        log_info("mechanical safety (ITRUSST): %s: %s", text, verdict);
}

enum status bioheat_mechanical_verdict(const struct bioheat *b, enum status thermal)
{
    struct bioheat_sound sound;
    char text[MESSAGE_BYTES];
    const int label = find_largest(b, &sound);
    if (b->params.safety != BIOHEAT_SAFETY_CHECKED || strcmp(verdict_word(b, &sound, label), "exceeded") != 0)
        return thermal;
    tell(b, &sound, label, text);
    return thermal == STATUS_OK
               ? FAIL(STATUS_CHECK_FAILED, "check.itrusst: mechanical safety (ITRUSST) EXCEEDED: %s", text)
               : status_append(thermal, "mechanical safety (ITRUSST) EXCEEDED: %s", text);
}

// ---- run.json

static void describe_tissue(const struct bioheat *b, const struct bioheat_sound *sound, int label,
                            cJSON *list)
{
    static const char *const keys[BIOHEAT_AXES] = {"z_m", "y_m", "x_m"};
    cJSON *item = json_append_object(list);
    cJSON_AddStringToObject(item, "tissue", bioheat_tissue_name(b, label));
    cJSON_AddBoolToObject(item, "is_soft_tissue", is_soft(b, sound, label));
    cJSON_AddNumberToObject(item, "largest_amplitude_pa", sound->amplitude_pa[label]);
    cJSON_AddNumberToObject(item, "mechanical_index", index_of(sound, label));
    cJSON_AddNumberToObject(item, "isppa_w_m2", sound->intensity_w_m2[label]);
    if (!isnan(sound->duty_cycle))
        cJSON_AddNumberToObject(item, "ispta_w_m2", sound->duty_cycle * sound->intensity_w_m2[label]);
    cJSON *place = cJSON_AddObjectToObject(item, "largest_place");
    for (int axis = BIOHEAT_AXES - 1; axis >= 0; axis--)
        cJSON_AddNumberToObject(place, keys[axis],
                                bioheat_position_m(&b->params.body.grid, axis, sound->cell[label][axis]));
}

// Where no pressure can be known, that is said, but does not count as a verdict that is missing: a batch of
// such runs would list nothing else.
static void describe_finding(const char *verdict, const char *message, bool is_counted, cJSON *report)
{
    cJSON *list = cJSON_GetObjectItem(report, "findings");
    cJSON *item = json_append_object(list ? list : cJSON_AddArrayToObject(report, "findings"));
    cJSON_AddStringToObject(item, "rule", "mechanical safety (ITRUSST)");
    cJSON_AddStringToObject(item, "verdict", verdict);
    cJSON_AddStringToObject(item, "message", message);
    if (!is_counted)
        cJSON_AddBoolToObject(item, "is_remark", true);
}

void bioheat_mechanical_describe(const struct bioheat *b, cJSON *report)
{
    struct bioheat_sound sound;
    char text[MESSAGE_BYTES];
    if (!b->exposures.is_known || !is_told(b))
        return;
    const int label = find_largest(b, &sound);
    const bool has_sound = !isnan(sound.frequency_hz);
    const char *verdict = verdict_word(b, &sound, label);
    tell(b, &sound, label, text);
    describe_finding(verdict, text, has_sound || has_exceeded_before(b), report);
    cJSON *safety = cJSON_AddObjectToObject(report, "mechanical_safety");
    cJSON_AddStringToObject(safety, "rule", rule);
    cJSON_AddStringToObject(safety, "verdict", verdict);
    cJSON_AddStringToObject(safety, "reason", text);
    if (earlier_index(b) > 0)
        cJSON_AddNumberToObject(safety, "mechanical_index_before", earlier_index(b));
    if (!has_sound)
        return;
    cJSON_AddNumberToObject(safety, "frequency_hz", sound.frequency_hz);
    if (label >= 0) {
        cJSON_AddStringToObject(safety, "tissue", bioheat_tissue_name(b, label));
        cJSON_AddNumberToObject(safety, "mechanical_index", index_of(&sound, label));
        cJSON_AddNumberToObject(safety, "mechanical_index_limit", index_limit);
        if (!isnan(sound.duty_cycle))
            cJSON_AddNumberToObject(safety, "ispta_w_m2", sound.duty_cycle * sound.intensity_w_m2[label]);
    }
    cJSON *list = cJSON_AddArrayToObject(safety, "tissues");
    for (int k = 0; k < BIOHEAT_LABELS; k++)
        if (sound.amplitude_pa[k] > 0)
            describe_tissue(b, &sound, k, list);
}
