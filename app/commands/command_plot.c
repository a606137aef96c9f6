/* sinew plot: a picture of a result, a film, or curves. What is drawn is decided here; plot.py, which is taken into the
 * program when it is built, draws bodies with the VTK of the ParaView or PyVista that is installed; curves are drawn by
 * the script of `sinew report`. */
#include "app/commands/commands.h"
#include "app/commands/plot.h"
#include "app/commands/result_choice.h"
#include "core/memory.h"
#include "output/folder.h"
#include "plot_script.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ARGUMENTS = 48, OPTIONS = 24, OPTION_BYTES = 512 };

typedef struct Drawing {
  Plot plot;
  char *data, *picture, *part; /* owned: results.xdmf, the picture, and its name until it is whole */
  char script[32], said[32];   /* temporary files; "" before they are there */
  int n_option;
  char option[OPTIONS][OPTION_BYTES]; /* "--range=-80,20": a value may start with a sign */
} Drawing;

static bool on_path(const char *name) {
  const char *path = getenv("PATH");
  char whole[PATH_MAX];
  while (path && *path) {
    const size_t n = strcspn(path, ":");
    snprintf(whole, sizeof whole, "%.*s/%s", (int)n, path, name);
    if (n && access(whole, X_OK) == 0) return true;
    path += n + (path[n] == ':');
  }
  return false;
}

/* Runs it with its words in `said`; its exit code, 127 where it cannot be started. */
static int command_plot_start(char *const *arguments, const char *said) {
  posix_spawn_file_actions_t actions;
  pid_t child;
  int how = 0;
  if (posix_spawn_file_actions_init(&actions) != 0) return 127;
  int error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, said, O_WRONLY | O_TRUNC, 0);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (!error) error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return 127;
  while (waitpid(child, &how, 0) < 0)
    if (errno != EINTR) return 127;
  return WIFEXITED(how) ? WEXITSTATUS(how) : 128;
}

/* The last line that is not empty: Python's reason. */
static void last_words(const char *said, char *out, size_t size) {
  char line[512];
  FILE *file = fopen(said, "r");
  snprintf(out, size, "it gives no reason");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (line[strspn(line, " \t\033[0m")]) snprintf(out, size, "%.*s", (int)size - 1, line);
  }
  if (file) fclose(file);
}

__attribute__((format(printf, 2, 3))) static void add_option(Drawing *d, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (d->n_option < OPTIONS) vsnprintf(d->option[d->n_option++], OPTION_BYTES, format, args);
  va_end(args);
}

static void list_options(Drawing *d, const Options *o) {
  const Plot *plot = &d->plot;
  if (plot->component >= 0) add_option(d, "--component=%d", plot->component);
  if (o->film) add_option(d, "--film=%s", plot->unit);
  else if (plot->timed) add_option(d, "--time=%.17g", plot->time);
  if (plot->bands) add_option(d, "--bands=%d", plot->bands);
  if (plot->never) add_option(d, "--never=-1");
  add_option(d, "--warp=%s", o->warp ? o->warp : !plot->warp ? "0" : plot->modes ? "modes" : "auto");
  add_option(d, "--title=%s", plot->title);
  add_option(d, "--bar=%s", plot->bar);
  if (o->range) add_option(d, "--range=%s", o->range);
  if (o->view) add_option(d, "--view=%s", o->view);
  if (o->box) add_option(d, "--box=%s", o->box);
  if (o->cut) add_option(d, "--cut=%s", o->cut);
  if (o->pixels) add_option(d, "--size=%s", o->pixels);
  if (o->edges) add_option(d, "--edges");
  if (o->mirror) add_option(d, "--mirror");
}

/* By this Python, on a screen that exists in memory alone where `hidden`. */
static int draw_with(Drawing *d, const char *python, bool hidden) {
  const char *arguments[ARGUMENTS] = {0};
  int n = 0;
  if (hidden)
    arguments[n++] = "xvfb-run", arguments[n++] = "-a", arguments[n++] = "-s",
    arguments[n++] = "-screen 0 1280x1024x24";
  arguments[n++] = python, arguments[n++] = d->script, arguments[n++] = d->data, arguments[n++] = d->part;
  arguments[n++] = d->plot.field;
  for (int i = 0; i < d->n_option; ++i) arguments[n++] = d->option[i];
  return command_plot_start((char *const *)(uintptr_t)arguments, d->said);
}

static const char GET[] = "  Debian, Ubuntu: apt-get install paraview python3-paraview xvfb xauth; elsewhere: pip "
                          "install pyvista, or ParaView from\n"
                          "  paraview.org with its pvpython on the PATH; or open results.hdf in ParaView's window";

/* A Python without VTK says nothing about the picture; one whose VTK lacks a part does. */
static bool lacks_vtk(const char *said) { return strstr(said, "No module named 'vtkmodules'") != NULL; }

static Status command_plot_draw(Drawing *d) {
  static const char *const pythons[] = {"pvpython", "python3"};
  const bool hidden = !getenv("DISPLAY") && on_path("xvfb-run");
  char why[560] = "", here[512];
  for (int i = 0; i < 2; ++i) {
    if (!on_path(pythons[i])) continue;
    if (draw_with(d, pythons[i], hidden) == 0 && access(d->part, F_OK) == 0) return OK;
    last_words(d->said, here, sizeof here);
    if (!lacks_vtk(here) || !why[0]) snprintf(why, sizeof why, "%s: %s", pythons[i], here);
  }
  const bool none = !why[0] || lacks_vtk(why), xdmf = strstr(why, "vtkIOXdmf2") != NULL;
  CHECK(!none, ERR_IO,
        "nothing here draws pictures: neither ParaView's pvpython nor a python3 with VTK (PyVista) is installed\n%s",
        GET);
  return FAIL(ERR_IO, "cannot draw '%s'\n  %s\n%s%s%s", d->picture, why,
              xdmf ? "  the VTK of this Python reads no XDMF, as that of Debian's python3-vtk9; PyVista and ParaView "
                     "bring one that does\n"
                   : "",
              xdmf || hidden || getenv("DISPLAY")
                  ? ""
                  : "  there is no screen and no xvfb-run: apt-get install xvfb xauth, or\n",
              GET);
}

