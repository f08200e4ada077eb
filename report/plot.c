// One picture by gnuplot (see plot.h).
#include "report/plot.h"

#include "io/path.h"
#include "report/style.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define SCRIPT_NAME "picture.gp"
#define ERROR_NAME  "messages.txt"

// Runs gnuplot in `folder` with its messages in a file there. *exit_code: 127 if it could not be started at
// all.
static enum status run_gnuplot(const char *folder, const char *const *arguments, int *exit_code)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return FAIL(STATUS_SYSTEM, "gnuplot: not enough memory to start it");
    int flags = O_WRONLY | O_CREAT | O_TRUNC;
    int code = posix_spawn_file_actions_addchdir_np(&actions, folder);
    code = code ? code : posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    code = code ? code : posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    code = code ? code : posix_spawn_file_actions_addopen(&actions, 2, ERROR_NAME, flags, 0600);
    pid_t pid = 0;
    // posix_spawn does not write to its argument list, though it is not declared const.
    code = code ? code
                : posix_spawnp(&pid, "gnuplot", &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code == ENOENT || code == EACCES) {
        *exit_code = 127;
        return STATUS_OK;
    }
    if (code != 0)
        return FAIL(STATUS_SYSTEM, "gnuplot cannot be started: %s", strerror(code));
    int state;
    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return FAIL(STATUS_SYSTEM, "gnuplot: waiting for it failed: %s", strerror(errno));
    *exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return STATUS_OK;
}

static enum status make_folder(char folder[PLOT_PATH_BYTES])
{
    const char *base = getenv("TMPDIR");
    int length = snprintf(folder, PLOT_PATH_BYTES, "%s/fathom-report-XXXXXX", base && *base ? base : "/tmp");
    if (length >= PLOT_PATH_BYTES - PLOT_FILE_BYTES || !mkdtemp(folder)) {
        enum status status =
            FAIL(STATUS_CANNOT_CREATE, "%s: cannot create a temporary folder: %s (set TMPDIR)", folder,
                 length >= PLOT_PATH_BYTES - PLOT_FILE_BYTES ? "name too long" : strerror(errno));
        folder[0] = '\0';
        return status;
    }
    return STATUS_OK;
}

// The folder is temporary and flat: every file in it belongs to the picture.
static void remove_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    (void)rmdir(folder);
}

enum status plot_check_gnuplot(void)
{
    char folder[PLOT_PATH_BYTES];
    CHECK(make_folder(folder));
    static const char *const arguments[] = {"gnuplot", "-d", "-e", "set terminal pngcairo", NULL};
    int exit_code = 0;
    enum status status = run_gnuplot(folder, arguments, &exit_code);
    remove_folder(folder);
    CHECK(status);
    if (exit_code == 127)
        return FAIL(STATUS_SYSTEM, "gnuplot was not found, it draws the report: install gnuplot-nox");
    if (exit_code != 0)
        return FAIL(STATUS_SYSTEM,
                    "gnuplot has no pngcairo terminal, which draws the report: install gnuplot-nox");
    return STATUS_OK;
}

// A path as a gnuplot string. All bytes but letters, / . _ - and blanks are written in octal; digits too,
// because gnuplot would read a digit after an octal number as part of it.
static void write_path(FILE *script, const char *path)
{
    fputc('"', script);
    for (const char *p = path; *p; p++)
        if (isalpha((unsigned char)*p) || strchr("/._- ", *p))
            fputc(*p, script);
        else
            fprintf(script, "\\%03o", (unsigned)(unsigned char)*p);
    fputc('"', script);
}

static enum status write_preamble(struct plot *plot)
{
    char font[64];
    fprintf(plot->script,
            "set encoding utf8\n"
            "set terminal pngcairo noenhanced rounded background rgb '#ffffff' size %d,%d font '%s' "
            "linewidth %.3f\n"
            "set output ",
            plot->width_px, plot->height_px, plot_font(plot, 15, false, font), 1.6 * plot->scale);
    write_path(plot->script, plot->part);
    fputs("\nset tics nomirror scale 0.6\n"
          "set border linewidth 0.8 linecolor rgb '#444444'\n",
          plot->script);
    return STATUS_OK;
}

