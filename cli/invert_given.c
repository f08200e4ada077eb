// Reads the settings of an earlier fit from its slips.json, so that --slips compares as it was fitted (see
// invert_options.h). models/tsunami/forecast/slips.c reads the slips themselves.
#include "cli/invert_options.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

enum { FILE_BYTES_MAX = 4 << 20 };

static enum status take_number(const cJSON *object, const char *key, const char *path, double *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item)
        return STATUS_OK; // an earlier version had no shifts
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
        return FAIL(STATUS_DATA, "%s: fit: %s: expected a number", path, key);
    *value = item->valuedouble;
    return STATUS_OK;
}

// What the station was in the fit. --fit and --forecast must not say otherwise.
static enum status take_role(const cJSON *station, const char *path, struct invert_choice *choice)
{
    const cJSON *fitted = cJSON_GetObjectItemCaseSensitive(station, "is_fitted");
    if (!fitted)
        return STATUS_OK;
    if (!cJSON_IsBool(fitted))
        return FAIL(STATUS_DATA, "%s: fit: is_fitted: expected true or false", path);
    const enum invert_role was = cJSON_IsTrue(fitted) ? INVERT_FITTED : INVERT_FORECAST;
    if (choice->role != INVERT_COMPARED && choice->role != was)
        return FAIL(STATUS_USAGE, "--%s: station %s %s in the fit of %s: name it with --%s",
                    was == INVERT_FITTED ? "forecast" : "fit", choice->name,
                    was == INVERT_FITTED ? "was fitted" : "was forecast", path,
                    was == INVERT_FITTED ? "fit" : "forecast");
    choice->role = was;
    return STATUS_OK;
}

static enum status take_station(const cJSON *station, const char *path, const struct invert_options *options,
                                struct invert_choice *choice)
{
    double begin_s = NAN, end_s = NAN, shift_s = 0, bound_s = 0;
    CHECK(take_number(station, "begin_s", path, &begin_s));
    CHECK(take_number(station, "end_s", path, &end_s));
    CHECK(take_number(station, "shift_s", path, &shift_s));
    CHECK(take_number(station, "shift_bound_s", path, &bound_s));
    CHECK(take_role(station, path, choice));
    if (isnan(choice->begin_s))
        choice->begin_s = begin_s;
    if (isnan(choice->end_s))
        choice->end_s = end_s;
    if (!(options->shift.share > 0)) { // else --shift seeks a new one
        choice->shift_s = shift_s;
        choice->shift_bound_s = bound_s;
    }
    return choice->begin_s >= choice->end_s
               ? FAIL(STATUS_DATA,
                      "%s: fit: the window of station %s, %g to %g s, ends before it begins (with --window "
                      "where given)",
                      path, choice->name, choice->begin_s, choice->end_s)
               : STATUS_OK;
}

static enum status take_fit(const cJSON *fit, const char *path, struct invert_options *options,
                            struct invert_choice *choices, size_t count)
{
    const cJSON *station;
    double delay_s = 0;
    CHECK(take_number(fit, "delay_s", path, &delay_s));
    if (isnan(options->delay_s))
        options->delay_s = delay_s;
    if (!(options->far_field_m > 0))
        CHECK(take_number(fit, "far_field_depth_m", path, &options->far_field_m));
    options->has_offsets |= cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(fit, "has_offsets"));
    cJSON_ArrayForEach(station, cJSON_GetObjectItemCaseSensitive(fit, "stations"))
    {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(station, "name");
        for (size_t k = 0; cJSON_IsString(name) && k < count; k++)
            if (strcmp(choices[k].name, name->valuestring) == 0)
                CHECK(take_station(station, path, options, &choices[k]));
    }
    return STATUS_OK;
}

enum status invert_given_read(struct invert_options *options, struct invert_choice *choices, size_t count,
                              bool *is_read)
{
    char path[PATH_BYTES];
    cJSON *document;
    *is_read = false;
    if (!options->slips || strchr(options->slips, '='))
        return STATUS_OK;
    CHECK_ABOUT(path_find(options->slips, NULL, path), "--slips");
    CHECK(json_file_read(path, FILE_BYTES_MAX, &document));
    const cJSON *fit = cJSON_GetObjectItemCaseSensitive(document, "fit");
    enum status status = STATUS_OK;
    if (cJSON_IsObject(fit)) {
        *is_read = true;
        status = take_fit(fit, path, options, choices, count);
    }
    cJSON_Delete(document);
    return status;
}
