/* The summary of a run for people and for programs. */
#include "app/report/report.h"
#include "app/report/said.h"
#include "app/input/physics.h"
#include "core/clock.h"
#include "version.h"
#include "output/wording.h"
#include "core/exec.h"
#include "core/memory.h"
#include "core/percent.h"
#include "core/vec.h"
#include "output/folder.h"
#include "output/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *sinew_version(void) { return SINEW_VERSION; }
const char *sinew_commit(void) { return SINEW_COMMIT; }

const char *phase_name(Phase phase) {
  static const char *const names[N_PHASES] = {"start", "mesh",    "setup", "assembly", "preconditioner",
                                              "solve", "recover", "write", "measure",  "end"};
  return names[phase];
}

void report_release(RunReport *report) {
  FREE(report->columns.name);
  FREE(report->columns.value);
  FREE(report->at_time);
  FREE(report->modes.row);
  FREE(report->rank);
  FREE(report->load_case);
  FREE(report->envelope);
  FREE(report->contact);
  FREE(report->bolt);
  FREE(report->load_step);
  FREE(report->pass);
  FREE(report->pass_value);
  *report = (RunReport){0};
}

double report_bandwidth_share(const RunReport *report) {
  const LinearReport *linear = &report->linear;
  if (report->bandwidth <= 0 || linear->solve_seconds <= 0) return 0;
  return linear->bytes_per_iteration * (double)(linear->iterations - report->iterations_before) /
         linear->solve_seconds / report->bandwidth;
}

double report_steps_per_second(const RunReport *report) {
  const double *s = report->seconds, spent = s[PHASE_ASSEMBLY] + s[PHASE_PREPARE] + s[PHASE_SOLVE];
  return spent > 0 ? (double)(report->steps - report->steps_before) / spent : 0;
}

/* The fastest of some turns: other work on the machine makes them slower only. */
static double time_axpy(Exec *exec, int64_t n, const double *x, double *y) {
  enum { TURNS = 4 };
  double best = 0;
  if (vec_axpy(exec, n, 0.5, x, y) != OK || exec_sync(exec) != OK) return 0; /* first touch, first launch */
  for (int i = 0; i < TURNS; ++i) {
    const double begin = clock_seconds();
    if (vec_axpy(exec, n, 0.5, x, y) != OK || exec_sync(exec) != OK) return 0;
    const double seconds = clock_seconds() - begin;
    if (i == 0 || seconds < best) best = seconds;
  }
  return best;
}

bool bandwidth_share_holds(double share) {
  static const double EXACT = 0.05; /* of a measurement */
  return share > 0 && share <= 1 + EXACT;
}

double measure_bandwidth(Exec *exec) {
  const int64_t n = exec_is_host(exec) ? 1 << 22 : 1 << 24; /* 32 MB and 128 MB a vector: beyond the caches */
  double *x = NULL, *y = NULL, seconds = 0;
  if (exec_alloc(exec, n, sizeof *x, "a measurement", (void **)&x) == OK &&
      exec_alloc(exec, n, sizeof *y, "a measurement", (void **)&y) == OK &&
      exec_zero(exec, x, (size_t)n * sizeof *x) == OK && exec_zero(exec, y, (size_t)n * sizeof *y) == OK)
    seconds = time_axpy(exec, n, x, y);
  EXEC_RELEASE(exec, x, n);
  EXEC_RELEASE(exec, y, n);
  status_clear();
  return seconds > 0 ? 3 * (double)n * (double)sizeof *x / seconds : 0;
}

/* Of the scaled matrix: what is known only. */
static void save_spectrum(Json *json, const LinearReport *linear) {
  if (!(linear->bound > 0)) return;
  json_object(json, "spectrum");
  json_number(json, "bound", linear->bound);
  if (linear->lanczos > 0) json_number(json, "lanczos", linear->lanczos);
  if (linear->strict_bound > 0) json_number(json, "element_bound", linear->strict_bound);
  json_end(json);
}

static void save_solver(Json *json, const RunReport *report) {
  const LinearReport *linear = &report->linear;
  json_number(json, "true_residual", linear->true_residual);
  json_integer(json, "iterations", linear->iterations);
  json_integer(json, "unknowns", report->unknowns);
  json_integer(json, "matrix_entries", report->entries);
  json_integer(json, "products", linear->products);
  json_integer(json, "restarts", linear->restarts);
  json_number(json, "recursive_residual", linear->recursive_residual);
  json_string(json, "method", linear->factor_entries > 0 ? "direct" : "iterative");
  if (linear->factor_entries > 0) json_number(json, "factor_entries", linear->factor_entries);
  if (linear->factor_entries > 0) json_number(json, "factor_bytes", linear->factor_bytes);
  json_string(json, "preconditioner", linear->preconditioner);
  json_integer(json, "degree", linear->degree);
  json_string(json, "precision", report->precision);
  json_string(json, "precision_used", precision_name(linear->precision));
  json_integer(json, "precision_fallbacks", linear->fallbacks);
  json_string(json, "format", report->format);
  save_spectrum(json, linear);
}

