// The known word nearest to a misspelt one: a small dynamic programme over two words, without allocation.
// Independent of jobs or units.
#include "io/suggest.h"

#include <ctype.h>
#include <string.h>

enum { COST_EDIT = 2, COST_CASE = 1 };

static int smallest(int a, int b)
{
    return a < b ? a : b;
}

static int substitution_cost(char a, char b)
{
    if (a == b)
        return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? COST_CASE : COST_EDIT;
}

int suggest_distance(const char *a, const char *b)
{
    size_t a_length = strnlen(a, SUGGEST_WORD_MAX + 1);
    size_t b_length = strnlen(b, SUGGEST_WORD_MAX + 1);
    if (a_length > SUGGEST_WORD_MAX || b_length > SUGGEST_WORD_MAX)
        return -1;
    // Three rows of the table are enough: an exchange of neighbours reads two rows back.
    int rows[3][SUGGEST_WORD_MAX + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (int)j * COST_EDIT;
    for (size_t i = 1; i <= a_length; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i - 1) % 3];
        const int *above_that = rows[(i + 1) % 3];
        row[0] = (int)i * COST_EDIT;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = above[j - 1] + substitution_cost(a[i - 1], b[j - 1]);
            row[j] = smallest(row[j], smallest(above[j], row[j - 1]) + COST_EDIT);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smallest(row[j], above_that[j - 2] + COST_EDIT);
        }
    }
    return rows[a_length % 3][b_length];
}

const char *suggest_word(const char *word, const char *const *words, size_t count)
{
    size_t length = strnlen(word, SUGGEST_WORD_MAX + 1);
    int limit = length < 2 ? COST_CASE : length < 5 ? COST_EDIT : COST_EDIT * (int)((length + 1) / 3);
    const char *nearest = NULL;
    int nearest_distance = limit + 1;
    for (size_t w = 0; w < count; w++) {
        int distance = suggest_distance(word, words[w]);
        if (distance >= 0 && distance < nearest_distance) {
            nearest = words[w];
            nearest_distance = distance;
        }
    }
    return nearest;
}
