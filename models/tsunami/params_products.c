// The blocks output.points and output.zones, threat levels and travel times of a job (params.c).
#include "models/tsunami/params_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tsunami_params_free_products(struct tsunami_params *p)
{
    free(p->points.points);
    p->points = (struct tsunami_points){0};
    zones_file_free(&p->zones.file);
}

static enum status read_points(const struct job *job, bool is_geographic, struct tsunami_points *points)
{
    static const char key[] = "output.points.file";
    struct points_file file;
    points->depth_m = job_quantity(job, "output.points.depth");
    points->search_m = job_quantity(job, "output.points.search");
    points->threshold_m = job_quantity(job, "output.points.threshold");
    points->green_depth_m = job_quantity(job, "output.points.green_depth");
    points->is_required = job_boolean(job, "output.points.required");
    CHECK_KEY(job, key, path_find(job_string(job, key), job_directory(job), points->path));
    CHECK(points_file_read(points->path, is_geographic, &file));
    points->points = calloc(file.count, sizeof *points->points);
    for (size_t k = 0; points->points && k < file.count; k++) {
        struct tsunami_point *point = &points->points[k];
        memcpy(point->name, file.points[k].name, sizeof point->name);
        point->x = file.points[k].x;
        point->y = file.points[k].y;
        point->is_outside = true;
        points->count++;
    }
    const size_t count = file.count;
    points_file_free(&file);
    return points->points ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for %zu points", count);
}

static enum status read_threats(const struct job *job, struct tsunami_params *p)
{
    static const char key[] = "output.threat_levels";
    static const double usual_m[] = {0.3, 1, 3}; // the classes of PTWC's forecasts
    const size_t count = job_list_length(job, key);
    if (!job_has(job, key)) {
        p->threat_count = sizeof usual_m / sizeof *usual_m;
        memcpy(p->threat_m, usual_m, sizeof usual_m);
        return STATUS_OK;
    }
    if (count < 1 || count > TSUNAMI_THREATS_MAX)
        return job_fail(job, key, "%zu levels, expected 1 to %d", count, TSUNAMI_THREATS_MAX);
    p->threat_count = (int)count;
    for (size_t k = 0; k < count; k++) {
        p->threat_m[k] = job_list_quantity(job, key, k);
        if (k > 0 && p->threat_m[k] <= p->threat_m[k - 1])
            return job_fail(job, key, "levels must ascend");
    }
    return STATUS_OK;
}

enum status tsunami_params_read_products(const struct job *job, struct tsunami_params *p)
{
    const bool has_points = job_has(job, "output.points"), has_zones = job_has(job, "output.zones");
    const bool is_geographic = p->window.is_geographic;
    CHECK(read_threats(job, p));
    if (job_has(job, "output.threat_levels") && !has_points && !has_zones)
        return job_fail(job, "output.threat_levels", "has no effect without output.points or output.zones");
    p->has_travel_time = job_boolean(job, "output.travel_time");
    p->travel_time_share = job_number(job, "output.travel_time_share");
    if (job_has(job, "output.travel_time_share") && !p->has_travel_time)
        return job_fail(job, "output.travel_time_share", "has no effect without \"travel_time\": true");
    if (has_points)
        CHECK(read_points(job, is_geographic, &p->points));
    if (!has_zones)
        return STATUS_OK;
    if (!p->has_maxima)
        return job_fail(job, "output.zones", "needs \"maxima\": true, from which the zones' values come");
    CHECK_KEY(job, "output.zones.file",
              path_find(job_string(job, "output.zones.file"), job_directory(job), p->zones.path));
    return zones_file_read(p->zones.path, job_string(job, "output.zones.name"), is_geographic,
                           &p->zones.file);
}
