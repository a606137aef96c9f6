/* sinew solve: from Matrix Market files to a solution. */
#include "app/run/backend.h"
#include "app/commands/commands.h"
#include "app/commands/free_constant.h"
#include "app/commands/near_null.h"
#include "app/report/progress.h"
#include "app/commands/solve_report.h"
#include "algebra/market/matrix_market.h"
#include "core/clock.h"
#include "core/memory.h"
#include "output/folder.h"
#include "solver/krylov/linear_many.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Solve {
  const Options *options;
  Guard guard;
  char *folder, *solution_path, *report_path; /* owned */
  MarketMatrix matrix;
  MarketArray right;      /* b; then x, column by column */
  FreeConstant constant;  /* of --project-constant */
  int32_t n_free, n_part; /* connected parts whose rows add up to 0, and all, where nothing is projected */
  MarketArray near_null;  /* for multigrid, until the solver has it */
  Device device;
  Mat *a;
  LinearSolver *solver;
  LinearMany *many;
  int32_t group; /* right-hand sides that are solved at once */
  double *b, *x; /* on the Exec, [group][rows] */
  Progress progress;
  double phase_start, unused[N_PHASES];
  SolveReport report;
} Solve;

static void drop_group(Solve *s) {
  EXEC_RELEASE(s->device.exec, s->b, s->group * s->report.unknowns);
  EXEC_RELEASE(s->device.exec, s->x, s->group * s->report.unknowns);
  linear_many_destroy(&s->many);
}

static void solve_release(Solve *s) {
  if (s->device.exec) drop_group(s);
  linear_destroy(&s->solver);
  mat_destroy(&s->a);
  device_close(&s->device);
  market_matrix_release(&s->matrix);
  market_array_release(&s->right);
  market_array_release(&s->near_null);
  free_constant_release(&s->constant);
  solve_report_release(&s->report);
  FREE(s->folder);
  FREE(s->solution_path);
  FREE(s->report_path);
}

static void end_phase(Solve *s, SolvePhase phase) {
  const double now = clock_seconds();
  progress_clear(&s->progress);
  s->report.seconds[phase] += now - s->phase_start;
  s->phase_start = now;
}

static bool same_file(const char *a, const char *b) {
  struct stat p, q;
  return stat(a, &p) == 0 && stat(b, &q) == 0 && p.st_dev == q.st_dev && p.st_ino == q.st_ino;
}

/* --output, else the folder of --solution, else results/ beside the matrix. */
static Status folder_of(const Options *o, char **out) {
  Text path = {0};
  const char *beside = o->solution ? o->solution : o->operand[0], *slash = strrchr(beside, '/');
  if (o->output) text_add(&path, "%s", o->output);
  else if (o->solution && !slash) text_add(&path, ".");
  else if (o->solution) text_add(&path, "%.*s", slash == beside ? 1 : (int)(slash - beside), beside);
  else text_add(&path, "%.*sresults", slash ? (int)(slash + 1 - beside) : 0, beside);
  return folder_path(&path, out);
}

/* A solution replaces an older one, and nothing else. */
static Status replaces_a_matrix(const char *path) {
  static const char HEAD[] = "%%MatrixMarket";
  char head[sizeof HEAD] = "";
  FILE *file = fopen(path, "r");
  if (!file) return OK; /* none is there, or writing will say why not */
  const bool empty = !fgets(head, sizeof head, file);
  fclose(file);
  CHECK(empty || strcmp(head, HEAD) == 0, ERR_IO, "'%s' exists already and is no matrix; choose another --solution",
        path);
  return OK;
}

/* report.json of a run belongs to its result. */
static Status solve_holds_run(const char *folder) {
  struct stat what;
  char *path = NULL;
  TRY(output_path(folder, "results.hdf", &path));
  const bool there = stat(path, &what) == 0;
  FREE(path);
  CHECK(!there, ERR_RESTART,
        "'%s' holds the result of a run, whose report.json would be replaced; choose another "
        "--output",
        folder);
  return OK;
}