void report_save_steps(const RunReport *report, Json *json) {
  if (report->scheme) json_string(json, "scheme", report->scheme);
  json_number(json, "time", report->time);
  json_integer(json, "steps", report->steps);
  json_integer(json, "rejected_steps", report->rejected);
  json_integer(json, "forced_steps", report->forced);
  json_integer(json, "matrices", report->rebuilt);
  json_number(json, "steps_per_second", report_steps_per_second(report));
}

static void save_costs(Json *json, const RunReport *report) {
  json_object(json, "seconds");
  for (Phase phase = 0; phase < N_PHASES; ++phase) json_number(json, phase_name(phase), report->seconds[phase]);
  json_number(json, "total", report->total);
  json_end(json);
  json_object(json, "memory_bytes");
  json_integer(json, "host_peak", (int64_t)report->host_peak);
  json_integer(json, "device_peak", report->on_gpu ? (int64_t)report->exec_peak : 0);
  json_end(json);
  if (report->bandwidth <= 0) return;
  json_number(json, "memory_bandwidth", report->bandwidth);
  json_number(json, "memory_bandwidth_share", report_bandwidth_share(report));
}

static void save_ranks(Json *json, const RunReport *report) {
  char name[16];
  if (!report->n_rank) return;
  json_object(json, "ranks");
  for (int32_t r = 0; r < report->n_rank; ++r) {
    const RankRow *row = &report->rank[r];
    snprintf(name, sizeof name, "%d", (int)r);
    json_object(json, name);
    json_integer(json, "nodes", row->nodes);
    json_integer(json, "halo_nodes", row->halo);
    json_integer(json, "elements", row->elements);
    json_integer(json, "neighbours", row->neighbours);
    json_integer(json, "host_peak", row->host_peak);
    json_integer(json, "device_peak", row->device_peak);
    json_number(json, "wait_seconds", row->wait);
    json_integer(json, "bytes_sent", row->sent);
    json_end(json);
  }
  json_end(json);
}

static void save_passes(Json *json, const RunReport *report) {
  if (!report->n_pass) return;
  json_array(json, "passes");
  for (int k = 0; k < report->n_pass; ++k) {
    const RunPass *pass = &report->pass[k];
    json_object(json, NULL);
    json_integer(json, "unknowns", pass->unknowns);
    json_integer(json, "elements", pass->elements);
    json_number(json, "error", pass->error);
    if (pass->most > 0) json_number(json, "largest_von_mises", pass->most);
    if (isfinite(pass->probe)) json_number(json, "probe", pass->probe);
    if (isfinite(pass->change)) json_number(json, "change", pass->change);
    if (isfinite(pass->probe_error)) json_number(json, "probe_error", pass->probe_error);
    if (isfinite(pass->probe_bound)) json_number(json, "probe_bound", pass->probe_bound);
    if (report->columns.n) json_object(json, "values");
    for (int32_t i = 0; i < report->columns.n; ++i)
      json_number(json, report->columns.name[i], report->pass_value[(int64_t)k * report->columns.n + i]);
    if (report->columns.n) json_end(json);
    json_number(json, "seconds", pass->seconds);
    json_end(json);
  }
  json_end(json);
}

static void save_load_cases(Json *json, const RunReport *report, const Case *c) {
  const int32_t n = case_load_steps(c);
  if (!n) return;
  json_array(json, "load_cases");
  for (int32_t k = 1; k <= n; ++k) {
    json_object(json, NULL);
    json_integer(json, "step", k);
    json_string(json, "name", case_load_step(c, k)->text);
    json_string(json, "kind",
                k <= c->load_cases.n                       ? "load-case"
                : k <= c->load_cases.n + c->combinations.n ? "combination"
                                                           : "envelope");
    const RunLoadCase *load = k <= report->n_load_case ? &report->load_case[k - 1] : NULL;
    const int32_t i = k - 1 - c->load_cases.n - c->combinations.n;
    const RunEnvelope *worst = i >= 0 && i < report->n_envelope ? &report->envelope[i] : NULL;
    if (load && k <= c->load_cases.n) json_integer(json, "iterations", load->iterations);
    if (load && k <= c->load_cases.n) json_number(json, "true_residual", load->true_residual);
    if (load) json_number(json, "strain_energy", load->energy);
    if (load) extremes_save(&load->extremes, json);
    if (worst) {
      json_string(json, "field", worst->field);
      json_number(json, "worst", worst->value);
      json_array(json, "at");
      for (int d = 0; d < 3; ++d) json_number(json, NULL, worst->x[d]);
      json_end(json);
      json_string(json, "governed_by", worst->step);
    }
    json_end(json);
  }
  json_end(json);
}