enum status plot_start(struct plot *plot, const char *pictures, const char *name, int width_px, int height_px,
                       double scale)
{
    *plot = (struct plot){.width_px = width_px, .height_px = height_px, .scale = scale};
    char absolute[PATH_MAX];
    if (!realpath(pictures, absolute))
        return FAIL(STATUS_CANNOT_CREATE, "%s: cannot be used for pictures: %s", pictures, strerror(errno));
    if (snprintf(plot->target, sizeof plot->target, "%s/%s", absolute, name) >= (int)sizeof plot->target ||
        snprintf(plot->part, sizeof plot->part, "%s/.%s.part", absolute, name) >= (int)sizeof plot->part)
        return FAIL(STATUS_CANNOT_CREATE, "%s: the path is too long for pictures", pictures);
    CHECK(make_folder(plot->folder));
    char path[PLOT_PATH_BYTES + PLOT_FILE_BYTES];
    snprintf(path, sizeof path, "%s/" SCRIPT_NAME, plot->folder);
    plot->script = fopen(path, "w");
    if (!plot->script)
        return FAIL(STATUS_CANNOT_CREATE, "%s: %s", path, strerror(errno));
    return write_preamble(plot);
}

enum status plot_data(struct plot *plot, const void *data, size_t bytes, char file[PLOT_FILE_BYTES])
{
    char path[PLOT_PATH_BYTES + PLOT_FILE_BYTES];
    snprintf(file, PLOT_FILE_BYTES, "data%d.bin", plot->data_files++);
    snprintf(path, sizeof path, "%s/%s", plot->folder, file);
    FILE *stream = fopen(path, "wb");
    if (!stream)
        return FAIL(STATUS_CANNOT_CREATE, "%s: %s", path, strerror(errno));
    bool is_written = fwrite(data, 1, bytes, stream) == bytes;
    if (fclose(stream) != 0 || !is_written)
        return FAIL(STATUS_IO, "%s: writing %zu bytes failed: %s", path, bytes, strerror(errno));
    return STATUS_OK;
}

enum status plot_xy(struct plot *plot, const char *lead, const float *xy, size_t count, const char *format,
                    ...)
{
    char file[PLOT_FILE_BYTES];
    CHECK(plot_data(plot, xy, count * 2 * sizeof *xy, file));
    fprintf(plot->script, "%s'%s' binary format='%%float%%float' using 1:2 ", lead, file);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(plot->script, format, arguments);
    va_end(arguments);
    fputs(" notitle", plot->script);
    return STATUS_OK;
}

enum status plot_image(struct plot *plot, const char *lead, const struct plot_image *image,
                       const float *values)
{
    char file[PLOT_FILE_BYTES];
    CHECK(plot_data(plot, values, image->nx * image->ny * sizeof *values, file));
    fprintf(plot->script,
            "%s'%s' binary array=(%zu,%zu) origin=(%.12g,%.12g) dx=%.12g dy=%.12g format='%%float' using 1 "
            "with image notitle",
            lead, file, image->nx, image->ny, image->x_first, image->y_first, image->x_step, image->y_step);
    return STATUS_OK;
}

// gnuplot's message: the last line that is neither blank nor its "^" pointer.
static void read_complaint(const char *folder, char *text, size_t bytes)
{
    char path[PLOT_PATH_BYTES + PLOT_FILE_BYTES], line[512];
    snprintf(text, bytes, "no message");
    snprintf(path, sizeof path, "%s/" ERROR_NAME, folder);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return;
    while (fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\r\n")] = '\0';
        const char *start = line + strspn(line, " \t^");
        if (*start)
            snprintf(text, bytes, "%s", start);
    }
    fclose(stream);
}

