/* Tables 3 and 4 of the polynomial-PCG paper (papers/polynomial-pcg-sbell-elasticity) with its numbers beside ours. Its
 * polynomial of order m takes m products, which is degree m + 1 here: its times grow by one product per order. Its CPU
 * is an Intel Core2 Duo E7400. */
#include "bench/pcg/pcg.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ORDER_FIRST = 2, ORDERS = 5, METHODS = 3 };
static const double PAPER_JACOBI = 1938, PAPER_JACOBI_SECONDS = 64.92;
/* More than any row sum over the largest eigenvalue: the solver then takes the largest row sum, which is safe without
 * an estimate of the spectrum. */
static const double SAFE_BOUND = 1000;

static const struct {
  const char *name; /* of the registry */
  double iterations[ORDERS], seconds[ORDERS];
} PAPER[METHODS] = {{"neumann", {1321, 1142, 1024, 932, 862}, {104.81, 116.17, 129.75, 137.19, 145.42}},
                    {"least-squares", {898, 690, 564, 477, 413}, {68.75, 67.28, 66.31, 65.56, 65.33}},
                    {"chebyshev", {1176, 1370, 1356, 1391, 1354}, {103.75, 158.44, 193.89, 243.17, 273.80}}};
/* Its line of the registry; -1: it has none. */
static int32_t known(const char *name) {
  for (int32_t i = 0; i < precond_count(); ++i)
    if (!strcmp(precond_name(i), name)) return i;
  return -1;
}

/* The smallest eigenvalue of the scaled matrix, from above: the Rayleigh quotient x.Kx / x.Dx of the solution x in p,
 * which under its own weight is close to the first mode. */
static Status smallest_eigenvalue(PcgPlace *p, double *out) {
  double *x = NULL, *b = NULL, above = 0, below = 0;
  const size_t bytes = (size_t)p->n * sizeof *x;
  Status status;
  ALLOC_DONE(x, p->n, "solution");
  ALLOC_DONE(b, p->n, "right-hand side");
  TRY_DONE(exec_download(p->exec, x, p->x, bytes));
  TRY_DONE(exec_download(p->exec, b, p->b, bytes));
  TRY_DONE(mat_diagonal(p->a, p->r));
  TRY_DONE(exec_download(p->exec, p->host, p->r, bytes));
  for (int64_t i = 0; i < p->n; ++i) {
    above += x[i] * b[i];
    below += x[i] * x[i] * p->host[i];
  }
  *out = below > 0 ? above / below : 0;
done:
  FREE(x);
  FREE(b);
  return status;
}

/* What the paper is likely to have done: a bound of the spectrum that is safe by itself, and for Chebyshev the smallest
 * eigenvalue as the lower end of the interval, `lower` times that bound. */
static void as_the_paper(PcgWish *wish, int32_t type, double lower) {
  const PrecondType *t = precond_type(type);
  wish->bound = SAFE_BOUND;
  wish->with_value = false;
  for (int32_t k = 0; k < t->n_param; ++k) {
    wish->value[k] = t->param[k].value;
    if (strcmp(t->param[k].name, "lower") != 0) continue;
    wish->value[k] = lower;
    wish->with_value = true;
  }
}

/* Jacobi and all methods and orders in one format. */
typedef struct Grid {
  double smallest, bound; /* eigenvalue of the scaled matrix, end of the spectrum that the polynomials took */
  PcgFigure jacobi, method[METHODS][ORDERS];
} Grid;

static Status grid_measure(PcgPlace *p, const char *format, bool paper, Grid *g) {
  PcgWish wish = {.format = format, .preconditioner = "jacobi", .inner = "double", .rtol = PCG_PAPER_RTOL};
  *g = (Grid){0};
  TRY(pcg_measure(p, &wish, &g->jacobi));
  TRY(smallest_eigenvalue(p, &g->smallest));
  for (int m = 0; m < METHODS; ++m) {
    const int32_t type = known(PAPER[m].name);
    wish.preconditioner = PAPER[m].name;
    if (paper && type >= 0) as_the_paper(&wish, type, g->bound > 0 ? g->smallest / g->bound : 0);
    for (int k = 0; k < ORDERS; ++k) {
      wish.degree = ORDER_FIRST + k + 1;
      g->method[m][k] = (PcgFigure){.cannot = "not in this build"};
      if (type >= 0) TRY(pcg_measure(p, &wish, &g->method[m][k]));
      if (g->method[m][k].bound > 0) g->bound = g->method[m][k].bound;
    }
  }
  return OK;
}

static double iterations(const PcgFigure *f) { return pcg_converged(f) ? (double)f->iterations : 0; }