static Status choose_files(Solve *s) {
  const Options *o = s->options;
  struct stat what;
  Text path = {0};
  TRY(folder_of(o, &s->folder));
  TRY(output_path(s->folder, "report.json", &s->report_path));
  if (o->solution) {
    text_add(&path, "%s", o->solution);
    TRY(folder_path(&path, &s->solution_path));
  } else {
    TRY(output_path(s->folder, "solution.mtx", &s->solution_path));
  }
  for (int i = 0; i < o->n_operand; ++i)
    CHECK(!same_file(s->solution_path, o->operand[i]), ERR_USAGE,
          "sinew: the solution '%s' would replace the input '%s'; choose another --solution", s->solution_path,
          o->operand[i]);
  CHECK(stat(s->solution_path, &what) != 0 || !S_ISDIR(what.st_mode), ERR_IO,
        "the solution '%s' is a folder; name a file", s->solution_path);
  TRY(replaces_a_matrix(s->solution_path));
  TRY(solve_holds_run(s->folder));
  return output_folder_check(s->folder, true, true);
}

static Status command_solve_ones(int64_t n, MarketArray *out) {
  ALLOC(out->value, n, "right-hand side");
  out->rows = n;
  out->columns = 1;
  for (int64_t i = 0; i < n; ++i) out->value[i] = 1;
  return OK;
}

/* What a command line asks for is wrong usage here, not a wrong case. */
static Status as_usage(Status status) {
  char message[2048];
  if (status != ERR_INPUT) return status;
  snprintf(message, sizeof message, "%s", status_message());
  return FAIL(ERR_USAGE, "sinew: %s", message);
}

/* What constants cannot feel goes from the right-hand sides. */
static Status find_constant(Solve *s) {
  double worst = 0;
  TRY(free_constant_find(&s->matrix, &s->constant));
  if (s->constant.n_free == 0)
    status_warn("--project-constant: no connected part of %s has rows that add up to 0; nothing is projected",
                s->options->operand[0]);
  for (int64_t i = 0; i < s->right.columns; ++i) {
    const double gone = free_constant_project(&s->constant, s->right.value + i * s->right.rows);
    if (gone > worst) worst = gone;
  }
  if (s->constant.n_free)
    progress_say(&s->progress,
                 "note: %d of %d connected parts are free; their means, %.3g of the right-hand side, are removed",
                 s->constant.n_free, s->constant.n_part, worst);
  return OK;
}

static Status read_files(Solve *s) {
  const Options *o = s->options;
  SolveReport *report = &s->report;
  progress_live(&s->progress, "reading %s", o->operand[0]);
  TRY(market_matrix_read(o->operand[0], MARKET_SYMMETRIC | (o->project_constant ? 0 : MARKET_POSITIVE), &s->matrix));
  report->unknowns = s->matrix.pattern->n;
  report->n_stored = s->matrix.n_stored;
  report->symmetric = s->matrix.symmetric;
  if (o->n_operand > 1) TRY(market_array_read(o->operand[1], report->unknowns, o->operand[0], &s->right));
  else TRY(command_solve_ones(report->unknowns, &s->right));
  CHECK(s->right.columns <= 100000, ERR_MESH, "%s: %lld right-hand sides are more than 100000", o->operand[1],
        (long long)s->right.columns);
  ALLOC(report->column, s->right.columns, "the report of the solver");
  if (o->block > 1) TRY_CONTEXT(as_usage(market_matrix_block(&s->matrix, o->block)), "  by --block %d", o->block);
  if (o->project_constant) TRY(find_constant(s));
  else TRY(free_constant_count(&s->matrix, &s->n_free, &s->n_part));
  return near_null_read(o, report->unknowns, s->matrix.pattern->block, &s->near_null);
}

/* The values go where the format wants them. */
static Status fill_matrix(const MarketMatrix *from, Mat *a) {
  const Pattern *p = from->pattern;
  const SlotMap *slots = mat_slots(a);
  const int32_t b = p->block;
  double *value = NULL;
  TRY(slot_map_fetch(slots));
  ALLOC(value, slots->n_value, "matrix values");
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
      for (int32_t r = 0; r < b; ++r)
        for (int32_t c = 0; c < b; ++c) {
          const int64_t entry = (k * b + r) * b + c;
          const int64_t slot = slots->per_scalar ? slots->slot[entry]
                                                 : slots->slot[k] + r * slots->row_step[slots->same_step ? 0 : i] +
                                                       c * slots->column_step;
          value[slot] = from->value[entry];
        }
  const Status status = exec_upload(mat_exec(a), mat_values(a), value, (size_t)slots->n_value * sizeof *value);
  FREE(value);
  return status;
}