// Checks the first bytes and the last chunk, because gnuplot does not notice a full disk.
static enum status check_png(const char *path)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'},
                               last_chunk[8] = {'I', 'E', 'N', 'D', 0xAE, 0x42, 0x60, 0x82};
    unsigned char head[8] = {0}, tail[8] = {0};
    FILE *stream = fopen(path, "rb");
    const bool is_png = stream && fread(head, 1, sizeof head, stream) == sizeof head &&
                        fseek(stream, -(long)sizeof tail, SEEK_END) == 0 &&
                        fread(tail, 1, sizeof tail, stream) == sizeof tail &&
                        memcmp(head, signature, sizeof head) == 0 &&
                        memcmp(tail, last_chunk, sizeof tail) == 0;
    if (stream)
        fclose(stream);
    return is_png ? STATUS_OK
                  : FAIL(STATUS_IO, "%s: gnuplot did not write a whole PNG (is the disk full?)", path);
}

static enum status render(struct plot *plot)
{
    bool is_written = fprintf(plot->script, "\nunset multiplot\nset output\n") > 0 && !ferror(plot->script);
    int closed = fclose(plot->script);
    plot->script = NULL;
    if (closed != 0 || !is_written)
        return FAIL(STATUS_IO, "%s/" SCRIPT_NAME ": writing failed: %s", plot->folder, strerror(errno));
    static const char *const arguments[] = {"gnuplot", "-d", SCRIPT_NAME, NULL};
    int exit_code = 0;
    CHECK(run_gnuplot(plot->folder, arguments, &exit_code));
    if (exit_code == 127)
        return FAIL(STATUS_SYSTEM, "gnuplot was not found, it draws the report: install gnuplot-nox");
    if (exit_code != 0) {
        char complaint[400];
        read_complaint(plot->folder, complaint, sizeof complaint);
        return FAIL(STATUS_SYSTEM, "%s: gnuplot failed (exit code %d): %s", plot->target, exit_code,
                    complaint);
    }
    CHECK(check_png(plot->part));
    return path_publish(plot->part, plot->target);
}

enum status plot_finish(struct plot *plot, enum status drawn)
{
    enum status status = drawn;
    if (status == STATUS_OK)
        status = render(plot);
    if (plot->script)
        fclose(plot->script);
    plot->script = NULL;
    if (status != STATUS_OK && plot->part[0])
        (void)unlink(plot->part);
    const char *keep = getenv("FATHOM_REPORT_KEEP"); // for development: keeps the scripts
    if (plot->folder[0] && !(keep && *keep))
        remove_folder(plot->folder);
    return status;
}

void plot_box(struct plot *plot, const struct plot_box *box)
{
    double right = box->left + box->width, bottom = box->top + box->height;
    fprintf(plot->script, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n",
            box->left / plot->width_px, right / plot->width_px);
    fprintf(plot->script, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
            1 - box->top / plot->height_px, 1 - bottom / plot->height_px);
}

void plot_heading(struct plot *plot, const char *title, const char *second, double left, double space)
{
    char quoted[1024], font[64];
    fprintf(plot->script, "set label 101 %s at screen %.6f,%.6f left font '%s' textcolor rgb '#1b1b1b'\n",
            style_quote(title, (size_t)(space / (14.5 * plot->scale)), quoted, sizeof quoted),
            left / plot->width_px, 1 - 26 * plot->scale / plot->height_px, plot_font(plot, 19, true, font));
    if (second)
        fprintf(plot->script, "set label 102 %s at screen %.6f,%.6f left font '%s' textcolor rgb '#666666'\n",
                style_quote(second, (size_t)(space / (9.4 * plot->scale)), quoted, sizeof quoted),
                left / plot->width_px, 1 - 58 * plot->scale / plot->height_px,
                plot_font(plot, 14, false, font));
}

void plot_palette(struct plot *plot, const char *const *colours, size_t count)
{
    fprintf(plot->script, "set palette maxcolors 0 defined (");
    for (size_t k = 0; k < count; k++)
        fprintf(plot->script, "%s%zu '%s'", k ? ", " : "", k, colours[k]);
    fprintf(plot->script, ")\n");
}

const char *plot_font(const struct plot *plot, double points, bool bold, char text[64])
{
    snprintf(text, 64, "DejaVu Sans%s,%.2f", bold ? ":Bold" : "", points * plot->scale);
    return text;
}
