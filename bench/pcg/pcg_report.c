/* The lines of `sinew bench pcg` and their members in the JSON file. */
#include "bench/pcg/pcg.h"

#include <stdio.h>
#include <string.h>

bool pcg_wants(const PcgBench *bench, const char *part) {
  const char *list = bench->params->part;
  const size_t n = strlen(part);
  for (const char *at = list; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    if (strcspn(at, ",") == n && !strncmp(at, part, n)) return true;
  }
  return !list;
}

static void label(const PcgFigure *f, char *text, size_t size) {
  if (f->degree > 0)
    snprintf(text, size, "%s %d", *f->preconditioner ? f->preconditioner : f->wish.preconditioner, (int)f->degree);
  else snprintf(text, size, "%s", *f->preconditioner ? f->preconditioner : f->wish.preconditioner);
}

static double share(const PcgPlace *p, const PcgFigure *f) {
  const double each = pcg_each(f);
  return each > 0 ? 1e-9 * f->bytes / each / p->copy : 0;
}

void pcg_header(const PcgBench *bench) {
  if (bench->params->markdown)
    fprintf(bench->out,
            "\n| preconditioner | format | inside | iterations | setup ms | solve ms | us/it | MB/it | of copy "
            "| true residual | |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  else
    fprintf(bench->out, "\n%-20s %-13s %-8s %6s %9s %10s %9s %8s %7s %9s\n", "preconditioner", "format", "inside",
            "its", "setup ms", "solve ms", "us/it", "MB/it", "of copy", "true");
}

void pcg_print(const PcgBench *bench, const PcgPlace *p, const PcgFigure *f, const char *note) {
  char name[PCG_NAME + 16];
  label(f, name, sizeof name);
  const bool markdown = bench->params->markdown;
  if (!pcg_converged(f)) {
    fprintf(bench->out,
            markdown ? "| %s | %s | %s | cannot: %s | | | | | | | %s |\n" : "%-20s %-13s %-8s cannot: %s %s\n", name,
            f->wish.format, f->wish.inner, f->cannot, note);
    return;
  }
  fprintf(bench->out,
          markdown ? "| %s | %s | %s | %lld | %.3f | %.3f | %.1f | %.2f | %.0f %% | %.1e | %s |\n"
                   : "%-20s %-13s %-8s %6lld %9.3f %10.3f %9.1f %8.2f %5.0f %% %9.1e %s\n",
          name, f->wish.format, f->wish.inner, (long long)f->iterations, 1e3 * f->setup, 1e3 * f->seconds,
          1e6 * pcg_each(f), 1e-6 * f->bytes, 100 * share(p, f), f->true_residual, note);
}

void pcg_write(const PcgBench *bench, const PcgPlace *p, const PcgFigure *f, const char *role) {
  Json *json = bench->json;
  json_object(json, NULL);
  json_string(json, "mesh", p->problem.name);
  json_integer(json, "unknowns", elasticity_unknowns(p->problem.elasticity));
  json_string(json, "role", role);
  json_string(json, "preconditioner", f->wish.preconditioner);
  json_string(json, "format", f->wish.format);
  json_string(json, "precision", f->wish.inner);
  json_integer(json, "degree", f->degree > 0 ? f->degree : f->wish.degree);
  json_number(json, "rtol", f->wish.rtol);
  json_bool(json, "converged", pcg_converged(f));
  json_string(json, "cannot", *f->cannot ? f->cannot : NULL);
  if (pcg_converged(f)) {
    json_integer(json, "iterations", f->iterations);
    json_integer(json, "products", f->products);
    json_integer(json, "restarts", f->restarts);
    json_integer(json, "fallbacks", f->fallbacks);
    json_string(json, "stored_in", f->stored);
    json_integer(json, "runs", f->runs);
    json_number(json, "setup_ms", 1e3 * f->setup);
    json_number(json, "solve_ms", 1e3 * f->seconds);
    json_number(json, "us_per_iteration", 1e6 * pcg_each(f));
    json_number(json, "bytes_per_iteration", f->bytes);
    json_number(json, "share_of_copy", share(p, f));
    json_number(json, "true_residual", f->true_residual);
    json_number(json, "residual_by_elements", f->checked);
  }
  json_end(json);
}