static Status set_up(Solve *s) {
  const Options *o = s->options;
  LinearParams linear = linear_params_default();
  const MatParams format = {.format = o->format,
                            .variant = o->variant,
                            .slice = o->slice,
                            .threads = o->row_threads,
                            .threshold = o->threshold,
                            .window = o->window};
  if (o->rtol > 0) linear.rtol = o->rtol;
  linear.max_iterations = o->max_iterations;
  linear.preconditioner = o->preconditioner;
  linear.degree = o->degree;
  s->report.precision = o->precision ? o->precision : "auto";
  TRY(linear_params_precision(&linear, s->report.precision));
  s->progress.goal = linear.rtol;
  s->report.block = s->matrix.pattern->block;
  TRY(device_open(o->backend, o->threads, &s->device));
  Exec *exec = s->device.exec;
  s->report.on_gpu = s->device.on_gpu;
  snprintf(s->report.device, sizeof s->report.device, "%s", exec->device);
  if (*s->device.note) progress_say(&s->progress, "note: %s", s->device.note);
  TRY(as_usage(mat_create(exec, &format, s->matrix.pattern, &s->a)));
  s->report.format = mat_format(s->a);
  s->report.entries = mat_entries(s->a);
  TRY(fill_matrix(&s->matrix, s->a));
  linear.pattern = s->matrix.pattern;
  linear.near_null = s->near_null.value;
  linear.n_near_null = (int32_t)s->near_null.columns;
  linear.has_modes = linear.near_null != NULL;
  TRY(as_usage(linear_create(exec, &linear, s->a, &s->solver)));
  market_matrix_release(&s->matrix);
  market_array_release(&s->near_null);
  return OK;
}

static Status take_group(Solve *s, int32_t group) {
  s->group = group;
  TRY(linear_many_create(s->solver, group, &s->many));
  EXEC_ALLOC(s->device.exec, s->b, group * s->report.unknowns, "right-hand side");
  EXEC_ALLOC(s->device.exec, s->x, group * s->report.unknowns, "solution");
  return OK;
}

/* What depends on the values of the matrix. Fewer right-hand sides at once where memory is short of more. */
static Status system_prepare(Solve *s) {
  int32_t group = s->right.columns < LINEAR_MANY ? (int32_t)s->right.columns : LINEAR_MANY;
  TRY(as_usage(linear_setup(s->solver)));
  Status status = take_group(s, group);
  while ((status == ERR_MEMORY || status == ERR_GPU) && group > 1) {
    drop_group(s);
    group = (group + 1) / 2;
    status = take_group(s, group);
    if (status == OK) progress_say(&s->progress, "note: memory is short: %d right-hand sides at once", group);
  }
  TRY(status);
  const char *note = linear_many_note(s->many);
  if (note) progress_say(&s->progress, "note: %s", note);
  return OK;
}

/* What constants cannot feel is the reason, whatever the iteration met. */
static Status name_singular(const Solve *s, const char *which) {
  char parts[96];
  if (s->n_part == 1) snprintf(parts, sizeof parts, "its only connected part");
  else snprintf(parts, sizeof parts, "%d of its %d connected parts", s->n_free, s->n_part);
  return FAIL(ERR_NUMERIC,
              "%s: %sthe matrix is singular: the rows of %s add up to 0 (a graph Laplacian, or a problem without "
              "supports), and the right-hand side has a mean there\n  --project-constant solves it up to the mean of "
              "each such part",
              s->options->operand[0], which, parts);
}

/* The solver speaks of equations and nodes; here there are rows of a file. */
static Status name_failure(const Solve *s, int32_t column) {
  static const char *const remedy[] = {
      [LINEAR_CONVERGED] = "",
      [LINEAR_MAX_ITERATIONS] = "raise --max-iterations, relax --rtol, or a higher --degree",
      [LINEAR_INDEFINITE] = "conjugate gradients need a symmetric positive definite matrix",
      [LINEAR_NAN] = "look for values so large that products overflow; scale matrix and right-hand side",
      [LINEAR_STAGNATED] = "the matrix may be singular (for a singular one the right-hand side must lie in its range), "
                           "or --rtol is below what double precision can reach: relax it",
      [LINEAR_BREAKDOWN] = "",
      [LINEAR_OVERFLOW] = "scale matrix or right-hand side",
      [LINEAR_UNDERFLOW] = "scale matrix or right-hand side"};
  const LinearReport *report = &s->report.column[column];
  char first[1024], row[64] = "", which[64] = "";
  snprintf(first, sizeof first, "%s", status_message());
  first[strcspn(first, "\n")] = 0;
  if (report->equation >= 0) snprintf(row, sizeof row, " (row %lld of the file)", (long long)report->equation + 1);
  if (s->right.columns > 1) snprintf(which, sizeof which, "right-hand side %d: ", column + 1);
  if (s->n_free > 0 && report->reason < LINEAR_OVERFLOW) return name_singular(s, which);
  return FAIL(ERR_NUMERIC, "%s: %s%s%s\n  %s", s->options->operand[0], which, first, row, remedy[report->reason]);
}

