/* The file of bench/petsc_heart.sh: a line per run of bench/rival/petsc_heart.c, keys in its order. */
#include "bench/heart/heart_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Line {
  char mesh[64], scheme[16];
  long long nodes;
  int ranks;
  HeartRival figures;
} Line;

static bool parse(const char *text, Line *l) {
  HeartRival *f = &l->figures;
  return sscanf(
             text,
             " {\"mesh\": \"%63[^\"]\", \"nodes\": %lld, \"scheme\": \"%15[^\"]\", \"preconditioner\": \"%31[^\"]\", "
             "\"ranks\": %d, \"us_per_step\": %lf, \"fastest_us\": %lf, \"processor_us\": %lf, \"assembly_us\": %lf, "
             "\"solve_us\": %lf, \"difference_mv\": %lf",
             l->mesh, &l->nodes, l->scheme, f->preconditioner, &l->ranks, &f->us, &f->fastest_us, &f->processor_us,
             &f->assembly_us, &f->solve_us, &f->difference_mv) == 11;
}

Status heart_rival(const char *path, const HeartRun *h, int ranks, HeartRival *out) {
  *out = (HeartRival){0};
  char text[1024];
  const char *scheme = h->scheme == MONODOMAIN_NODAL ? "nodal" : "gauss";
  FILE *f = fopen(path, "r");
  CHECK(f, ERR_IO, "%s: cannot be read; bench/petsc_heart.sh writes it", path);
  while (fgets(text, sizeof text, f)) {
    Line l;
    if (!parse(text, &l) || strcmp(l.mesh, h->name) != 0 || strcmp(l.scheme, scheme) != 0) continue;
    if (l.nodes != h->mesh->n_node || l.ranks != ranks || !(l.figures.us > 0)) continue;
    const HeartRival one = l.figures, before = *out;
    if (before.us == 0 || one.us < before.us) *out = one;
    out->fastest_us = before.us > 0 ? fmin(before.fastest_us, one.fastest_us) : one.fastest_us;
    out->processor_us = before.us > 0 ? fmin(before.processor_us, one.processor_us) : one.processor_us;
  }
  fclose(f);
  return OK;
}
