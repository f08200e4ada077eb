// Where the panels of a chart, their titles and their keys lie, on how many pages (chart.h). Every text has
// the space that it needs: panels and keys follow from the sizes of the texts.
#include "report/timings/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double chart_heading_pt = 19, chart_title_pt = 13, chart_aside_pt = 11, chart_key_pt = 11.5,
             chart_name_pt = 11, chart_value_pt = 10.5, chart_line_pt = 12;

static const double margin_px = 40, heading_px = 12, page_px = 2300, gap_y_px = 26, below_px = 66;
// Panels of lines: in two columns, with the key at the right. `axis_px`: for the numbers of the axis y.
static const double axis_px = 104, side_px = 432, gap_x_px = 132, panel_px = 320, letter_px = 20;
// Panels with names: in two columns, with the key above them.
static const double names_most_px = 290, names_gap_px = 16, columns_gap_px = 56, row_px = 24,
                    two_rows_px = 40;
static const double mark_px = 46; // before the text of a line of a key
static const double title_most = 3, aside_most = 4;

static bool has_names(const struct chart_panel *panel)
{
    return panel->kind != CHART_LINES;
}

struct text_lines chart_name_lines(const char *name)
{
    return text_size_break(name, chart_name_pt, false, names_most_px, 3);
}

static double name_height(const struct chart_panel *panel)
{
    double height = panel->kind == CHART_POINTS && panel->series_count > 1 ? two_rows_px : row_px;
    for (size_t k = 0; k < panel->name_count; k++) {
        const double lines = (double)chart_name_lines(panel->names[k]).count;
        height = fmax(height, lines * text_size_line_px(chart_name_pt) + 5);
    }
    return height;
}

// The widest of the panels `first` … `end`, so that their axes stand below each other.
static double names_width(const struct chart *chart, size_t first, size_t end)
{
    double width = 0;
    for (size_t p = first; p < end; p++)
        for (size_t k = 0; k < chart->panels[p].name_count; k++) {
            const struct text_lines lines = chart_name_lines(chart->panels[p].names[k]);
            for (size_t line = 0; line < lines.count; line++)
                width = fmax(width, text_size_px(lines.text[line], chart_name_pt, false));
        }
    return width + names_gap_px;
}

static double box_height(const struct chart_panel *panel)
{
    return has_names(panel) ? fmax(2, (double)panel->name_count) * name_height(panel) : panel_px;
}

// The title and the aside of a panel, in that width; returns their height.
static double break_titles(const struct chart_panel *panel, double width, struct chart_place *place)
{
    place->title = text_size_break(panel->title, chart_title_pt, true, width, (size_t)title_most);
    place->aside = text_size_break(panel->aside, chart_aside_pt, false, width, (size_t)aside_most);
    return (double)place->title.count * text_size_line_px(chart_title_pt) +
           (double)place->aside.count * text_size_line_px(chart_aside_pt) + 8;
}

// ---- keys

static bool has_series(const struct chart_key *key, const struct chart_series *series)
{
    for (size_t k = 0; k < key->count; k++)
        if (key->entries[k].series && strcmp(key->entries[k].series->name, series->name) == 0)
            return true;
    return false;
}

static void add_entry(struct chart_key *key, const struct chart_series *series, const struct chart_line *line,
                      char letter, double width)
{
    if (key->count == CHART_KEY_MAX)
        return;
    struct chart_entry *entry = &key->entries[key->count++];
    *entry = (struct chart_entry){.series = series, .line = line, .letter = letter};
    entry->text =
        text_size_break(series ? series->name : line->name, chart_key_pt, false, width, TEXT_LINES_MAX);
}

// The series of the panels `first` … `end`, notes and ideals last, and their marks and limits, which get
// letters.
static void list_key(const struct chart *chart, struct chart_layout *layout, size_t first, size_t end,
                     double width, struct chart_key *key)
{
    char letter = 'a';
    for (int last = 0; last < 2; last++)
        for (size_t p = first; p < end; p++)
            for (size_t s = 0; s < chart->panels[p].series_count; s++) {
                const struct chart_series *series = &chart->panels[p].series[s];
                const bool is_last = series->style == CHART_NOTE || series->style == CHART_IDEAL;
                if (is_last == (last == 1) && !has_series(key, series))
                    add_entry(key, series, NULL, 0, width);
            }
    for (size_t p = first; p < end; p++) {
        const struct chart_panel *panel = &chart->panels[p];
        layout->places[p].letter = letter;
        for (size_t k = 0; k < panel->mark_count; k++)
            add_entry(key, NULL, &panel->marks[k], letter++, width);
        for (size_t k = 0; k < panel->limit_count; k++)
            add_entry(key, NULL, &panel->limits[k], letter++, width);
    }
}