/* "413 (0.213)" */
static void print_cell(const PcgBench *bench, int digits, double value, double unit) {
  char text[32] = "-";
  if (value > 0 && unit > 0) snprintf(text, sizeof text, "%.*f (%.3f)", digits, value, value / unit);
  fprintf(bench->out, bench->params->markdown ? " %s |" : " %16s", text);
}

static void print_row_name(const PcgBench *bench, const char *method, const char *whose) {
  if (bench->params->markdown) fprintf(bench->out, "| %s | %s |", method, whose);
  else fprintf(bench->out, "%-14s %-24s", method, whose);
}

static void print_orders(const PcgBench *bench) {
  if (bench->params->markdown) {
    fprintf(bench->out, "| method | |");
    for (int k = 0; k < ORDERS; ++k) fprintf(bench->out, " order %d |", ORDER_FIRST + k);
    fprintf(bench->out, "\n|---|---|---|---|---|---|---|\n");
    return;
  }
  fprintf(bench->out, "%-39s", "");
  for (int k = 0; k < ORDERS; ++k) fprintf(bench->out, "%11s %-5d", "order", ORDER_FIRST + k);
  fputc('\n', bench->out);
}

/* Root mean square of ours over the paper's, of the ratios to Jacobi, less 1; *mean is the mean of it. */
static double deviation(const Grid *g, int m, double *mean) {
  double sum = 0, square = 0;
  int n = 0;
  for (int k = 0; k < ORDERS; ++k) {
    if (iterations(&g->method[m][k]) <= 0 || iterations(&g->jacobi) <= 0) continue;
    const double d =
        iterations(&g->method[m][k]) / iterations(&g->jacobi) / (PAPER[m].iterations[k] / PAPER_JACOBI) - 1;
    sum += d;
    square += d * d;
    n += 1;
  }
  *mean = n ? sum / n : 0;
  return n ? sqrt(square / n) : -1;
}

static void explain_table3(const PcgBench *bench, const Grid *own, const Grid *like) {
  fprintf(bench->out,
          "Jacobi: paper 1938, ours %.0f: the paper gives neither loads nor supports, and here the true residual "
          "decides.\n",
          iterations(&own->jacobi));
  for (int m = 0; m < METHODS; ++m) {
    double mean, mean_like;
    const double off = deviation(own, m, &mean), off_like = deviation(like, m, &mean_like);
    if (off < 0 || off_like < 0) continue;
    fprintf(bench->out,
            "%s: ratios to Jacobi %+.1f %% from the paper's in the mean, rms %.1f %%; as the paper seems to have done, "
            "%+.1f %%, "
            "rms %.1f %%.\n",
            PAPER[m].name, 100 * mean, 100 * off, 100 * mean_like, 100 * off_like);
  }
  fprintf(bench->out,
          "As the paper seems to have done: the end of the spectrum is the largest row sum, %.2f times the bound that "
          "Lanczos\n"
          "gives ours, and Chebyshev's interval begins at the smallest eigenvalue (%.1e of that bound), not at a fixed "
          "part of "
          "it.\n",
          own->bound > 0 ? like->bound / own->bound : 0, like->bound > 0 ? like->smallest / like->bound : 0);
}

static void write_table3(const PcgBench *bench, const PcgPlace *p, const Grid *own, const Grid *safe) {
  Json *json = bench->json;
  json_object(json, "table3");
  json_string(json, "mesh", "quad");
  json_integer(json, "unknowns", elasticity_unknowns(p->problem.elasticity));
  json_number(json, "rtol", PCG_PAPER_RTOL);
  json_number(json, "paper_jacobi", PAPER_JACOBI);
  json_number(json, "jacobi", iterations(&own->jacobi));
  json_number(json, "bound", own->bound);
  json_number(json, "bound_as_the_paper", safe->bound);
  json_number(json, "smallest_eigenvalue", own->smallest);
  json_array(json, "rows");
  for (int m = 0; m < METHODS; ++m)
    for (int k = 0; k < ORDERS; ++k) {
      const PcgFigure *f = &own->method[m][k], *s = &safe->method[m][k];
      json_object(json, NULL);
      json_string(json, "method", PAPER[m].name);
      json_integer(json, "order", ORDER_FIRST + k);
      json_integer(json, "degree", ORDER_FIRST + k + 1);
      json_number(json, "paper_iterations", PAPER[m].iterations[k]);
      json_number(json, "paper_ratio", PAPER[m].iterations[k] / PAPER_JACOBI);
      json_bool(json, "converged", pcg_converged(f));
      json_string(json, "cannot", *f->cannot ? f->cannot : NULL);
      if (pcg_converged(f)) {
        json_number(json, "iterations", iterations(f));
        json_number(json, "ratio", iterations(f) / iterations(&own->jacobi));
        json_number(json, "true_residual", f->true_residual);
      }
      if (pcg_converged(s)) json_number(json, "iterations_as_the_paper", iterations(s));
      json_end(json);
    }
  json_end(json);
  json_end(json);
}