static Status put_script(Drawing *d) {
  snprintf(d->script, sizeof d->script, "/tmp/sinew-plot-XXXXXX");
  const int file = mkstemp(d->script);
  if (file < 0) d->script[0] = 0;
  CHECK(file >= 0, ERR_IO, "cannot write to /tmp: %s", strerror(errno));
  const bool good = write(file, plot_script, sizeof plot_script) == (ssize_t)sizeof plot_script;
  close(file);
  CHECK(good, ERR_IO, "cannot write to /tmp: %s", strerror(errno));
  snprintf(d->said, sizeof d->said, "/tmp/sinew-plot-XXXXXX");
  const int said = mkstemp(d->said);
  if (said < 0) d->said[0] = 0;
  CHECK(said >= 0, ERR_IO, "cannot write to /tmp: %s", strerror(errno));
  close(said);
  return OK;
}

static void drawing_release(Drawing *d) {
  if (d->script[0]) unlink(d->script);
  if (d->said[0]) unlink(d->said);
  if (d->part) unlink(d->part); /* nothing half-written */
  FREE(d->data);
  FREE(d->picture);
  FREE(d->part);
}

/* The ending of the file says what it is; *out "" where it has none. */
static Status check_ending(const char *picture, bool film, const char **out) {
  static const char *const stills[] = {"", ".png", NULL}, *const films[] = {"",     ".png",  ".apng", ".mp4",
                                                                            ".gif", ".webm", NULL};
  const char *slash = strrchr(picture, '/'), *name = slash ? slash + 1 : picture, *dot = strrchr(name, '.');
  const char *const *known = film ? films : stills;
  *out = dot ? dot : "";
  while (*known && strcmp(*known, *out) != 0) ++known;
  CHECK(*known, ERR_USAGE, "sinew: '%s' ends with '%s'; %s", picture, *out,
        film ? "films are .png (animated), .mp4, .gif or .webm"
             : "pictures are .png, and .mp4 and .gif go with --film");
  CHECK(known - (film ? films : stills) < 3 || on_path("ffmpeg"), ERR_IO,
        "films as '%s' are written by ffmpeg, which is not installed: apt-get install ffmpeg\n  or leave --output out: "
        "film.png is an animated picture that browsers show",
        *out);
  return OK;
}

static Status name_files(Drawing *d, const Options *o, const char *folder) {
  struct stat info;
  const char *ending;
  Text part = {0}, picture = {0};
  TRY(output_path(folder, "results.xdmf", &d->data));
  CHECK(stat(d->data, &info) == 0, ERR_IO,
        "'%s' is missing: it is written beside results.hdf, and pictures are drawn by it", d->data);
  if (o->output) text_add(&picture, "%s", o->output);
  else text_add(&picture, "%s/%s.png", folder, o->film ? "film" : "picture");
  TRY(folder_path(&picture, &d->picture));
  TRY(check_ending(d->picture, o->film, &ending));
  text_add(&part, "%s.new%s", d->picture, *ending ? ending : ".png");
  return folder_path(&part, &d->part);
}

static Status draw_folder(const Options *o, Drawing *d, const char *folder) {
  const PlotParams params = {.field = o->field, .step = o->step, .time = o->at, .film = o->film};
  char *path = NULL;
  TRY(name_files(d, o, folder));
  TRY(output_path(folder, "results.hdf", &path));
  Status status = plot_choose(path, &params, &d->plot);
  FREE(path);
  if (status == OK) status = put_script(d);
  if (status == OK) (void)unlink(d->part); /* which Python would write through, where it is a link */
  if (status != OK) return status;
  list_options(d, o);
  TRY(command_plot_draw(d));
  CHECK(rename(d->part, d->picture) == 0, ERR_IO, "cannot write '%s': %s", d->picture, strerror(errno));
  if (!o->quiet) printf("%s: %s\n", d->picture, d->plot.what);
  return OK;
}

/* Options of bodies have nothing to say of curves. */
static Status curves(const Options *o) {
  const char *of_body = o->field    ? "--field"
                        : o->step   ? "--step"
                        : o->at     ? "--time"
                        : o->warp   ? "--warp"
                        : o->range  ? "--range"
                        : o->view   ? "--view"
                        : o->cut    ? "--cut"
                        : o->box    ? "--box"
                        : o->pixels ? "--pixels"
                        : o->edges  ? "--edges"
                        : o->mirror ? "--mirror"
                        : o->film   ? "--film"
                                    : NULL;
  CHECK(!of_body, ERR_USAGE,
        "sinew: %s is of a picture of the body, and --curves draws what is in probes.csv and report.json\n  remedy: "
        "leave one of the two out",
        of_body);
  return command_report(o);
}

Status command_plot(const Options *options) {
  char *folder = NULL;
  Drawing *d = NULL;
  if (options->curves) return curves(options);
  ALLOC(d, 1, "a picture");
  Status status = result_folder(options->operand[0], &folder);
  if (status == OK) status = draw_folder(options, d, folder);
  drawing_release(d);
  FREE(d);
  FREE(folder);
  return status;
}