// One entry below the other; returns the height.
static double stack_key(struct chart_key *key, double left)
{
    double top = 0;
    for (size_t k = 0; k < key->count; k++) {
        key->entries[k].left = left;
        key->entries[k].top = top;
        top += (double)key->entries[k].text.count * text_size_line_px(chart_key_pt) + 5;
    }
    return top;
}

static double entry_width(const struct chart_entry *entry)
{
    double width = 0;
    for (size_t k = 0; k < entry->text.count; k++)
        width = fmax(width, text_size_px(entry->text.text[k], chart_key_pt, false));
    return width + (entry->series && entry->series->style == CHART_NOTE ? 0 : mark_px) + 30;
}

// Entries side by side, in as many rows as they need; returns the height.
static double line_up_key(struct chart_key *key)
{
    double left = margin_px, top = 0, height = 0;
    for (size_t k = 0; k < key->count; k++) {
        struct chart_entry *entry = &key->entries[k];
        const double width = entry_width(entry);
        if (left > margin_px && left + width > CHART_WIDTH - margin_px) {
            left = margin_px;
            top += height;
            height = 0;
        }
        entry->left = left;
        entry->top = top;
        left += width;
        height = fmax(height, (double)entry->text.count * text_size_line_px(chart_key_pt) + 5);
    }
    return key->count > 0 ? top + height + 12 : 0;
}

static void shift_key(struct chart_key *key, double top, size_t page)
{
    key->page = page;
    for (size_t k = 0; k < key->count; k++)
        key->entries[k].top += top;
}

// ---- pages

struct cursor {
    const struct chart *chart;
    struct chart_layout *layout;
    double begin; // of a page's panels
    double top;   // of what comes next
};

static size_t page_of(const struct cursor *cursor)
{
    return cursor->layout->page_count - 1;
}

// Begins a page unless there is space for so much on this one.
static bool make_space(struct cursor *cursor, double height)
{
    struct chart_layout *layout = cursor->layout;
    if (cursor->top + height <= page_px || cursor->top <= cursor->begin ||
        layout->page_count == CHART_PAGES_MAX)
        return false;
    layout->page_count++;
    cursor->top = cursor->begin;
    return true;
}

static void use(struct cursor *cursor, double bottom)
{
    double *height = &cursor->layout->heights[page_of(cursor)];
    *height = fmax(*height, bottom);
}

// ---- groups of panels of lines

// A row of one or two panels, of which the first has the number `first`; returns its height.
static double place_row(struct cursor *cursor, size_t first, size_t count, bool is_alone, double top)
{
    const double all = CHART_WIDTH - axis_px - side_px, half = (all - gap_x_px) / 2,
                 width = is_alone ? all : half;
    double head = 0, marks = 0;
    for (size_t k = 0; k < count; k++) {
        struct chart_place *place = &cursor->layout->places[first + k];
        head = fmax(head, break_titles(&cursor->chart->panels[first + k], width, place));
        marks = cursor->chart->panels[first + k].mark_count > 0 ? letter_px : marks;
    }
    for (size_t k = 0; k < count; k++) {
        struct chart_place *place = &cursor->layout->places[first + k];
        place->page = page_of(cursor);
        place->left = axis_px + (double)k * (half + gap_x_px);
        place->top = top;
        place->box = (struct plot_box){place->left, top + head + marks, width, panel_px};
    }
    return head + marks + panel_px + below_px;
}

// From cursor->top on; returns the height.
static double place_lines(struct cursor *cursor, size_t first, size_t end, double key_height)
{
    double top = cursor->top;
    for (size_t k = first; k < end; k += 2)
        top += place_row(cursor, k, end - k > 1 ? 2 : 1, end - first == 1, top) + gap_y_px;
    const double key_top = cursor->layout->places[first].box.top;
    return fmax(top, key_top + key_height + gap_y_px) - cursor->top;
}

static void lay_out_lines(struct cursor *cursor, size_t first, size_t end)
{
    struct chart_key *key = &cursor->layout->keys[cursor->layout->key_count++];
    const double left = CHART_WIDTH - side_px + 48;
    list_key(cursor->chart, cursor->layout, first, end, CHART_WIDTH - left - mark_px - 16, key);
    const double key_height = stack_key(key, left);
    double height = place_lines(cursor, first, end, key_height);
    if (make_space(cursor, height))
        height = place_lines(cursor, first, end, key_height);
    key->kind = CHART_LINES;
    shift_key(key, cursor->layout->places[first].box.top, page_of(cursor));
    use(cursor, cursor->top + height);
    cursor->top += height;
}

