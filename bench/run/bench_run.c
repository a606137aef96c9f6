/* `sinew bench run`: whole runs of the program, from the mesh file to the results on disk, by the clock on the wall: what a
 * user waits for. Each case is run `repeat` times by the program `sinew` beside this one; the best counts, and its
 * report.json says where the time went. */
#include "bench/bench.h"
#include "bench/measure.h"
#include "bench/run/run_input.h"
#include "output/json.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PARTS = 12, REPEAT = 3 };

/* One run of the program. */
typedef struct Outcome {
  double seconds, host_bytes;
  int32_t n_part;
  char part[PARTS][16]; /* "set-up", from report.json */
  double part_seconds[PARTS];
} Outcome;

typedef struct Runs {
  const BenchParams *params;
  bool gpu; /* the machine of the table's figures is one with a GPU */
  const char *backend, *meshes;
  char folder[RUN_PATH], program[PATH_MAX];
} Runs;

/* The program `sinew` in the folder of this one. */
static Status find_program(char program[PATH_MAX]) {
  const ssize_t n = readlink("/proc/self/exe", program, PATH_MAX - 8);
  CHECK(n > 0, ERR_IO, "cannot find the folder of this program");
  program[n] = 0;
  strcpy(strrchr(program, '/') + 1, "sinew");
  CHECK(access(program, X_OK) == 0, ERR_IO, "there is no %s, which is what is measured", program);
  return OK;
}

/* The object "seconds" of report.json: its lines are `"name": number,`. */
static void read_parts(const char *path, Outcome *out) {
  char line[256];
  bool inside = false;
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f)) {
    if (strstr(line, "\"seconds\": {")) inside = true;
    else if (inside && strchr(line, '}')) break;
    else if (inside && out->n_part < PARTS &&
             sscanf(line, " \"%15[^\"]\": %lf", out->part[out->n_part], &out->part_seconds[out->n_part]) == 2)
      ++out->n_part;
  }
  if (f) fclose(f);
}

/* In the child: never comes back. */
static void start_program(const Runs *r, const RunInput *input, const char *path, const char *results) {
  const int nothing = open("/dev/null", O_WRONLY);
  if (nothing >= 0) dup2(nothing, 1);
  if (input->check) execl(r->program, "sinew", "check", path, "--backend", r->backend, (char *)NULL);
  else
    execl(r->program, "sinew", "run", path, "--backend", r->backend, "--output", results, "--overwrite", "--quiet",
          (char *)NULL);
  _exit(127);
}

static Status run_once(const Runs *r, const RunInput *input, const char *path, Outcome *out) {
  char results[RUN_PATH], report[RUN_PATH + 16];
  struct rusage usage;
  int code = 0;
  *out = (Outcome){0};
  snprintf(results, sizeof results, "%.*s/results", (int)sizeof results - 16, r->folder);
  fflush(stdout);
  const double begin = bench_now();
  const pid_t child = fork();
  CHECK(child >= 0, ERR_IO, "cannot start %s: %s", r->program, strerror(errno));
  if (child == 0) start_program(r, input, path, results);
  CHECK(wait4(child, &code, 0, &usage) == child, ERR_IO, "lost %s: %s", r->program, strerror(errno));
  out->seconds = bench_now() - begin;
  out->host_bytes = 1024.0 * (double)usage.ru_maxrss;
  CHECK(WIFEXITED(code) && WEXITSTATUS(code) == 0, ERR_NUMERIC, "%s %s %s ended with code %d", r->program,
        input->check ? "check" : "run", path, WIFEXITED(code) ? WEXITSTATUS(code) : -1);
  snprintf(report, sizeof report, "%s/report.json", results);
  if (!input->check) read_parts(report, out);
  return OK;
}

