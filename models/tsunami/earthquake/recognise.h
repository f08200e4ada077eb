// Which file of an earthquake it is, by its content, and the readers of all of them. Before the seal.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_RECOGNISE_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_RECOGNISE_H

#include "models/tsunami/earthquake/event.h"
#include "models/tsunami/earthquake/rupture.h"

enum earthquake_format {
    EARTHQUAKE_NONE,  // none of them
    EARTHQUAKE_TABLE, // this program's fault table (models/tsunami/earthquake/faults.h)
    // Finite faults
    EARTHQUAKE_PARAM,
    EARTHQUAKE_FSP,
    EARTHQUAKE_FFM,
    EARTHQUAKE_CSV,
    // Moment tensors
    EARTHQUAKE_CMTSOLUTION,
    EARTHQUAKE_NDK,
    EARTHQUAKE_QUAKEML,
    EARTHQUAKE_EVENT_JSON
};

const char *earthquake_format_name(enum earthquake_format format); // "USGS .param"
bool earthquake_format_is_rupture(enum earthquake_format format);  // a fault table too
bool earthquake_format_is_event(enum earthquake_format format);

// By the first part of a file, which ends with a 0.
enum earthquake_format earthquake_recognise(const char *head);

// By the first 32 KiB of a file. STATUS_NO_INPUT: it cannot be opened.
enum status earthquake_recognise_file(const char *path, enum earthquake_format *format);

// Reads a finite fault in any of its formats, a fault table too (which may be on a plane). reference: of a
// CSV that does not state it, or NULL. STATUS_DATA: another file, and what it is; else as the readers of
// rupture.h and faults.h. STATUS_NO_INPUT, STATUS_IO.
enum status earthquake_read_rupture(const char *path, const char *reference,
                                    struct earthquake_rupture *rupture, enum earthquake_format *format);

// Reads a moment tensor in any of its formats; wanted: the name of one event, or NULL. Statuses alike.
enum status earthquake_read_event(const char *path, const char *wanted, struct earthquake_event *event,
                                  enum earthquake_format *format);

#endif
