// The sea floor's uplift in `fathom info` (see the header).
#include "cli/info_uplift.h"

#include "cli/info_job.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void info_uplift_recognise(const struct grid_info *info, const char *standard_name,
                           struct info_uplift *uplift)
{
    static const char *const names[] = {"displacement", "deformation", "uplift", "dtopo"};
    static const char *const others[] = {"sea_surface", "sea_water", "velocity", "speed"};
    static const char *const surfaces[] = {"eta", "zeta",
                                           "ssh"}; // of the water, where there is no standard_name
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        uplift->is_stated |= strcasestr(info->variable, names[k]) != NULL;
    uplift->is_wanted = uplift->is_stated || info->records > 1 || info->times_s != NULL;
    for (size_t k = 0; k < sizeof surfaces / sizeof *surfaces; k++)
        uplift->is_wanted &= strcasecmp(info->variable, surfaces[k]) != 0;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strstr(standard_name, others[k]) != NULL)
            uplift->is_wanted = uplift->is_stated = false;
}

static double time_of(const struct grid_info *info, size_t record)
{
    return info->times_s != NULL ? info->times_s[record] : NAN;
}

static enum status take_record(struct grid_file *file, struct grid_scan scan, size_t record,
                               struct info_uplift *uplift)
{
    const struct grid_info *info = grid_info(file);
    CHECK(grid_select_record(file, record));
    CHECK(grid_scan(file, &scan));
    if (!(scan.minimum >= uplift->minimum)) {
        uplift->minimum = scan.minimum;
        uplift->minimum_s = time_of(info, record);
    }
    if (!(scan.maximum <= uplift->maximum)) {
        uplift->maximum = scan.maximum;
        uplift->maximum_s = time_of(info, record);
    }
    uplift->last_minimum = scan.minimum;
    uplift->last_maximum = scan.maximum;
    uplift->missing += scan.missing;
    return STATUS_OK;
}

enum status info_uplift_gather(struct grid_file *file, const struct grid_scan *scan, size_t record,
                               struct info_uplift *uplift)
{
    uplift->minimum = uplift->maximum = uplift->minimum_s = uplift->maximum_s = NAN;
    for (size_t k = 0; k < grid_info(file)->records; k++)
        CHECK(take_record(file, *scan, k, uplift));
    return grid_select_record(file, record);
}

// The job's "displacement" for this file. Values that the user has to add are "?", and named in `open`.
static cJSON *suggest(const struct grid_file *file, cJSON *open)
{
    const struct grid_info *info = grid_info(file);
    cJSON *displacement = cJSON_CreateObject();
    cJSON_AddStringToObject(displacement, "file", grid_path(file));
    if (info->format == GRID_FORMAT_NETCDF)
        cJSON_AddStringToObject(displacement, "variable", info->variable);
    if (info->file_units[0] == '\0') {
        cJSON_AddStringToObject(displacement, "units", "?");
        cJSON_AddItemToArray(open, cJSON_CreateString("units: of the values, such as \"m\""));
    }
    if (info->file_positive == GRID_POSITIVE_DOWN)
        cJSON_AddItemToArray(open, cJSON_CreateString("the file states that its values are positive down: an "
                                                      "uplift is positive up; \"override\": true if they "
                                                      "are"));
    cJSON_AddStringToObject(displacement, "start", "0 s");
    if (info->records == 1)
        cJSON_AddStringToObject(displacement, "rise", "0 s");
    return displacement;
}

static void print_over_time(const struct grid_file *file, const struct info_uplift *uplift)
{
    const struct grid_info *info = grid_info(file);
    const char *units = info->file_units[0] != '\0' ? UTF8_SHOWN(info->file_units) : "(no units)";
    if (info->records == 1)
        return;
    printf("over time  %.7g %s", uplift->minimum, units);
    if (isfinite(uplift->minimum_s))
        printf(" at %.6g s", uplift->minimum_s);
    printf(" … %.7g %s", uplift->maximum, units);
    if (isfinite(uplift->maximum_s))
        printf(" at %.6g s", uplift->maximum_s);
    printf("; last record %.7g … %.7g\n", uplift->last_minimum, uplift->last_maximum);
    if (info->times_s != NULL)
        printf("           times after the first record, which acts at \"start\"\n");
}

enum status info_uplift_print(const struct grid_file *file, const struct info_uplift *uplift)
{
    cJSON *open = cJSON_CreateArray(), *displacement = suggest(file, open);
    print_over_time(file, uplift);
    const enum status status = info_job_print("source.displacement", displacement);
    if (status == STATUS_OK && !uplift->is_stated)
        printf("           if it is the uplift of the sea floor, positive up\n");
    for (int k = 0; k < cJSON_GetArraySize(open); k++)
        printf("%s %s\n", k == 0 ? "to decide " : "          ",
               cJSON_GetStringValue(cJSON_GetArrayItem(open, k)));
    cJSON_Delete(open);
    return status;
}

static void add_time(cJSON *object, const char *name, double time_s)
{
    if (isfinite(time_s))
        cJSON_AddNumberToObject(object, name, time_s);
}

void info_uplift_add(cJSON *report, const struct grid_file *file, const struct info_uplift *uplift)
{
    cJSON *open = cJSON_CreateArray(), *over = cJSON_AddObjectToObject(report, "over_time");
    cJSON_AddNumberToObject(over, "minimum", uplift->minimum);
    add_time(over, "minimum_s", uplift->minimum_s);
    cJSON_AddNumberToObject(over, "maximum", uplift->maximum);
    add_time(over, "maximum_s", uplift->maximum_s);
    cJSON_AddNumberToObject(over, "last_minimum", uplift->last_minimum);
    cJSON_AddNumberToObject(over, "last_maximum", uplift->last_maximum);
    cJSON_AddNumberToObject(over, "missing", (double)uplift->missing);
    cJSON_AddItemToObject(report, "displacement", suggest(file, open));
    cJSON_AddItemToObject(report, "to_decide", open);
}