static void report_case(bool gpu, const RunInput *input, const Outcome *best, FILE *out, Json *json) {
  char before[16] = "-", target[16] = "-";
  if (gpu && input->before > 0) snprintf(before, sizeof before, "%.3g", input->before);
  if (gpu && input->target > 0) snprintf(target, sizeof target, "%.3g", input->target);
  fprintf(out, "%-32s %9.3f %9s %9s %9.2f  ", input->what, best->seconds, before, target, best->host_bytes * 1e-9);
  json_object(json, NULL);
  json_string(json, "case", input->name);
  json_number(json, "seconds", best->seconds);
  json_number(json, "host_bytes", best->host_bytes);
  json_object(json, "parts");
  for (int32_t i = 0; i < best->n_part; ++i) {
    if (best->part_seconds[i] >= 5e-4) fprintf(out, " %s %.3f", best->part[i], best->part_seconds[i]);
    json_number(json, best->part[i], best->part_seconds[i]);
  }
  fputc('\n', out);
  fflush(out);
  json_end(json);
  json_end(json);
}

static Status run_case_best(const Runs *r, const RunInput *input, FILE *out, Json *json) {
  char path[RUN_PATH];
  Outcome best = {0}, outcome;
  const int32_t repeat = r->params->repeat ? r->params->repeat : REPEAT;
  TRY(run_input_write(input, r->folder, r->meshes, path));
  for (int32_t i = 0; i < repeat; ++i) {
    TRY(run_once(r, input, path, &outcome));
    if (i == 0 || outcome.seconds < best.seconds) best = outcome;
  }
  report_case(r->gpu, input, &best, out, json);
  return OK;
}

static bool wants_case(const Runs *r, const RunInput *input) {
  if (r->params->only) return !strcmp(r->params->only, input->name);
  return (r->gpu || !input->large) && (input->kind != RUN_HEART || r->meshes);
}

static Status run_cases(const Runs *r, FILE *out, Json *json) {
  int32_t n = 0;
  fprintf(out, "%-32s %9s %9s %9s %9s   parts of the run, s\n", "from file to file, best of a few", "s", "before",
          "mark", "host, GB");
  for (int i = 0; i < run_input_count(); ++i)
    if (wants_case(r, run_input(i))) {
      const Status status = run_case_best(r, run_input(i), out, json);
      if (status != OK) fprintf(out, "%-32s failed: %s\n", run_input(i)->what, status_message());
      ++n;
    }
  CHECK(n > 0, ERR_USAGE, "no case is called '%s'", r->params->only ? r->params->only : "");
  return OK;
}

Status bench_run(Exec *exec, const BenchParams *params, FILE *out) {
  Status status = OK;
  Json *json = NULL;
  const bool gpu = !exec_is_host(exec), kept = params->dump != NULL;
  Runs r = {.params = params, .gpu = gpu, .backend = gpu ? "cuda" : "cpu", .meshes = params->meshes};
  const char *place = getenv("TMPDIR");
  snprintf(r.folder, sizeof r.folder, "%s", kept ? params->dump : "");
  if (!kept) {
    snprintf(r.folder, sizeof r.folder, "%s/sinew-run-XXXXXX", place ? place : "/tmp");
    CHECK(mkdtemp(r.folder), ERR_IO, "cannot make a folder %s: %s", r.folder, strerror(errno));
  } else
    CHECK(mkdir(r.folder, 0777) == 0 || errno == EEXIST, ERR_IO, "cannot make the folder '%s': %s", r.folder,
          strerror(errno));
  TRY_DONE(find_program(r.program));
  TRY_DONE(json_create(&json));
  fprintf(out, "Sinew %s (%s) on %s\n", params->version, params->commit, exec->device);
  json_string(json, "bench", "run");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_string(json, "device", exec->device);
  json_array(json, "figures");
  TRY_DONE(run_cases(&r, out, json));
  json_end(json);
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  if (!kept) {
    char command[RUN_PATH + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", r.folder);
    if (system(command) != 0) fprintf(out, "%s stays behind\n", r.folder);
  }
  return status;
}
