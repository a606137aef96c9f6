#include "tests/solver/evolution_mock.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

typedef struct MockArgs {
  const EvolutionClock *clock;
  const int32_t *when;
  const double *switches;
  const Mock *m;
  const double *u, *before;
  double *r, *diagonal, *current;
} MockArgs;

static double phi(double t) { return 1 + 0.5 * sin(t); }
static double chi(double t) { return 1 + 0.25 * (sin(t) - cos(t)); }
static double force(double u, double s) { return 2 * u - u * u * u - s * u; }

static double state(const MockArgs *a, int64_t i, double u) {
  const double h = a->clock->theta / a->clock->mass, carry = a->clock->carry;
  return (a->m->s[i] + h * u + (carry != 0 ? carry * a->m->s_last[i] : 0)) / (1 + h);
}

static void mock_reaction_body(const MockArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!*a->when) return;
  const Mock *m = a->m;
  const double t = a->clock->target, theta = a->clock->theta, h = theta / a->clock->mass, u = a->u[i],
               s = state(a, i, u);
  const double U = m->c[i] * phi(t), S = m->c[i] * chi(t);
  double R = m->lumped[i] * (force(u, s) - force(U, S)) + m->Mc[i] * 0.5 * cos(t) + m->Kc[i] * phi(t);
  double slope = 2 - 3 * u * u - s - u * h / (1 + h);
  if (m->free) R = slope = 0;
  if (m->spoil_at > 0 && t > m->spoil_at) R = (double)NAN;
  a->r[i] = theta * R;
  *(a->diagonal ? &a->diagonal[i] : &m->slope[i]) = -theta * m->lumped[i] * slope;
}
static void mock_commit_body(const MockArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (!*a->when) return;
  const double s = state(a, i, a->u[i]), old = a->m->s[i];
  a->m->s[i] = s;
  a->m->s_last[i] = a->m->scheme->carries == SCHEME_CARRIES_INCREMENT ? s - old : a->u[i] - s;
}
static void mock_current_body(const MockArgs *a, int64_t i, double sum[]) {
  (void)sum;
  if (*a->when && a->m->c[i] > cos(0.3 * 3.14159)) a->current[i] = a->m->amplitude * a->switches[0];
}
#include "core/rows.h"
ROWS(mock_reaction, MockArgs)
ROWS(mock_commit, MockArgs)
ROWS(mock_current, MockArgs)
#include "core/rows_end.h"

static Status reaction(void *context, const Stage *stage, const double *u, double *r, double *diagonal) {
  Mock *m = context;
  assert_int_equal(isnan(stage->target), stage->clock != NULL && !m->gauss); /* recorded: the clock is all */
  return exec_rows(
      m->exec, &mock_reaction_kernel,
      &(MockArgs){.clock = stage->clock, .when = stage->when, .m = m, .u = u, .r = r, .diagonal = diagonal}, m->n);
}
static Status commit(void *context, const Stage *stage, const double *u, const double *before) {
  Mock *m = context;
  return exec_rows(m->exec, &mock_commit_kernel,
                   &(MockArgs){.clock = stage->clock, .when = stage->when, .m = m, .u = u, .before = before}, m->n);
}
static Status current(void *context, const Stage *stage, const double *switches, double *I) {
  Mock *m = context;
  return exec_rows(m->exec, &mock_current_kernel,
                   &(MockArgs){.clock = stage->clock, .when = stage->when, .m = m, .switches = switches, .current = I},
                   m->n);
}
static Status tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  Mock *m = context;
  (void)u;
  m->factor[0] = stage->clock->theta;
  m->factor[1] = stage->clock->mass;
  TRY(diffusion_combine(m->d, mat_values(m->K), mat_values(m->M), m->factor, mat_values(a)));
  const Pattern *p = diffusion_pattern(m->d);
  const SlotMap *slots = mat_slots(a);
  TRY(pattern_fetch(p));
  TRY(slot_map_fetch(slots));
  double *values = mat_values(a);
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
      if (p->column[k] == i) values[slots->slot[k]] += m->slope[i];
  return OK;
}
static Status save(void *context, void *host) {
  Mock *m = context;
  memcpy(host, m->s, (size_t)m->n * sizeof(double));
  memcpy((double *)host + m->n, m->s_last, (size_t)m->n * sizeof(double));
  return OK;
}
static Status restore(void *context, const void *host) {
  Mock *m = context;
  memcpy(m->s, host, (size_t)m->n * sizeof(double));
  memcpy(m->s_last, (const double *)host + m->n, (size_t)m->n * sizeof(double));
  return OK;
}

