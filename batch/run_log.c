// The log of a run (see the header).
#include "batch/run_log.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void batch_run_log_failure(const char *path, long from_bytes, char *message, size_t bytes)
{
    static const char mark[] = "fathom: ", warning[] = "warning: ";
    char line[4096];
    bool is_start = true; // of a line: one that is longer than `line` comes in parts
    FILE *log = fopen(path, "re");
    if (log && fseek(log, from_bytes, SEEK_SET) == 0)
        while (fgets(line, sizeof line, log)) {
            const char *text = line + strlen(mark);
            if (is_start && strncmp(line, mark, strlen(mark)) == 0 &&
                strncmp(text, warning, strlen(warning)) != 0)
                snprintf(message, bytes, "%.*s", (int)strcspn(text, "\n"), text);
            is_start = strchr(line, '\n') != NULL;
        }
    if (log)
        fclose(log); // opened for reading: nothing can be lost
}