const char *result_file_name(int i) {
  static const char *const names[RESULT_FILES] = {"results.hdf", "probes.csv"};
  return names[i];
}

void report_tables_name(const Case *c, Text *out) {
  const char *slash = strrchr(c->path, '/'), *name = slash ? slash + 1 : c->path, *dot = strrchr(name, '.');
  text_add(out, "%.*s.dat", dot ? (int)(dot - name) : (int)strlen(name), name);
}

/* So that the next result in the folder can remove it (output/publish.c). */
static Status save_tables_name(Json *json, const Case *c) {
  Text name = {0};
  if (c->output.tables.n == 0) return OK;
  report_tables_name(c, &name);
  const Status status = name.status;
  if (status == OK) json_string(json, "tables", name.data);
  text_release(&name);
  return status;
}

/* What run_folder.c looks for; it stands first. */
static Status save_origin(Json *json, const RunReport *report, const char *folder) {
  char hash[17];
  if (!report->mesh_hash) return OK;
  snprintf(hash, sizeof hash, "%016" PRIx64, report->case_hash);
  json_string(json, "case_hash", hash);
  snprintf(hash, sizeof hash, "%016" PRIx64, report->mesh_hash);
  json_string(json, "mesh_hash", hash);
  if (!folder || !report->converged) return OK;
  json_object(json, "files");
  for (int i = 0; i < RESULT_FILES; ++i) {
    char *path = NULL;
    struct stat what;
    TRY(output_path(folder, result_file_name(i), &path));
    if (stat(path, &what) == 0) json_integer(json, result_file_name(i), (int64_t)what.st_size);
    FREE(path);
  }
  json_end(json);
  return OK;
}

/* The label, what it says of each kind of number, and of the columns under "values". */
static void save_units(Json *json, const RunReport *report, const Case *c) {
  Units units;
  units_of_case(c, &units);
  json_string(json, "units", c->units.text);
  if (!c->units.text && !c->physics->units) return;
  json_object(json, "unit");
  for (int kind = UNIT_NONE + 1; kind < N_UNIT_KINDS; ++kind)
    if (units_text(&units, (UnitKind)kind))
      json_string(json, unit_kind_name((UnitKind)kind), units_text(&units, (UnitKind)kind));
  json_end(json);
  json_object(json, "value_units");
  for (int32_t i = 0; i < report->columns.n; ++i) {
    const char *unit = c->physics->column_unit(c, &units, i);
    if (unit && *unit) json_string(json, report->columns.name[i], unit);
  }
  json_end(json);
}

static Status report_fill(Json *json, const RunReport *report, const Case *c, const char *folder, const char *status,
                          const char *message) {
  json_string(json, "status", status);
  TRY(save_tables_name(json, c));
  TRY(save_origin(json, report, folder));
  json_string(json, "message", message);
  json_string(json, "case", c->path);
  json_string(json, "title", c->title.text);
  save_units(json, report, c);
  json_string(json, "version", sinew_version());
  json_string(json, "commit", sinew_commit());
  json_string(json, "device", report->device);
  save_solver(json, report);
  if (report->has_energy) json_number(json, "strain_energy", report->energy);
  extremes_save(&report->extremes, json);
  if (report->steps && c->physics->save_steps) c->physics->save_steps(report, json);
  save_load_cases(json, report, c);
  save_passes(json, report);
  json_integer(json, "nodes", report->n_node);
  json_integer(json, "elements", report->n_element);
  save_costs(json, report);
  save_ranks(json, report);
  json_object(json, "values");
  for (int32_t i = 0; i < report->columns.n; ++i) json_number(json, report->columns.name[i], report->columns.value[i]);
  json_end(json);
  said_save(json, "warnings");
  return OK;
}

