// See file.h.
#include "models/particles/file.h"

#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum status open_quantity(struct particles_file *file, enum particles_quantity q)
{
    static const char *const keys[PARTICLES_FILE_QUANTITIES] = {
        [PARTICLES_POSITION] = "particles.file.position",
        [PARTICLES_VELOCITY] = "particles.file.velocity",
        [PARTICLES_MASS] = "particles.file.mass"};
    const struct job *job = file->job;
    const bool is_elsewhere = q == PARTICLES_MASS && file->mass_path[0];
    const int64_t frame =
        job_has(job, "particles.file.frame") ? job_integer(job, "particles.file.frame") : -1;
    CHECK(particles_open(is_elsewhere ? file->mass_path : file->path, q, job_string(job, keys[q]),
                         is_elsewhere ? -1 : frame, &file->parts[q]));
    const struct particles_info *info = particles_info(file->parts[q]);
    const struct particles_info *places = particles_info(file->parts[PARTICLES_POSITION]);
    if (q == PARTICLES_POSITION) {
        file->count = info->count;
        if (frame >= 0 && info->frames == 0)
            return job_fail(job, "particles.file.frame", "%s: variable %s has no frames", info->path,
                            info->variable);
    }
    if (q == PARTICLES_VELOCITY && info->frames != places->frames)
        return FAIL(STATUS_DATA, "%s: variable %s has %zu frames, but %s has %zu", info->path, info->variable,
                    info->frames, places->variable, places->frames);
    if (info->count != file->count)
        return FAIL(STATUS_DATA, "%s: variable %s has %zu %s, but %s has %zu", info->path, info->variable,
                    info->count, file->many, places->variable, file->count);
    return file->settle_units(file->context, q);
}

static enum status find_paths(struct particles_file *file)
{
    const struct job *job = file->job;
    CHECK_KEY(job, "particles.file.file",
              path_find(job_string(job, "particles.file.file"), job_directory(job), file->path));
    if (job_has(job, "particles.file.mass_file"))
        CHECK_KEY(
            job, "particles.file.mass_file",
            path_find(job_string(job, "particles.file.mass_file"), job_directory(job), file->mass_path));
    return STATUS_OK;
}

enum status particles_file_open(struct particles_file *file)
{
    const struct job *job = file->job;
    const bool has_masses = !job_has(job, file->mass_key);
    if (!has_masses && (job_has(job, "particles.file.mass") || job_has(job, "particles.file.mass_file")))
        return job_fail(job, file->mass_key,
                        "the masses are to come from a file, too: one of the two is expected");
    CHECK(find_paths(file));
    CHECK_KEY(job, "particles.file", open_quantity(file, PARTICLES_POSITION));
    if (file->has_velocities)
        CHECK_KEY(job, "particles.file", open_quantity(file, PARTICLES_VELOCITY));
    if (has_masses)
        CHECK_KEY(job, "particles.file", open_quantity(file, PARTICLES_MASS));
    if (file->count < 2 || file->count > file->most)
        return FAIL(STATUS_DATA, "%s: variable %s has %zu %s: 2 to %zu are expected", file->path,
                    particles_file_positions(file), file->count, file->count == 1 ? file->one : file->many,
                    file->most);
    return STATUS_OK;
}

void particles_file_close(struct particles_file *file)
{
    for (int q = 0; q < PARTICLES_FILE_QUANTITIES; q++)
        particles_close(file->parts[q]);
}

bool particles_file_is_bare(const struct particles_file *file, enum particles_quantity q)
{
    static const char *const amber[PARTICLES_FILE_QUANTITIES] = {[PARTICLES_POSITION] = "angstrom",
                                                                 [PARTICLES_VELOCITY] = "angstrom/picosecond",
                                                                 [PARTICLES_MASS] = ""};
    const char *units = particles_info(file->parts[q])->units;
    double slope, offset;
    if (!units[0] || strcmp(units, "1") == 0 || strcmp(units, amber[q]) == 0)
        return true;
    if (units_conversion(units, "1", &slope, &offset) == STATUS_OK)
        return slope == 1;
    status_clear();
    return false;
}

const char *particles_file_positions(const struct particles_file *file)
{
    return particles_info(file->parts[PARTICLES_POSITION])->variable;
}

int particles_file_inputs(const struct particles_file *file, const char **paths)
{
    int count = 0;
    paths[count++] = file->path;
    if (file->mass_path[0])
        paths[count++] = file->mass_path;
    return count;
}

size_t particles_file_cache_bytes(const struct particles_file *file)
{
    size_t bytes = 0;
    for (int q = 0; q < PARTICLES_FILE_QUANTITIES; q++)
        bytes += file->parts[q] ? particles_cache_bytes(file->parts[q]) : 0;
    return bytes;
}

enum status particles_file_refuse(const struct particles_file *file, enum particles_quantity q, size_t index,
                                  int axis, double value, const char *complaint)
{
    const struct particles_info *info = particles_info(file->parts[q]);
    char where[24] = "", shown[40] = "missing or not a number";
    if (info->components > 1)
        snprintf(where, sizeof where, ", component %c", "xyz"[axis]);
    if (isinf(value))
        snprintf(shown, sizeof shown, "%g: not finite", value);
    return FAIL(STATUS_DATA, "%s: variable %s: %s %zu (counted from 0)%s: %s", info->path, info->variable,
                file->one, index, where, isfinite(value) ? complaint : shown);
}
