/* See host_steps.h. */
#include "tests/assembly/host_steps.h"

#include <math.h>
#include <string.h>

static void multiply(const HostSteps *w, const double *values, const double *x, double *y) {
  const Pattern *p = diffusion_pattern(monodomain_diffusion(w->heart.m));
  for (int32_t i = 0; i < p->n; ++i) {
    y[i] = 0;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) y[i] += values[w->heart.slots.slot[k]] * x[p->column[k]];
  }
}

/* x = A^-1 b, A in heart.A, by Jacobi-CG. */
static void solve(HostSteps *w) {
  const Pattern *p = diffusion_pattern(monodomain_diffusion(w->heart.m));
  double rho = 0;
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
      if (p->column[k] == i) w->diagonal[i] = 1 / w->heart.A[w->heart.slots.slot[k]];
  for (int32_t i = 0; i < p->n; ++i) {
    w->x[i] = 0;
    w->r[i] = w->b[i];
    w->d[i] = w->diagonal[i] * w->r[i];
    rho += w->r[i] * w->d[i];
  }
  const double stop = 1e-12 * rho;
  for (int it = 0; it < 500 && rho > stop; ++it) {
    double dq = 0, next = 0;
    multiply(w, w->heart.A, w->d, w->q);
    for (int32_t i = 0; i < p->n; ++i) dq += w->d[i] * w->q[i];
    assert_true(dq > 0);
    for (int32_t i = 0; i < p->n; ++i) {
      w->x[i] += rho / dq * w->d[i];
      w->r[i] -= rho / dq * w->q[i];
      w->z[i] = w->diagonal[i] * w->r[i];
      next += w->r[i] * w->z[i];
    }
    for (int32_t i = 0; i < p->n; ++i) w->d[i] = w->z[i] + next / rho * w->d[i];
    rho = next;
  }
  assert_true(rho <= stop);
}

/* The matrix of Newton's method, into heart.A. */
static void tangent(HostSteps *w, const double numbers[MONODOMAIN_NUMBERS]) {
  Heart *h = &w->heart;
  if (h->params.scheme == MONODOMAIN_GAUSS) {
    assert_ok(monodomain_tangent(h->m, h->numbers, NULL, h->values));
    assert_ok(exec_download(h->exec, h->A, h->values, (size_t)h->slots.n_value * 8));
    return;
  }
  const Pattern *p = diffusion_pattern(monodomain_diffusion(h->m));
  heart_download(h, h->diagonal, h->host);
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
      const int64_t at = h->slots.slot[k];
      h->A[at] = numbers[0] * w->K[at] + numbers[1] * w->M[at] + (p->column[k] == i ? h->host[i] : 0);
    }
}

/* -residual at V to b; returns its largest entry. */
static double residual(HostSteps *w, const double numbers[MONODOMAIN_NUMBERS], double history) {
  Heart *h = &w->heart;
  double most = 0;
  heart_upload(h, h->V, w->V);
  assert_ok(monodomain_reaction(h->m, h->numbers, NULL, h->V, h->r, h->diagonal));
  heart_download(h, h->r, w->R);
  multiply(w, w->K, w->V, w->KV);
  for (int64_t i = 0; i < h->n; ++i) w->z[i] = numbers[1] * (w->V[i] - w->before[i]) - history * w->last[i] - w->I[i];
  multiply(w, w->M, w->z, w->q);
  multiply(w, w->K, w->before, w->z);
  for (int64_t i = 0; i < h->n; ++i) {
    const double theta = numbers[0];
    w->b[i] = w->R[i] + (1 - theta) * (w->R_before[i] - w->z[i]) - theta * w->KV[i] - w->q[i];
    most = fmax(most, fabs(w->b[i]));
  }
  return most;
}

int host_step(HostSteps *w) {
  Heart *h = &w->heart;
  const bool second = w->n_step >= w->n_euler && w->scheme != BACKWARD_EULER;
  const double theta = second && w->scheme == CRANK_NICOLSON ? 0.5 : 1;
  const double mass = (second && w->scheme == BDF2 ? 1.5 : 1) / w->dt,
               history = second && w->scheme == BDF2 ? 0.5 / w->dt : 0;
  const double numbers[MONODOMAIN_NUMBERS] = {theta, mass, theta < 1 ? (1 - theta) / mass : history / mass};
  heart_numbers(h, numbers);
  const double from = w->time, to = (w->n_step + 1) * w->dt;
  for (int64_t i = 0; i < h->n && w->current; ++i) {
    const double *x = h->mesh->x[i];
    w->I[i] = theta * w->current(x, to) + (theta < 1 ? (1 - theta) * w->current(x, from) : 0);
  }
  memcpy(w->before, w->V, (size_t)h->n * 8);
  for (int64_t i = 0; i < h->n; ++i) w->V[i] += w->last[i];
  int newton = 0;
  while (residual(w, numbers, history) > 1e-7) {
    assert_true(++newton < 12);
    tangent(w, numbers);
    solve(w);
    for (int64_t i = 0; i < h->n; ++i) w->V[i] += w->x[i];
  }
  assert_ok(monodomain_commit(h->m, h->numbers, NULL, h->V));
  for (int64_t i = 0; i < h->n; ++i) {
    w->last[i] = w->V[i] - w->before[i];
    w->R_before[i] = w->R[i] / theta;
  }
  ++w->n_step;
  w->time = to;
  return newton;
}

void host_steps_create(HostSteps *w, MonodomainScheme scheme, HostScheme in_time, double dt) {
  Heart *heart = &w->heart;
  w->scheme = in_time;
  w->dt = dt;
  w->n_euler = 2;
  heart->params.scheme = scheme;
  heart->params.history = in_time == BDF2             ? MONODOMAIN_INCREMENT
                          : in_time == CRANK_NICOLSON ? MONODOMAIN_RATE
                                                      : MONODOMAIN_NONE;
  heart_create(heart);
  double **const vectors[] = {&w->V,        &w->before, &w->last, &w->R, &w->R_before, &w->KV, &w->I,
                              &w->diagonal, &w->b,      &w->x,    &w->r, &w->z,        &w->d,  &w->q};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k) *vectors[k] = calloc((size_t)heart->n, 8);
  const size_t bytes = (size_t)heart->slots.n_value * 8;
  w->K = calloc(bytes, 1);
  w->M = calloc(bytes, 1);
  assert_ok(diffusion_operators(monodomain_diffusion(heart->m), heart->values, NULL));
  assert_ok(exec_download(heart->exec, w->K, heart->values, bytes));
  assert_ok(diffusion_operators(monodomain_diffusion(heart->m), NULL, heart->values));
  assert_ok(exec_download(heart->exec, w->M, heart->values, bytes));
  heart_rest(heart);
  heart_download(heart, heart->V, w->V);
}

void host_steps_start(HostSteps *w) {
  const double at_once[MONODOMAIN_NUMBERS] = {1, 1e300, 0}; /* states as they are */
  Heart *h = &w->heart;
  heart_upload(h, h->V, w->V);
  assert_ok(monodomain_start(h->m, h->V));
  heart_numbers(h, at_once);
  assert_ok(monodomain_reaction(h->m, h->numbers, NULL, h->V, h->r, h->diagonal));
  heart_download(h, h->r, w->R_before);
}

void host_steps_finish(HostSteps *w) {
  free(w->K), free(w->M), free(w->V), free(w->before), free(w->last), free(w->R), free(w->R_before), free(w->KV),
      free(w->I);
  free(w->diagonal), free(w->b), free(w->x), free(w->r), free(w->z), free(w->d), free(w->q);
  heart_finish(&w->heart);
}