static void print_table3(const PcgBench *bench, const PcgPlace *p, const Grid *own, const Grid *safe) {
  fprintf(bench->out,
          "\nTable 3: outer iterations on quad, %lld unknowns (paper 321,602), to 1e-7; in brackets over Jacobi\n\n",
          (long long)elasticity_unknowns(p->problem.elasticity));
  print_orders(bench);
  for (int m = 0; m < METHODS; ++m) {
    const Grid *grid[] = {NULL, own, safe};
    const char *const whose[] = {"paper", "ours", "ours, as the paper"};
    for (int w = 0; w < 3; ++w) {
      print_row_name(bench, PAPER[m].name, whose[w]);
      for (int k = 0; k < ORDERS; ++k)
        print_cell(bench, 0, w ? iterations(&grid[w]->method[m][k]) : PAPER[m].iterations[k],
                   w ? iterations(&own->jacobi) : PAPER_JACOBI);
      fputc('\n', bench->out);
    }
  }
  fputc('\n', bench->out);
  explain_table3(bench, own, safe);
}

static void table4(const PcgBench *bench, const PcgPlace *p, const Grid *g) {
  Json *json = bench->json;
  fprintf(bench->out,
          "\nTable 4: seconds on the CPU, CSR, double, quad, to 1e-7; in brackets over Jacobi\nours: %s\n\n",
          p->exec->device);
  print_orders(bench);
  json_object(json, "table4");
  json_string(json, "device", p->exec->device);
  json_integer(json, "unknowns", elasticity_unknowns(p->problem.elasticity));
  json_number(json, "paper_jacobi_seconds", PAPER_JACOBI_SECONDS);
  json_number(json, "jacobi_seconds", g->jacobi.seconds);
  json_array(json, "rows");
  for (int m = 0; m < METHODS; ++m)
    for (int w = 0; w < 2; ++w) {
      print_row_name(bench, PAPER[m].name, w ? "ours" : "paper");
      for (int k = 0; k < ORDERS; ++k) {
        const PcgFigure *f = &g->method[m][k];
        print_cell(bench, w ? 3 : 2, w ? f->seconds : PAPER[m].seconds[k],
                   w ? g->jacobi.seconds : PAPER_JACOBI_SECONDS);
        if (!w) continue;
        json_object(json, NULL);
        json_string(json, "method", PAPER[m].name);
        json_integer(json, "order", ORDER_FIRST + k);
        json_number(json, "paper_seconds", PAPER[m].seconds[k]);
        json_bool(json, "converged", pcg_converged(f));
        if (pcg_converged(f)) json_number(json, "seconds", f->seconds);
        json_end(json);
      }
      fputc('\n', bench->out);
    }
  json_end(json);
  json_end(json);
  fprintf(bench->out, "\nJacobi: paper %.2f s, ours %.3f s.\n", PAPER_JACOBI_SECONDS, g->jacobi.seconds);
}

/* Tables 3 and 4. On the CPU one grid in CSR serves both. */
static Status quad(const PcgBench *bench, Exec *cpu) {
  PcgPlace here, host;
  Grid own, safe, slow;
  const int index = pcg_problem("quad");
  const char *format = cpu == bench->exec ? "csr" : "sbell";
  TRY(pcg_place_create(bench->exec, index, bench->percent, &here));
  here.repeat = 1;
  Status status;
  TRY_DONE(grid_measure(&here, format, false, &own));
  TRY_DONE(grid_measure(&here, format, true, &safe));
  print_table3(bench, &here, &own, &safe);
  write_table3(bench, &here, &own, &safe);
  if (!pcg_wants(bench, "cpu")) goto done;
  if (cpu == bench->exec) {
    table4(bench, &here, &own);
    goto done;
  }
  TRY_DONE(pcg_place_create(cpu, index, bench->percent, &host));
  host.repeat = 1;
  status = grid_measure(&host, "csr", false, &slow);
  if (status == OK) table4(bench, &host, &slow);
  pcg_place_release(&host);
done:
  pcg_place_release(&here);
  return status;
}

Status pcg_paper(const PcgBench *bench) {
  Exec *cpu = bench->exec, *own = NULL;
  if (!pcg_wants(bench, "table3") && !pcg_wants(bench, "cpu")) return OK;
  if (!exec_is_host(bench->exec)) {
    TRY(exec_create_cpu(0, &own));
    cpu = own;
  }
  Status status = OK;
  json_object(bench->json, "paper");
  json_string(bench->json, "cpu", cpu->device);
  if (bench_wants(bench->params, "quad")) status = quad(bench, cpu);
  if (status == OK && pcg_wants(bench, "cpu")) status = pcg_paper_meshes(bench, cpu);
  json_end(bench->json);
  exec_destroy(&own);
  return status;
}