Status report_running(const RunReport *report, const Case *c, char **out) {
  Json *json = NULL;
  const char *text;
  *out = NULL;
  TRY(json_create(&json));
  Status status = report_fill(json, report, c, NULL, "running", NULL);
  if (status == OK) status = json_text(json, &text);
  if (status == OK) status = mem_text(text, "a report", out);
  json_destroy(&json);
  return status;
}

Status report_save(const RunReport *report, const Case *c, const char *folder, const char *message) {
  Json *json = NULL;
  char *path = NULL;
  Status status = json_create(&json);
  if (status == OK) status = output_path(folder, "report.json", &path);
  if (status == OK) {
    status = report_fill(json, report, c, folder,
                         report->converged ? "converged"
                         : report->stopped ? "stopped"
                                           : "not-converged",
                         message);
    if (status == OK) status = json_save(json, path);
  }
  json_destroy(&json);
  FREE(path);
  return status;
}

void report_print_steps(const RunReport *report, const Case *c) {
  char a[32], b[32];
  Units units;
  units_of_case(c, &units);
  const char *unit = units_text(&units, UNIT_TIME);
  printf("time         %g%s%s after %s steps", report->time, unit ? " " : "", unit ? unit : "",
         count_text(report->steps, a));
  if (report->rejected) printf(", %s rejected", count_text(report->rejected, a));
  printf(", %s matri%s; %.4g steps/s, %.3g iterations a step\n", count_text(report->rebuilt, b),
         report->rebuilt == 1 ? "x" : "ces", report_steps_per_second(report),
         (double)report->linear.iterations / (double)report->steps);
}

static void print_spectrum(const LinearReport *linear) {
  if (!(linear->bound > 0)) return;
  printf("spectrum     of the scaled matrix taken to end at %.6g", linear->bound);
  if (linear->lanczos > 0) printf("; Lanczos estimate %.6g", linear->lanczos);
  if (linear->strict_bound > 0) printf("; no element allows more than %.6g", linear->strict_bound);
  printf("\n");
}

static void print_value(const char *name, double value, const char *unit) {
  printf("%-12s %.10g%s%s\n", name, value, unit && *unit ? " " : "", unit ? unit : "");
}

/* The sidecar opens in every ParaView, also in those that know no results.hdf. */
static void print_how_to_view(const char *folder) {
  Text file = {0}, word = {0}, plain = {0};
  text_add(&file, "%s/results.xdmf", folder);
  if (file.data) shell_word(file.data, &word);
  shell_word(folder, &plain);
  if (word.data && plain.data) printf("open with    paraview %s   or   sinew plot %s\n", word.data, plain.data);
  text_release(&file);
  text_release(&word);
  text_release(&plain);
}

/* More of them only fill the screen. */
enum { LOAD_CASES_SHOWN = 12 };

static void print_load_cases(const RunReport *report, const Case *c, const Units *units) {
  if (!report->n_load_case) return;
  char length[UNIT_BYTES + 1];
  printf("load cases   %d solved for, %d combinations\n", (int)c->load_cases.n, (int)c->combinations.n);
  for (int32_t k = 0; k < report->n_load_case && k < LOAD_CASES_SHOWN; ++k) {
    printf("%s '%s'\n", k < c->load_cases.n ? "load case   " : "combination ", report->load_case[k].name);
    extremes_print(&report->load_case[k].extremes, units);
  }
  if (report->n_load_case > LOAD_CASES_SHOWN)
    printf("and %d more, in report.json\n", (int)report->n_load_case - LOAD_CASES_SHOWN);
  for (int32_t i = 0; i < report->n_envelope; ++i) {
    const RunEnvelope *e = &report->envelope[i];
    const char *unit = units_text(units, strcmp(e->field, "displacement") == 0 ? UNIT_LENGTH
                                         : strcmp(e->field, "safety") == 0     ? UNIT_NONE
                                                                               : UNIT_STRESS);
    printf("envelope     %s: worst %s %.6g%s%s at (%.4g, %.4g, %.4g)%s, by '%s'\n", e->name, e->field, e->value,
           unit ? " " : "", unit ? unit : "", e->x[0], e->x[1], e->x[2], unit_behind(units, UNIT_LENGTH, length),
           e->step);
  }
}

