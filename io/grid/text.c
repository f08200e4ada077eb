// Words and numbers of text grids, with line numbers for the errors, and rows found again by their byte
// offset: one scan when the file is opened, 16 bytes a row, then any row in any order through one fixed
// buffer. Independent of the formats' headers.
#include "io/grid/internal.h"
#include "io/path.h"
#include "io/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

struct text_position {
    uint64_t offset, line;
};

static void close_text(struct grid_text *text)
{
    if (text->stream != NULL)
        fclose(text->stream); // opened for reading: nothing can be lost
    free(text->buffer);
    *text = (struct grid_text){0};
}

enum status grid_text_open(const char *path, struct grid_text *text)
{
    struct stat about;
    *text = (struct grid_text){.path = path, .line = 1};
    text->stream = fopen(path, "rb");
    if (text->stream == NULL)
        return FAIL(path_open_status(errno), "%s: %s", path, strerror(errno));
    text->buffer = malloc(GRID_TEXT_BUFFER_BYTES);
    if (text->buffer == NULL) {
        close_text(text);
        return FAIL(STATUS_SYSTEM, "%s: out of memory", path);
    }
    if (fstat(fileno(text->stream), &about) != 0 || !S_ISREG(about.st_mode)) {
        close_text(text);
        return FAIL(STATUS_NO_INPUT, "%s: not a regular file", path);
    }
    text->file_bytes = (uint64_t)about.st_size;
    (void)setvbuf(text->stream, text->buffer, _IOFBF, GRID_TEXT_BUFFER_BYTES); // else a smaller one
    return STATUS_OK;
}

static enum status seek_position(struct grid_text *text, struct text_position position)
{
    if (position.offset != text->offset && fseeko(text->stream, (off_t)position.offset, SEEK_SET) != 0)
        return FAIL(STATUS_IO, "%s: %s", text->path, strerror(errno));
    text->offset = position.offset;
    text->line = position.line;
    return STATUS_OK;
}

// EOF at the end of the file, and where reading failed: check_stream.
static inline int next_byte(struct grid_text *text)
{
    const int byte = getc_unlocked(text->stream);
    text->offset += byte != EOF;
    text->line += byte == '\n';
    return byte;
}

static void put_back(struct grid_text *text, int byte)
{
    if (byte == EOF)
        return;
    (void)ungetc(byte, text->stream); // one byte can always be put back
    text->offset--;
    text->line -= byte == '\n';
}

static enum status check_stream(const struct grid_text *text)
{
    return ferror(text->stream) ? FAIL(STATUS_IO, "%s: %s", text->path, strerror(errno)) : STATUS_OK;
}

