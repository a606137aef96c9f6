/* The files and the summary of `sinew solve`. */
#include "app/commands/solve_report.h"
#include "app/report/report.h"
#include "output/wording.h"
#include "core/memory.h"
#include "output/json.h"
#include "output/text.h"

#include <stdio.h>

static const char *const phase_names[N_SOLVE_PHASES] = {"read", "setup", "preconditioner", "solve", "write"};

void solve_report_release(SolveReport *report) {
  FREE(report->column);
  *report = (SolveReport){0};
}

/* All right-hand sides together: counts added, the worst residual. */
static LinearReport solve_report_whole(const SolveReport *report) {
  LinearReport sum = {0};
  for (int32_t i = 0; i < report->n; ++i) {
    const LinearReport *c = &report->column[i];
    if (i == 0) sum = *c;
    if (i == 0) continue;
    sum.iterations += c->iterations;
    sum.products += c->products;
    sum.restarts += c->restarts;
    sum.solve_seconds += c->solve_seconds;
    if (!(c->true_residual <= sum.true_residual)) sum.true_residual = c->true_residual;
    if (!(c->recursive_residual <= sum.recursive_residual)) sum.recursive_residual = c->recursive_residual;
  }
  return sum;
}

static double bandwidth_share(const SolveReport *report, const LinearReport *sum) {
  if (report->bandwidth <= 0 || sum->solve_seconds <= 0) return 0;
  return sum->bytes_per_iteration * (double)sum->iterations / sum->solve_seconds / report->bandwidth;
}

static void save_solver(Json *json, const SolveReport *report, const LinearReport *sum) {
  json_number(json, "true_residual", sum->true_residual);
  json_integer(json, "iterations", sum->iterations);
  json_integer(json, "unknowns", report->unknowns);
  json_integer(json, "matrix_entries", report->entries);
  json_integer(json, "products", sum->products);
  json_integer(json, "restarts", sum->restarts);
  json_number(json, "recursive_residual", sum->recursive_residual);
  json_string(json, "preconditioner", sum->preconditioner);
  json_integer(json, "degree", sum->degree);
  json_string(json, "precision", report->precision);
  json_string(json, "precision_used", precision_name(sum->precision));
  json_integer(json, "precision_fallbacks", sum->fallbacks);
  json_string(json, "format", report->format);
  json_integer(json, "block", report->block);
  json_array(json, "right_hand_sides");
  for (int32_t i = 0; i < report->n; ++i) {
    json_object(json, NULL);
    json_integer(json, "iterations", report->column[i].iterations);
    json_number(json, "true_residual", report->column[i].true_residual);
    json_number(json, "norm", report->column[i].norm_b);
    json_end(json);
  }
  json_end(json);
}

static void save_costs(Json *json, const SolveReport *report, const LinearReport *sum) {
  json_object(json, "seconds");
  for (int i = 0; i < N_SOLVE_PHASES; ++i) json_number(json, phase_names[i], report->seconds[i]);
  json_number(json, "total", report->total);
  json_end(json);
  json_object(json, "memory_bytes");
  json_integer(json, "host_peak", (int64_t)report->host_peak);
  json_integer(json, "device_peak", report->on_gpu ? (int64_t)report->device_peak : 0);
  json_end(json);
  if (!bandwidth_share_holds(bandwidth_share(report, sum))) return;
  json_number(json, "memory_bandwidth", report->bandwidth);
  json_number(json, "memory_bandwidth_share", bandwidth_share(report, sum));
}

Status solve_report_save(const SolveReport *report, const char *path, const char *message) {
  const LinearReport sum = solve_report_whole(report);
  Json *json = NULL;
  TRY(json_create(&json));
  json_string(json, "status", report->converged ? "converged" : "not-converged");
  json_string(json, "message", message);
  json_string(json, "matrix", report->matrix);
  json_string(json, "right_hand_side", report->right_hand_side);
  json_string(json, "solution", report->solution);
  json_string(json, "version", sinew_version());
  json_string(json, "commit", sinew_commit());
  json_string(json, "device", report->device);
  save_solver(json, report, &sum);
  save_costs(json, report, &sum);
  const Status status = json_save(json, path);
  json_destroy(&json);
  return status;
}

void solve_report_print(const SolveReport *report, const char *path) {
  const LinearReport sum = solve_report_whole(report);
  char a[32], b[32], precision[LINEAR_PRECISION_TEXT];
  printf("matrix       %s: %s unknowns, %s entries, %s storage\n", report->matrix, count_text(report->unknowns, a),
         count_text(report->entries, b), report->symmetric ? "symmetric" : "general");
  printf("right side   %s", report->right_hand_side ? report->right_hand_side : "all ones");
  if (report->n > 1) printf(": %s columns", count_text(report->n, a));
  printf("\nsolver       %lld iterations, %s", (long long)sum.iterations,
         sum.preconditioner ? sum.preconditioner : "none");
  if (sum.degree > 1) printf(" of degree %d", sum.degree);
  printf(", %s, %s; true residual %.2e\n", linear_precision_text(&sum, report->precision, precision), report->format,
         sum.true_residual);
  printf("time         %s:", seconds_text(report->total, a));
  for (int i = 0; i < N_SOLVE_PHASES; ++i)
    printf("%s %s %s", i ? "," : "", phase_names[i], seconds_text(report->seconds[i], a));
  printf("\nmemory       %s on the host", bytes_text((double)report->host_peak, a));
  if (report->on_gpu) printf(", %s on the GPU", bytes_text((double)report->device_peak, b));
  printf("\ndevice       %s\n", report->device);
  if (bandwidth_share_holds(bandwidth_share(report, &sum)))
    printf("bandwidth    %.0f %% of the %s/s that the memory delivers\n", 100 * bandwidth_share(report, &sum),
           bytes_text(report->bandwidth, a));
  printf("solution     %s\nreport       %s\n", report->solution, path);
}

Status solution_save(const char *path, int64_t rows, int64_t columns, const double *x) {
  Text text = {0};
  text_add(&text, "%%%%MatrixMarket matrix array real general\n%% by Sinew %s\n%lld %lld\n", sinew_version(),
           (long long)rows, (long long)columns);
  for (int64_t k = 0; k < rows * columns; ++k) text_add(&text, "%.17g\n", x[k]);
  const Status status = text.status == OK
                            ? text_save(&text, path, true)
                            : FAIL(text.status, "not enough memory for the text of the solution '%s'", path);
  text_release(&text);
  return status;
}
