// Whether the tissues that a table gives to labels can be right: by how many cells each has, and which lie
// beside each other. A wrong table runs like a right one, with other numbers in every tissue. Independent of
// files.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_LABEL_CHECK_H
#define FATHOM_MODELS_BIOHEAT_BODY_LABEL_CHECK_H

#include "models/bioheat/body/media.h"

#include <stdint.h>

// Faces between cells of two labels, in planes of x and y; and cells at the border of the volume.
struct label_contacts {
    uint64_t faces[BIOHEAT_LABELS][BIOHEAT_LABELS], border[BIOHEAT_LABELS];
};

// Adds a plane; the first and the last are outermost.
void label_check_count(const uint8_t *labels, bool is_outermost, size_t ny, size_t nx,
                       struct label_contacts *contacts);

// A label in use. `name`: of its tissue.
struct label_use {
    const char *name;
    size_t cells; // 0: not in use
    bool is_void;
};

// Warns of what a head cannot be: of each fault a line. `where` begins it: "tissues.labels: table colin27".
void label_check_warn(const struct label_contacts *contacts, const struct label_use uses[BIOHEAT_LABELS],
                      const char *where);

#endif
