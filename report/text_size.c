// See text_size.h.
#include "report/text_size.h"

#include "io/utf8.h"

#include <math.h>
#include <string.h>

// Advances of the characters from the blank to "~", in thousandths of the font's size: DejaVu Sans 2.37, its
// tables "hmtx".
enum { FIRST = ' ', LAST = '~', CHARACTERS = LAST - FIRST + 1, OTHER = 838 };
static const short advances[2][CHARACTERS] = {
    {318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
     636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
     575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
     611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
     278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838},
    {348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
     696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
     683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
     724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
     343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838}};

// gnuplot's pngcairo draws a point as 4/3 pixels.
static const double px_per_point = 4. / 3, line_points = 1.3;

static size_t step(const char *text)
{
    const size_t bytes = utf8_length(text);
    return bytes > 0 ? bytes : 1;
}

static double width_of(const char *text, size_t bytes, double points, bool is_bold)
{
    double width = 0;
    for (size_t k = 0; k < bytes; k += step(text + k))
        width += text[k] >= FIRST && text[k] <= LAST ? advances[is_bold][text[k] - FIRST] : OTHER;
    return width / 1000 * points * px_per_point;
}

double text_size_px(const char *text, double points, bool is_bold)
{
    return width_of(text, strlen(text), points, is_bold);
}

double text_size_line_px(double points)
{
    return line_points * points * px_per_point;
}

// The bytes of `text` that make a line: up to the last blank before the width is full.
static size_t line_bytes(const char *text, double points, bool is_bold, double width_px)
{
    size_t fitting = 0, blank = 0, end = 0;
    while (text[end] != '\0') {
        end += step(text + end);
        if (width_of(text, end, points, is_bold) > width_px)
            break;
        fitting = end;
        if (text[end] == ' ' || text[end] == '\0')
            blank = end;
    }
    if (text[fitting] == '\0')
        return fitting;
    return blank > 0 ? blank : fitting > 0 ? fitting : step(text);
}

// What is left, cut to a line that ends with "…".
static void cut(const char *text, double points, bool is_bold, double width_px, char line[TEXT_LINE_BYTES])
{
    static const char ellipsis[] = "…";
    const double space = width_px - text_size_px(ellipsis, points, is_bold);
    size_t bytes = 0;
    while (text[bytes] != '\0' && bytes + step(text + bytes) + sizeof ellipsis <= TEXT_LINE_BYTES &&
           width_of(text, bytes + step(text + bytes), points, is_bold) <= space)
        bytes += step(text + bytes);
    memcpy(line, text, bytes);
    memcpy(line + bytes, ellipsis, sizeof ellipsis);
}

struct text_lines text_size_break(const char *text, double points, bool is_bold, double width_px, size_t most)
{
    struct text_lines lines = {0};
    while (*text == ' ')
        text++;
    while (*text != '\0') {
        char *line = lines.text[lines.count++];
        size_t bytes = line_bytes(text, points, is_bold, width_px);
        if ((lines.count == most && text[bytes] != '\0') || bytes >= TEXT_LINE_BYTES) {
            cut(text, points, is_bold, width_px, line);
            break;
        }
        memcpy(line, text, bytes);
        text += bytes;
        while (bytes > 0 && line[bytes - 1] == ' ')
            bytes--;
        line[bytes] = '\0';
        while (*text == ' ')
            text++;
    }
    return lines;
}
