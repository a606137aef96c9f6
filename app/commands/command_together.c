/* sinew run CASE --together FILE: the points of a sweep that are solved as one. FILE has a line for each: the name of its folder in
 * the output, then KEY=VALUE, all with tabs between. */
#include "app/commands/commands.h"
#include "app/input/input_file.h"
#include "app/input/physics.h"
#include "app/run/together.h"
#include "core/clock.h"
#include "core/memory.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { LIST_MAX = 1 << 26 };

/* What the points have of the command line; text [n]: of the case, where it came by the standard input, which is read once. */
typedef struct PointsAsked {
  const Options *options;
  const char *path, *folder;
  char *text; /* owned */
  size_t n;
} PointsAsked;

/* The case of a line; its keys are checked against what its physics allows. */
static Status point_open(const PointsAsked *asked, char *line, TogetherPoint *p) {
  const Options *options = asked->options;
  const char *set[SET_MAX];
  int n = options->n_set;
  Text where = {0};
  memcpy(set, options->set, (size_t)n * sizeof *set);
  for (char *at = strchr(line, '\t'); at; at = strchr(at, '\t')) {
    CHECK(n < SET_MAX, ERR_USAGE, "sinew: more than %d keys are set", SET_MAX);
    *at++ = 0;
    set[n++] = at;
  }
  TRY(asked->text ? case_parse("<stdin>", asked->text, asked->n, n, set, &p->c)
                  : case_open(asked->path, n, set, &p->c));
  CHECK(!options->shared || p->c->physics->points_share, ERR_USAGE, "points of %s share no matrix",
        p->c->physics->name);
  for (int i = options->n_set; i < n; ++i) TRY(together_key(p->c->physics, set[i]));
  text_add(&where, "%s/%s", asked->folder, line);
  return folder_path(&where, &p->folder);
}

static Status points_open(const PointsAsked *asked, char *text, Together *all) {
  int32_t room = 1;
  for (const char *at = text; *at; ++at) room += *at == '\n';
  ALLOC(all->point, room, "points of a sweep");
  for (char *line = text, *next; line && *line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    ++all->n;
    TRY_CONTEXT(point_open(asked, line, &all->point[all->n - 1]), "at point %d", (int)all->n);
  }
  CHECK(all->n > 0, ERR_USAGE, "sinew: '%s' names no point", asked->options->together);
  return OK;
}

/* Each point has its files open while all are solved. */
static void raise_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static Status points_run(const Options *options, const char *folder, Together *all, Guard guard) {
  const RunParams params = {.backend = options->backend,
                            .threads = options->threads,
                            .folder = folder,
                            .overwrite = options->overwrite,
                            .resume = options->resume,
                            .from_time = (double)NAN,
                            .quiet = options->quiet,
                            .verbose = options->verbose,
                            .begin = clock_process_start(),
                            .trust = options->trust,
                            .comm = options->comm,
                            .together = all,
                            .guard = guard};
  RunReport report;
  raise_files();
  const Status status = run_case(all->point[0].c, &params, &report);
  if (status == OK && !options->quiet)
    printf("together     %d points in %s: %.3g s, of which %.3g are solved\n", (int)all->n, folder, report.total,
           report.seconds[PHASE_SOLVE]);
  report_release(&report);
  return status;
}

Status command_together(const Options *options, const char *path, const char *folder, Guard guard) {
  Together all = {0};
  PointsAsked asked = {.options = options, .path = path, .folder = folder};
  char *bytes = NULL;
  size_t n = 0;
  CHECK(!options->from, ERR_USAGE, "sinew: --from and --together exclude each other");
  TRY(input_file(options->together, "list of points", LIST_MAX, &bytes, &n));
  Status status = strcmp(path, "-") ? OK : input_stdin("case file", LIST_MAX, &asked.text, &asked.n);
  if (status == OK) status = points_open(&asked, bytes, &all);
  if (status == OK) status = points_run(options, folder, &all, guard);
  together_release(&all);
  FREE(asked.text);
  FREE(bytes);
  return status;
}