void mock_begin(Mock *m, int cells, bool gauss) { mock_begin_with(m, cells, gauss, 0); }

void mock_begin_with(Mock *m, int cells, bool gauss, int threads) {
  *m = (Mock){.gauss = gauss};
  assert_ok(exec_create_cpu(threads, &m->exec));
  const BoxParams box = {.kind = ELEMENT_QUAD4, .n = {cells, 1, 1}, .size = {1, 0.1, 1}};
  assert_ok(mesh_box(&box, &m->mesh));
  m->n = m->mesh->n_node;
  m->tensor = calloc((size_t)cells, sizeof *m->tensor);
  for (int e = 0; e < cells; ++e) m->tensor[e][0] = m->tensor[e][1] = 0.3;
  const DiffusionParams params = {.mesh = m->mesh, .tensor = (const double(*)[6])m->tensor};
  assert_ok(diffusion_create(m->exec, &params, &m->d));
  const MatParams format = {.format = "sbell"};
  assert_ok(mat_create(m->exec, &format, diffusion_pattern(m->d), &m->a));
  assert_ok(diffusion_bind(m->d, mat_slots(m->a)));
  assert_ok(mat_create_like(m->a, PRECISION_DOUBLE, &m->K));
  assert_ok(mat_create_like(m->a, PRECISION_DOUBLE, &m->M));
  assert_ok(diffusion_operators(m->d, mat_values(m->K), mat_values(m->M)));
  double **vector[] = {&m->u, &m->lumped, &m->Mc, &m->Kc, &m->c, &m->s, &m->s_last, &m->factor, &m->slope};
  for (int k = 0; k < 9; ++k) *vector[k] = calloc((size_t)m->n + 2, sizeof(double));
  assert_ok(diffusion_lumped_mass(m->d, m->lumped));
  for (int32_t i = 0; i < m->n; ++i) m->c[i] = cos(3.14159265358979323846 * m->mesh->x[diffusion_node(m->d, i)][0]);
  assert_ok(mat_apply(m->K, m->c, m->Kc));
  assert_ok(mat_apply(m->M, m->c, m->Mc));
  for (int32_t i = 0; i < m->n && !gauss; ++i) m->Mc[i] = m->lumped[i] * m->c[i];
  LinearParams linear = linear_params_default();
  linear.preconditioner = "jacobi";
  assert_ok(linear_create(m->exec, &linear, m->a, &m->solver));
}

Status mock_create(Mock *m, const StepperParams *params) {
  m->scheme = params->scheme;
  for (int32_t i = 0; i < m->n; ++i) {
    m->u[i] = m->free ? 0 : m->c[i] * phi(0);
    m->s[i] = m->c[i] * chi(0);
    m->s_last[i] = m->scheme->carries == SCHEME_CARRIES_INCREMENT ? 0 : m->u[i] - m->s[i];
  }
  const Problem problem = {.context = m,
                           .n = m->n,
                           .reaction.nodal = !m->gauss,
                           .reaction.lumped = m->lumped,
                           .stiffness = m->K,
                           .mass = m->gauss ? m->M : NULL,
                           .reaction.max_slope = m->free ? 0 : 2,
                           .reaction.current = m->amplitude != 0 ? current : NULL,
                           .force = reaction,
                           .tangent = m->gauss ? tangent : NULL,
                           .commit = commit,
                           .states.bytes = 2 * m->n * (int64_t)sizeof(double),
                           .states.save = save,
                           .states.restore = restore};
  TRY(stepper_create(m->exec, &problem, params, m->gauss ? m->a : NULL, m->gauss ? m->solver : NULL, &m->e));
  return stepper_start(m->e, m->u);
}

void mock_release(Mock *m) { stepper_destroy(&m->e); }

void mock_end(Mock *m) {
  mock_release(m);
  linear_destroy(&m->solver);
  mat_destroy(&m->K);
  mat_destroy(&m->M);
  mat_destroy(&m->a);
  diffusion_destroy(&m->d);
  mesh_destroy(&m->mesh);
  free(m->tensor);
  double *vector[] = {m->u, m->lumped, m->Mc, m->Kc, m->c, m->s, m->s_last, m->factor, m->slope};
  for (int k = 0; k < 9; ++k) free(vector[k]);
  exec_destroy(&m->exec);
}

double mock_distance(const Mock *m, double t) {
  double most = 0;
  for (int32_t i = 0; i < m->n; ++i) most = fmax(most, fabs(m->u[i] - m->c[i] * phi(t)));
  return most;
}