static inline bool is_blank(int byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

enum status grid_text_word(struct grid_text *text, char word[GRID_WORD_BYTES], uint64_t *line, bool *found)
{
    size_t length = 0;
    int byte = next_byte(text);
    while (is_blank(byte))
        byte = next_byte(text);
    *line = text->line;
    *found = byte != EOF;
    for (; byte != EOF && !is_blank(byte); byte = next_byte(text))
        if (length + 1 < GRID_WORD_BYTES)
            word[length++] = (char)byte;
    put_back(text, byte); // a newline belongs to what follows
    word[length] = '\0';
    return check_stream(text);
}

bool grid_parse_number(const char *word, double *value)
{
    char copy[GRID_WORD_BYTES];
    size_t length = strnlen(word, sizeof copy - 1);
    memcpy(copy, word, length);
    copy[length] = '\0';
    for (size_t k = 1; k < length; k++)
        if ((copy[k] == 'D' || copy[k] == 'd') && (isdigit((unsigned char)copy[k - 1]) || copy[k - 1] == '.'))
            copy[k] = 'E'; // Fortran writes 1.0D+03
    char *end = copy;
    *value = strtod(copy, &end);
    return end != copy && *end == '\0' && !isinf(*value);
}

bool grid_parse_count(const char *word, size_t *value)
{
    double number;
    if (!grid_parse_number(word, &number) || !(number >= 1 && number <= INT32_MAX) ||
        number != nearbyint(number))
        return false;
    *value = (size_t)number;
    return true;
}

enum status grid_text_number(struct grid_text *text, const char *what, double *value)
{
    char word[GRID_WORD_BYTES];
    uint64_t line;
    bool found;
    CHECK(grid_text_word(text, word, &line, &found));
    if (!found)
        return FAIL(STATUS_DATA, "%s: the file ends before %s", text->path, what);
    if (!grid_parse_number(word, value))
        return FAIL(STATUS_DATA, "%s: line %llu: \"%s\" is not a number (expected %s)", text->path,
                    (unsigned long long)line, word, what);
    return STATUS_OK;
}

enum status grid_text_count(struct grid_text *text, const char *what, size_t minimum, size_t *value)
{
    char word[GRID_WORD_BYTES];
    uint64_t line;
    bool found;
    CHECK(grid_text_word(text, word, &line, &found));
    if (!found)
        return FAIL(STATUS_DATA, "%s: the file ends before %s", text->path, what);
    if (!grid_parse_count(word, value) || *value < minimum)
        return FAIL(STATUS_DATA,
                    "%s: line %llu: %s is \"%s\", expected a whole number from %zu to 2147483647", text->path,
                    (unsigned long long)line, what, word, minimum);
    return STATUS_OK;
}

// Splits the next line into at most `capacity` words, and skips the rest of the line; *count = words found.
static enum status split_line(struct grid_text *text, char words[][GRID_WORD_BYTES], size_t capacity,
                              size_t *count, bool *found)
{
    size_t length = 0;
    bool in_word = false;
    int byte = next_byte(text);
    *count = 0;
    *found = byte != EOF;
    for (; byte != EOF && byte != '\n'; byte = next_byte(text)) {
        if (!is_blank(byte) && (in_word || *count < capacity)) {
            if (!in_word) {
                in_word = true;
                length = 0;
                ++*count;
            }
            if (length + 1 < GRID_WORD_BYTES)
                words[*count - 1][length++] = (char)byte;
            words[*count - 1][length] = '\0';
        } else if (is_blank(byte)) {
            in_word = false;
        }
    }
    return check_stream(text);
}

enum status grid_text_check_size(const struct grid_text *text, size_t nx, size_t ny, size_t records)
{
    size_t numbers;
    // Each number takes a digit and, but for the last, a blank.
    if (__builtin_mul_overflow(nx, ny, &numbers) || __builtin_mul_overflow(numbers, records, &numbers) ||
        numbers > text->file_bytes / 2 + 1)
        return FAIL(STATUS_DATA, "%s: the header promises %zu × %zu × %zu numbers, but the file has %s only",
                    text->path, nx, ny, records, UNITS_BYTES(text->file_bytes));
    return STATUS_OK;
}

// ---- labelled headers

static bool is_label(const char *word)
{
    return isalpha((unsigned char)word[0]) && strcasecmp(word, "nan") != 0;
}

enum status grid_text_header(struct grid_text *text, size_t label_first, size_t label_last,
                             enum status (*entry)(const struct grid_header_line *line,
                                                  struct grid_header *header),
                             struct grid_header *header)
{
    for (;;) {
        bool found;
        const struct text_position here = {text->offset, text->line};
        struct grid_header_line line = {.path = text->path, .line = here.line, .label_at = label_first};
        CHECK(split_line(text, line.words, GRID_HEADER_WORDS, &line.count, &found));
        if (!found)
            return FAIL(STATUS_DATA, "%s: the file ends within its header", text->path);
        if (line.count == 0)
            continue;
        while (line.label_at < line.count && line.label_at <= label_last &&
               !is_label(line.words[line.label_at]))
            line.label_at++;
        if (line.label_at == line.count || line.label_at > label_last)
            return seek_position(text, here);
        CHECK(entry(&line, header));
    }
}

enum status grid_header_count(const char *path, const struct grid_header *header, int key, const char *name,
                              size_t least, size_t *value)
{
    const double number = header->value[key];
    if (!header->has[key])
        return FAIL(STATUS_DATA, "%s: the header has no %s", path, name);
    if (!(number >= (double)least && number <= INT32_MAX) || number != nearbyint(number))
        return FAIL(STATUS_DATA, "%s: %s is %g, expected a whole number from %zu to 2147483647", path, name,
                    number, least);
    *value = (size_t)number;
    return STATUS_OK;
}

enum status grid_header_axes(const struct grid_text *text, double x, double dx, double y, double dy,
                             struct grid_file *file)
{
    const struct grid_info *info = &file->info;
    CHECK(grid_text_check_size(text, info->nx, info->ny, info->records));
    CHECK(grid_even_axis(file->path, x, dx, info->nx, &file->x));
    return grid_even_axis(file->path, y + dy * (double)(info->ny - 1), -dy, info->ny, &file->y);
}

// ---- rows

struct text_grid {
    struct grid_text text;
    struct grid_text_values values;
    struct text_position *rows;
};

static void close_text_grid(void *state)
{
    struct text_grid *grid = state;
    close_text(&grid->text);
    free(grid->rows);
    free(grid);
}

static enum status read_text_row(void *state, size_t record, size_t row, double *values)
{
    struct text_grid *grid = state;
    const struct grid_text_values *shape = &grid->values;
    // Values like −3.40282e+38 are printed to different numbers of digits in the header and in the data.
    double margin = fabs(shape->missing) > 1e20 ? 1e-5 * fabs(shape->missing) : 0;
    CHECK(seek_position(&grid->text, grid->rows[record * shape->ny + row]));
    for (size_t k = 0; k < shape->nx; k++) {
        double value;
        CHECK(grid_text_number(&grid->text, "a value of the grid", &value));
        bool is_missing = fabs(value - shape->missing) <= margin || value >= shape->blank_above;
        values[k] = is_missing ? NAN : value;
    }
    return STATUS_OK;
}

static const struct grid_reader text_reader = {read_text_row, close_text_grid};

// Bytes that a number can have ("nan" included); a table, because every byte of a large file is looked up.
static void mark_number_bytes(bool is_number_byte[256])
{
    for (const char *byte = "0123456789+-.eEdDnNaA"; *byte != '\0'; byte++)
        is_number_byte[(unsigned char)*byte] = true;
}

static enum status fail_word(struct grid_text *text)
{
    char word[GRID_WORD_BYTES];
    uint64_t line;
    bool found;
    CHECK(grid_text_word(text, word, &line, &found));
    return FAIL(STATUS_DATA, "%s: line %llu: \"%s\" is not part of a number", text->path,
                (unsigned long long)line, word);
}

// Finds the position of each row's first number. Stops at the first byte that cannot be part of a number.
static enum status scan_rows(struct text_grid *grid)
{
    struct grid_text *text = &grid->text;
    const struct grid_text_values *shape = &grid->values;
    uint64_t total = (uint64_t)shape->nx * shape->ny * shape->records;
    uint64_t count = 0;
    size_t in_row = 0;
    bool in_word = false;
    bool is_number_byte[256] = {false};
    mark_number_bytes(is_number_byte);
    for (int byte; (byte = next_byte(text)) != EOF; in_word = !is_blank(byte)) {
        if (!is_blank(byte) && !in_word) {
            if (count == total)
                return FAIL(
                    STATUS_DATA, "%s: line %llu: more numbers than the header's %zu columns × %zu rows",
                    text->path, (unsigned long long)text->line, shape->nx, shape->ny * shape->records);
            if (in_row == 0)
                grid->rows[count / shape->nx] = (struct text_position){text->offset - 1, text->line};
            in_row = in_row + 1 == shape->nx ? 0 : in_row + 1;
            count++;
        }
        if (!is_blank(byte) && !is_number_byte[byte]) {
            put_back(text, byte);
            return fail_word(text);
        }
    }
    CHECK(check_stream(text));
    if (count < total)
        return FAIL(STATUS_DATA,
                    "%s: the file ends at line %llu after %llu numbers, its header promises %zu columns × "
                    "%zu rows = %llu",
                    text->path, (unsigned long long)text->line, (unsigned long long)count, shape->nx,
                    shape->ny * shape->records, (unsigned long long)total);
    return STATUS_OK;
}

enum status grid_text_attach(struct grid_file *file, struct grid_text *text, enum status header,
                             const struct grid_text_values *values)
{
    struct text_grid *grid = header == STATUS_OK ? calloc(1, sizeof *grid) : NULL;
    if (grid == NULL) {
        close_text(text);
        return header == STATUS_OK ? FAIL(STATUS_SYSTEM, "%s: out of memory", file->path) : header;
    }
    grid->text = *text;
    grid->text.path = file->path; // lives as long as the file
    grid->values = *values;
    *text = (struct grid_text){0};
    file->state = grid;
    file->reader = &text_reader;
    CHECK(grid_text_check_size(&grid->text, values->nx, values->ny, values->records));
    grid->rows = calloc(values->ny * values->records, sizeof *grid->rows);
    if (grid->rows == NULL)
        return FAIL(STATUS_SYSTEM, "%s: an index of %zu rows: out of memory", file->path,
                    values->ny * values->records);
    return scan_rows(grid);
}
