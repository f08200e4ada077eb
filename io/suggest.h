// "Did you mean ...?": the known word nearest to a misspelt one. Independent of who asks.
#ifndef FATHOM_IO_SUGGEST_H
#define FATHOM_IO_SUGGEST_H

#include <stddef.h>

// Longer words are not compared: words of 64 letters are not misspelled by accident.
enum { SUGGEST_WORD_MAX = 64 };

// Returns the known word nearest to `word`, or NULL if none is near enough: within one edit for each three
// letters (one for words of two to four). An edit adds, drops or changes a letter, or exchanges two
// neighbours (optimal string alignment, the restricted Damerau-Levenshtein distance; F. J. Damerau, CACM 7,
// 1964). A change of case costs half an edit. Of equally near words the first is returned.
const char *suggest_word(const char *word, const char *const *words, size_t count);

// The distance that suggest_word minimises, in half edits; -1 if a word is longer than SUGGEST_WORD_MAX.
int suggest_distance(const char *a, const char *b);

#endif