static void print_solver(const RunReport *report, bool verbose) {
  const LinearReport *linear = &report->linear;
  char precision[LINEAR_PRECISION_TEXT], nodes[32], share[32];
  if (report->heart.stages) {
    const int64_t outside = report->heart.outside_solves;
    printf("solver       explicit, %d stages a step, %s, %s; %s%s%s\n", (int)report->heart.stages,
           linear_precision_text(linear, report->precision, precision), report->format,
           outside ? "the potential outside takes " : "nothing is solved", outside ? count_text(outside, nodes) : "",
           outside ? " solves" : "");
    if (report->heart.n_raised)
      printf("mass         %s nodes of poor elements have more, %s of all\n", count_text(report->heart.n_raised, nodes),
             percent_text(report->heart.added, share));
    return;
  }
  if (linear->factor_entries > 0) {
    printf("solver       direct%s: a factor of %.3g entries, %.3g MB; %lld %s, %s; true residual %.2e\n",
           report->on_gpu ? ", the factor on the CPU" : "", linear->factor_entries, 1e-6 * linear->factor_bytes,
           (long long)linear->iterations, *linear->why ? "iterations in all" : "steps of refinement", report->format,
           linear->true_residual);
    if (*linear->why) printf("chosen       direct by auto: %s\n", linear->why);
    return;
  }
  printf("solver       %lld iterations, %s", (long long)linear->iterations,
         linear->preconditioner ? linear->preconditioner : "none");
  if (linear->degree) printf(" of degree %d", linear->degree);
  printf(", %s, %s; true residual %.2e\n", linear_precision_text(linear, report->precision, precision), report->format,
         linear->true_residual);
  if (*linear->why) printf("chosen       %s by auto: %s, by estimate\n", linear->preconditioner, linear->why);
  if (verbose) print_spectrum(linear);
}

static void print_ranks(const RunReport *report) {
  int64_t least = INT64_MAX, most = 0;
  double waited = 0;
  char a[32], b[32];
  if (report->n_rank < 2) return;
  for (int32_t r = 0; r < report->n_rank; ++r) {
    const RankRow *row = &report->rank[r];
    if (row->nodes < least) least = row->nodes;
    if (row->nodes > most) most = row->nodes;
    waited += row->wait / report->n_rank;
  }
  printf("ranks        %d, of %s to %s nodes each", (int)report->n_rank, count_text(least, a), count_text(most, b));
  if (report->total > 0) printf("; they wait for each other %.0f %% of the time", 100 * waited / report->total);
  printf("\n");
}

void report_print(const RunReport *report, const Case *c, const char *folder, bool verbose) {
  char a[32], b[32], d[32];
  Units units;
  if (c->physics->without_mesh) {
    c->physics->print_steps(report, c);
    printf("spent        %s\nresults      %s\n", seconds_text(report->total, a), folder);
    return;
  }
  units_of_case(c, &units);
  printf("unknowns     %s on %s nodes, %s elements\n", count_text(report->unknowns, a), count_text(report->n_node, b),
         count_text(report->n_element, d));
  if (report->format) print_solver(report, verbose);
  if (report->has_energy && isfinite(report->energy))
    print_value("energy", report->energy, units_text(&units, UNIT_ENERGY));
  else if (report->has_energy) printf("energy       beyond 1.8e308, the range of double precision\n");
  extremes_print(&report->extremes, &units);
  print_load_cases(report, c, &units);
  if ((report->steps || report->heart.lead) && c->physics->print_steps) c->physics->print_steps(report, c);
  if (report->n_load_case && report->columns.n)
    printf("of '%s':\n", case_load_step(c, case_load_steps(c))->text); /* what follows */
  for (int32_t i = 0; i < report->columns.n; ++i) {
    const bool velocity = i >= report->columns.n - c->output.velocity.n; /* they are the last ones */
    if (velocity && isnan(report->columns.value[i]))
      printf("%-12s none: no front ran from its first probe to its second\n", report->columns.name[i]);
    else print_value(report->columns.name[i], report->columns.value[i], c->physics->column_unit(c, &units, i));
  }
  printf("%s %s:", report->steps ? "spent       " : "time        ", seconds_text(report->total, a));
  const char *before = "";
  for (Phase phase = 0; phase < N_PHASES; ++phase) {
    if (report->seconds[phase] == 0) continue;
    printf("%s %s %s", before, phase_name(phase), seconds_text(report->seconds[phase], a));
    before = ",";
  }
  printf("\nmemory       %s on the host", bytes_text((double)report->host_peak, a));
  if (report->on_gpu) printf(", %s on the GPU", bytes_text((double)report->exec_peak, b));
  printf("\ndevice       %s\n", report->device);
  print_ranks(report);
  if (report->bandwidth > 0)
    printf("bandwidth    %.0f %% of the %s/s that the memory delivers\n", 100 * report_bandwidth_share(report),
           bytes_text(report->bandwidth, a));
  printf("results      %s/results.hdf, probes.csv, report.json\n", folder);
  print_how_to_view(folder);
}