static Status solve_all(Solve *s) {
  Exec *exec = s->device.exec;
  const int32_t columns = (int32_t)s->right.columns;
  linear_set_poll(s->solver, progress_poll, &s->progress);
  for (int32_t i = 0; i < columns; i += s->group) {
    const int32_t now = columns - i < s->group ? columns - i : s->group;
    const size_t bytes = (size_t)(now * s->right.rows) * sizeof *s->x;
    double *column = s->right.value + i * s->right.rows;
    int32_t failed;
    TRY(exec_upload(exec, s->b, column, bytes));
    TRY(exec_zero(exec, s->x, bytes));
    s->progress.first_residual = 0;
    const Status status = linear_solve_many(s->many, s->b, s->x, now, &s->report.column[i], &failed);
    s->report.n = i + now;
    if (status == ERR_NUMERIC) return name_failure(s, i + failed);
    TRY(status);
    TRY(exec_download(exec, column, s->x, bytes));
    for (int32_t k = 0; s->constant.n_free && k < now; ++k)
      free_constant_project(&s->constant, column + k * s->right.rows);
  }
  s->report.converged = true;
  return OK;
}

static void command_solve_measure(Solve *s) {
  s->report.device_peak = s->device.exec->peak;
  s->report.host_peak = mem_peak();
  const double begin = clock_seconds();
  if (s->report.seconds[SOLVE_SOLVE] > 0.05) s->report.bandwidth = measure_bandwidth(s->device.exec);
  const double spent = clock_seconds() - begin; /* not the solve's own time */
  s->phase_start += spent;
  s->progress.start += spent;
}

static Status write_files(Solve *s, const char *message) {
  OutputFolder *folder = NULL;
  if (s->guard) s->guard(1);
  Status status = output_folder_open(s->folder, &folder);
  if (status == OK && !message) {
    status = solution_save(s->solution_path, s->right.rows, s->right.columns, s->right.value);
    s->report.solution = s->solution_path;
  }
  end_phase(s, SOLVE_WRITE);
  s->report.total = clock_seconds() - s->progress.start;
  if (status == OK) status = solve_report_save(&s->report, s->report_path, message);
  output_folder_close(&folder);
  if (s->guard) s->guard(0);
  return status;
}

/* A solve that did not converge leaves its report, so that programs see it too. The message of the failure stays. */
static Status report_failure(Solve *s) {
  char message[2048];
  snprintf(message, sizeof message, "%s", status_message());
  if (write_files(s, message) == ERR_MEMORY) return ERR_MEMORY;
  return FAIL(ERR_NUMERIC, "%s", message);
}

static Status solve_pipeline(Solve *s) {
  TRY(choose_files(s));
  TRY(read_files(s));
  end_phase(s, SOLVE_READ);
  TRY(set_up(s));
  warnings_print();
  end_phase(s, SOLVE_SETUP);
  TRY(system_prepare(s));
  end_phase(s, SOLVE_PREPARE);
  const Status status = solve_all(s);
  end_phase(s, SOLVE_SOLVE);
  if (status == ERR_NUMERIC) return report_failure(s);
  TRY(status);
  command_solve_measure(s);
  TRY(write_files(s, NULL));
  if (!s->options->quiet) solve_report_print(&s->report, s->report_path);
  return OK;
}

Status command_solve(const Options *options, Guard guard) {
  Solve s = {.options = options, .guard = guard};
  s.progress = progress_start(options->quiet, false, clock_seconds(), s.unused);
  s.phase_start = s.progress.start;
  s.report.matrix = options->operand[0];
  s.report.right_hand_side = options->n_operand > 1 ? options->operand[1] : NULL;
  mem_reset_peak();
  const Status status = solve_pipeline(&s);
  progress_clear(&s.progress);
  solve_release(&s);
  return status;
}