// ---- groups of panels with names

static void place_key(struct cursor *cursor, size_t first, size_t end)
{
    struct chart_key *key = &cursor->layout->keys[cursor->layout->key_count++];
    *key = (struct chart_key){.kind = cursor->chart->panels[first].kind};
    if (key->kind == CHART_POINTS && cursor->chart->panels[first].series_count > 1)
        list_key(cursor->chart, cursor->layout, first, end, CHART_WIDTH - 2 * margin_px - mark_px - 30, key);
    const double height = line_up_key(key);
    shift_key(key, cursor->top, page_of(cursor));
    cursor->top += height;
}

// Each panel goes into the column that is less full.
static void lay_out_named(struct cursor *cursor, size_t first, size_t end)
{
    const bool is_alone = end - first == 1;
    const double all = CHART_WIDTH - 2 * margin_px, column = is_alone ? all : (all - columns_gap_px) / 2,
                 names = names_width(cursor->chart, first, end);
    make_space(cursor, page_px / 4);
    place_key(cursor, first, end);
    double tops[2] = {cursor->top, cursor->top};
    for (size_t k = first; k < end; k++) {
        const struct chart_panel *panel = &cursor->chart->panels[k];
        struct chart_place *place = &cursor->layout->places[k];
        const double head = break_titles(panel, column, place),
                     height = head + box_height(panel) + below_px + gap_y_px;
        int side = !is_alone && tops[1] < tops[0];
        cursor->top = tops[side];
        if (make_space(cursor, height)) {
            place_key(cursor, k, end);
            tops[0] = tops[1] = cursor->top;
            side = 0;
        }
        place->page = page_of(cursor);
        place->left = margin_px + side * (column + columns_gap_px);
        place->top = tops[side];
        place->box =
            (struct plot_box){place->left + names, tops[side] + head, column - names, box_height(panel)};
        tops[side] += height;
        use(cursor, tops[side]);
    }
    cursor->top = fmax(tops[0], tops[1]);
}

// ---- the whole

static void write_headings(const struct chart *chart, struct chart_layout *layout)
{
    const double width = CHART_WIDTH - 2 * margin_px;
    for (size_t page = 0; page < layout->page_count; page++) {
        char title[CHART_TEXT_BYTES + 64];
        snprintf(title, sizeof title, layout->page_count > 1 ? "%s (page %zu of %zu)" : "%s", chart->title,
                 page + 1, layout->page_count);
        layout->headings[page] = text_size_break(title, chart_heading_pt, true, width, TEXT_LINES_MAX);
    }
}

// With space for a title of several pages.
static double heading_height(const struct chart *chart, struct chart_layout *layout)
{
    const double width = CHART_WIDTH - 2 * margin_px;
    char title[CHART_TEXT_BYTES + 64];
    snprintf(title, sizeof title, "%s (page 99 of 99)", chart->title);
    double top =
        heading_px + (double)text_size_break(title, chart_heading_pt, true, width, TEXT_LINES_MAX).count *
                         text_size_line_px(chart_heading_pt);
    for (size_t k = 0; k < chart->line_count; k++) {
        layout->lines[k] = text_size_break(chart->lines[k], chart_line_pt, false, width, 4);
        top += (double)layout->lines[k].count * text_size_line_px(chart_line_pt);
    }
    return top + 22;
}

enum status chart_lay_out(const struct chart *chart, struct chart_layout *layout)
{
    *layout = (struct chart_layout){.page_count = 1};
    layout->places = calloc(chart->panel_count + 1, sizeof *layout->places);
    layout->keys = calloc(chart->panel_count + CHART_PAGES_MAX, sizeof *layout->keys);
    layout->headings = calloc(CHART_PAGES_MAX, sizeof *layout->headings);
    if (!layout->places || !layout->keys || !layout->headings)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    const double begin = heading_height(chart, layout);
    struct cursor cursor = {chart, layout, begin, begin};
    for (size_t first = 0, end; first < chart->panel_count; first = end) {
        const struct chart_panel *panel = &chart->panels[first];
        for (end = first + 1; end < chart->panel_count && chart->panels[end].group == panel->group;)
            end++;
        has_names(panel) ? lay_out_named(&cursor, first, end) : lay_out_lines(&cursor, first, end);
    }
    write_headings(chart, layout);
    return STATUS_OK;
}

void chart_layout_free(struct chart_layout *layout)
{
    free(layout->places);
    free(layout->keys);
    free(layout->headings);
    *layout = (struct chart_layout){0};
}

int chart_height_px(const struct chart_layout *layout, size_t page, int width_px)
{
    return (int)ceil((layout->heights[page] + 10) * width_px / CHART_WIDTH);
}
