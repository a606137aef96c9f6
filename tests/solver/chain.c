#include "tests/solver/chain.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static double chain_law(const Chain *c, double u) {
  return c->c * (c->law == CHAIN_CUBIC ? u * u * u : c->law == CHAIN_ARCTAN ? atan(u) : -log(1 - u));
}
static double chain_slope(const Chain *c, double u) {
  return c->c * (c->law == CHAIN_CUBIC ? 3 * u * u : c->law == CHAIN_ARCTAN ? 1 / (1 + u * u) : 1 / (1 - u));
}

Status chain_residual(Chain *c, double load, const double *u, double *r) {
  double hu[CHAIN], hr[CHAIN], norm = 0;
  TRY(exec_download(c->exec, hu, u, sizeof hu));
  for (int i = 0; i < CHAIN; ++i) {
    hr[i] = load * c->f[i] - 2.5 * c->s * hu[i] - chain_law(c, hu[i]);
    if (i) hr[i] += c->s * hu[i - 1];
    if (i + 1 < CHAIN) hr[i] += c->s * hu[i + 1];
    if (c->spoilt > 0 && load > c->spoilt && (c->mended == 0 || c->calls < c->mended)) hr[i] = (double)NAN;
    if (c->says && !isfinite(hr[i])) return FAIL(ERR_NUMERIC, "unknown %d has gone through the barrier", i);
  }
  if (c->pulled) hr[0] = 0;
  for (int i = 0; i < CHAIN; ++i) norm += hr[i] * hr[i];
  if (c->calls < 64) c->residuals[c->calls++] = sqrt(norm);
  return exec_upload(c->exec, r, hr, sizeof hr);
}

Status chain_tangent(Chain *c, const double *u) {
  Problem *p = c->system;
  double hu[CHAIN];
  TRY(exec_download(c->exec, hu, u, sizeof hu));
  for (int i = 0; i < CHAIN; ++i) {
    const bool held = c->pulled && i == 0;
    *problem_entry(p, i, i, 0, 0) = held ? 1 : 2.5 * c->s + chain_slope(c, hu[i]);
    if (i + 1 < CHAIN) *problem_entry(p, i, i + 1, 0, 0) = *problem_entry(p, i + 1, i, 0, 0) = held ? 0 : -c->s;
  }
  problem_fill(p, c->a);
  return OK;
}

double *chain_vector(Exec *exec, const double *host) {
  double *v = problem_vector(exec, CHAIN, host);
  if (!host) assert_ok(exec_zero(exec, v, CHAIN * sizeof *v));
  return v;
}

void chain_begin(Exec *exec, ChainLaw law, double s, double c, double size, Chain *out) {
  Problem *p = calloc(1, sizeof *p);
  *out = (Chain){.exec = exec, .system = p, .law = law, .s = s, .c = c};
  problem_grid(CHAIN, 1, 1, 1, 1, p);
  for (int i = 0; i < CHAIN; ++i) {
    const double x = size * problem_number(i);
    out->exact[i] = law == CHAIN_BARRIER ? fabs(x) : x;
  }
  assert_ok(mat_create(exec, &(MatParams){.format = "csr"}, p->pattern, &out->a));
  double *u = chain_vector(exec, out->exact), *r = chain_vector(exec, NULL), hr[CHAIN];
  assert_ok(chain_residual(out, 0, u, r));
  assert_ok(exec_download(exec, hr, r, sizeof hr));
  for (int i = 0; i < CHAIN; ++i) out->f[i] = -hr[i];
  EXEC_RELEASE(exec, u, CHAIN);
  EXEC_RELEASE(exec, r, CHAIN);
  out->calls = 0;
}

void chain_end(Chain *c) {
  mat_destroy(&c->a);
  problem_release(c->system);
  free(c->system);
}

double chain_error(const Chain *c, const double *u) {
  double error = 0;
  for (int i = 0; i < CHAIN; ++i) error = fmax(error, fabs(u[i] - c->exact[i]));
  return error;
}
