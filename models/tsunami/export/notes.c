// What is true of all of a product: the event, the choices by which its numbers were made, and that it is no
// warning; from the attributes of the results.
#include "models/tsunami/export/private.h"

#include "models/tsunami/export/notice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct geo_note *next_note(struct export_notes *notes, const char *name)
{
    for (int k = 0; k < notes->count; k++)
        if (strcmp(notes->notes[k].name, name) == 0)
            return NULL; // of another of the results
    if (notes->count == EXPORT_NOTES_MAX)
        return NULL;
    struct geo_note *note = &notes->notes[notes->count++];
    *note = (struct geo_note){.name = name};
    return note;
}

static void add_text(struct export_notes *notes, const char *name, const char *text)
{
    struct geo_note *note = text[0] ? next_note(notes, name) : NULL;
    if (!note)
        return;
    note->text = notes->texts[notes->count - 1];
    snprintf(notes->texts[notes->count - 1], EXPORT_NOTE_BYTES, "%s", text);
}

static void add_numbers(struct export_notes *notes, const char *name, const struct result_file *file,
                        const char *attribute)
{
    double values[GEO_NOTE_VALUES_MAX];
    const size_t count = result_numbers(file, NULL, attribute, values, GEO_NOTE_VALUES_MAX);
    struct geo_note *note = count > 0 ? next_note(notes, name) : NULL;
    if (!note)
        return;
    note->count = (int)count;
    memcpy(note->values, values, count * sizeof *values);
}

// A result's title is the job's with the result's behind it.
static void add_event(struct export_notes *notes, const struct result_file *file)
{
    char title[EXPORT_NOTE_BYTES];
    result_attribute(file, NULL, "title", title, sizeof title);
    char *end = NULL;
    for (char *colon = strstr(title, ": "); colon; colon = strstr(colon + 1, ": "))
        end = colon;
    if (end)
        *end = '\0';
    add_text(notes, "event", title);
}

// The threat levels of an ensemble are the thresholds of its probabilities.
static void add_thresholds(struct export_notes *notes, const struct result_file *file)
{
    double *values;
    size_t count;
    if (result_read_all(file, "threshold", &values, &count) != STATUS_OK) {
        status_clear();
        return;
    }
    struct geo_note *note = count <= GEO_NOTE_VALUES_MAX ? next_note(notes, "threat_levels_m") : NULL;
    if (note) {
        note->count = (int)count;
        memcpy(note->values, values, count * sizeof *values);
    }
    free(values);
}

void export_notes_read(const struct result_file *file, struct export_notes *notes)
{
    static const char *const times[] = {"arrival", "max_eta", "travel_time"};
    const bool is_ensemble = tsunami_result_kind_of(file) == TSUNAMI_RESULT_ENSEMBLE;
    char text[EXPORT_NOTE_BYTES];
    double origin_s = NAN;
    add_event(notes, file);
    for (size_t k = 0; k < sizeof times / sizeof *times && isnan(origin_s); k++)
        if (!result_find(file, times[k]) || !export_origin(file, times[k], &origin_s))
            origin_s = NAN;
    export_utc(origin_s + 0.5, text);
    add_text(notes, "origin_utc", text);
    if (is_ensemble)
        add_thresholds(notes, file);
    add_numbers(notes, "threat_levels_m", file, "threat_levels_m");
    add_numbers(notes, "arrival_threshold_m", file, "threshold_m");
    add_numbers(notes, "green_depth_m", file, "green_depth_m");
    result_attribute(file, NULL, "comment", text, sizeof text);
    add_text(notes, "comment", text);
    add_numbers(notes, "members", file, "members");
    add_text(notes, "notice", is_ensemble ? HAZARD_NOTICE : TSUNAMI_NOTICE);
}
