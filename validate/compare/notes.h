// Notes of a comparison, and a hint for a refusal.
#ifndef FATHOM_VALIDATE_COMPARE_NOTES_H
#define FATHOM_VALIDATE_COMPARE_NOTES_H

enum { COMPARE_NOTES_MAX = 12, COMPARE_NOTE_BYTES = 240 };

struct compare_notes {
    int count;
    char texts[COMPARE_NOTES_MAX][COMPARE_NOTE_BYTES];
};

// The option that would make the comparison possible; the caller writes the message.
enum compare_hint { COMPARE_HINT_NONE, COMPARE_HINT_OVERLAP, COMPARE_HINT_INDEX, COMPARE_HINT_TIME };

struct compare_remarks {
    struct compare_notes *notes;
    enum compare_hint *hint;
};

// Adds a note, unless it exists or there are already COMPARE_NOTES_MAX.
void compare_note(struct compare_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
