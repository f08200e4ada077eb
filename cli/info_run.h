// `fathom info` on the results of a run: model, title, whether it is finished, the verdicts of its checks,
// its files and their variables. Uses run.json and the files of io: no job, no model.
#ifndef FATHOM_CLI_INFO_RUN_H
#define FATHOM_CLI_INFO_RUN_H

#include "core/status.h"

#include <stdbool.h>

// Whether `path` is a folder, or a run.json: then info_run is for it.
bool info_run_is_for(const char *path);

// Prints the summary as text or JSON. No run in the folder → STATUS_NO_INPUT; run.json is damaged, or a
// result is no netCDF file → STATUS_DATA.
enum status info_run(const char *path, bool as_json);

#endif
