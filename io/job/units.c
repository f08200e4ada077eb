// See units.h.
#include "io/job/units.h"

#include "io/time_units.h"
#include "io/units.h"

enum { UNIT_BYTES = 256 };

enum status job_units_check(struct units_override *override, const char *key,
                            const struct stated_units *stated)
{
    const struct job *job = override->job;
    char given[UNIT_BYTES], of_file[UNIT_BYTES];
    bool contradict;
    if (!job_has(job, key))
        return STATUS_OK;
    time_units_without_date(job_string(job, key), given, sizeof given);
    time_units_without_date(stated->units, of_file, sizeof of_file);
    if (units_contradict(given, of_file, &contradict) != STATUS_OK)
        return job_blame(job, key, STATUS_CONFIGURATION);
    if (!contradict && !stated->is_other)
        return STATUS_OK;
    if (!job_boolean(job, override->key) && stated->form)
        return job_fail(
            job, key,
            "\"%.80s\" contradicts %.300s: files of %s have %.80s, and its variable %.80s states no "
            "other units: leave the key out; if the values are in %.80s all the same, add "
            "\"override\": true beside \"file\"",
            job_string(job, key), stated->path, stated->form, stated->units, stated->variable,
            job_string(job, key));
    if (!job_boolean(job, override->key))
        return job_fail(
            job, key,
            "\"%.80s\" contradicts %.300s, whose variable %.80s states units = \"%.80s\": leave the key out; "
            "if it is the file that is wrong, add \"override\": true beside \"file\"",
            job_string(job, key), stated->path, stated->variable, stated->units);
    override->is_used = true;
    job_warn(job, override->key,
             "%.300s: variable %.80s: values read in %.80s, although %s%s units = \"%.80s\"", stated->path,
             stated->variable, job_string(job, key), stated->form ? stated->form : "the file",
             stated->form ? " writes" : " states", stated->units);
    return STATUS_OK;
}

void job_units_end(const struct units_override *override, const char *path)
{
    if (job_boolean(override->job, override->key) && !override->is_used)
        job_warn(override->job, override->key,
                 "has no effect: nothing that is given beside it contradicts %s", path);
}
