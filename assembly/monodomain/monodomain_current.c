/* Stimuli as a list of stimulated nodes, each with the stimuli that reach it. */
#include "assembly/monodomain/monodomain_data.h"
#include "core/memory.h"

#include <math.h>

static Status check_stimulus(const Monodomain *m, const MonodomainStimulus *stimulus, int32_t k) {
  const Diffusion *p = m->diffusion;
  CHECK(isfinite(stimulus->amplitude), ERR_INPUT, "the amplitude of stimulus %d is %s, must be finite", (int)k + 1,
        isnan(stimulus->amplitude) ? "not a number" : "infinite");
  for (int32_t j = 0; j < stimulus->n; ++j) {
    const int32_t node = stimulus->node[j];
    CHECK(node >= 0 && node < p->space->n_node, ERR_BUG, "stimulus %d acts on node %d of %d", (int)k + 1, (int)node,
          (int)p->space->n_node);
    const double *x = p->space->mesh->x[node];
    CHECK(p->space->incidence.start[node + 1] > p->space->incidence.start[node], ERR_INPUT,
          "stimulus %d acts on node %lld at (%g, %g, %g), which belongs to no element of the tissue", (int)k + 1,
          (long long)p->space->mesh->node_tag[node], x[0], x[1], x[2]);
  }
  return OK;
}

/* mV/ms at the j-th node of a stimulus, which is row `row`. */
static double monodomain_current_strength(const MonodomainStimulus *s, int32_t j, const double *mass, int32_t row) {
  const double share = s->share ? s->share[j] : 1;
  if (!s->per_area) return s->amplitude * share;
  return mass[row] > 0 ? s->amplitude * share / mass[row] : 0;
}

/* start[node + 1] counts at first, then ends; entries by node, then by stimulus. */
static void fill_list(const Monodomain *m, const MonodomainParams *params, const double *mass, int32_t *cursor,
                      int32_t *which, double *amplitude) {
  for (int32_t k = 0; k < params->n_stimulus; ++k)
    for (int32_t j = 0; j < params->stimulus[k].n; ++j) {
      const int32_t row = numbering_rank(&m->diffusion->space->numbering, params->stimulus[k].node[j]),
                    at = cursor[row]++;
      which[at] = k;
      amplitude[at] = monodomain_current_strength(&params->stimulus[k], j, mass, row);
    }
}

static Status upload_list(Monodomain *m, const int32_t *node, const int32_t *start, const int32_t *which,
                          const double *amplitude) {
  const char *what = "stimulated nodes";
  TRY(exec_alloc_upload(m->exec, m->n_stimulated, sizeof *node, node, what, (void **)&m->current_node));
  TRY(exec_alloc_upload(m->exec, m->n_stimulated + 1, sizeof *start, start, what, (void **)&m->current_start));
  TRY(exec_alloc_upload(m->exec, m->n_current, sizeof *which, which, what, (void **)&m->current_stimulus));
  return exec_alloc_upload(m->exec, m->n_current, sizeof *amplitude, amplitude, what, (void **)&m->current_amplitude);
}

/* The lumped mass by row, to the host, where a stimulus needs it; else it stays NULL. */
static Status monodomain_current_masses(const Monodomain *m, const MonodomainParams *params, double **out) {
  bool wanted = false;
  for (int32_t k = 0; k < params->n_stimulus; ++k) wanted |= params->stimulus[k].per_area;
  if (!wanted) return OK;
  Diffusion *p = m->diffusion;
  double *on_exec = NULL;
  ALLOC(*out, p->space->n_node, "lumped mass");
  EXEC_ALLOC(m->exec, on_exec, p->space->n_node, "lumped mass");
  Status status = diffusion_lumped_mass(p, on_exec);
  if (status == OK) status = space_bring_halo(p->space, on_exec);
  if (status == OK) status = exec_download(m->exec, *out, on_exec, (size_t)p->space->n_node * sizeof **out);
  EXEC_RELEASE(m->exec, on_exec, p->space->n_node);
  return status;
}

Status monodomain_currents(Monodomain *m, const MonodomainParams *params) {
  Status status = OK;
  const int32_t n_node = m->diffusion->space->n_node;
  int32_t *count = NULL, *node = NULL, *start = NULL, *which = NULL;
  double *amplitude = NULL, *mass = NULL;
  int64_t n = 0;
  for (int32_t k = 0; k < params->n_stimulus; ++k) {
    TRY(check_stimulus(m, &params->stimulus[k], k));
    n += params->stimulus[k].n;
  }
  CHECK(n < INT32_MAX, ERR_INPUT, "stimuli act on %lld nodes, at most %d", (long long)n, INT32_MAX);
  m->n_current = (int32_t)n;
  ALLOC_DONE(count, n_node, "stimulated nodes");
  ALLOC_DONE(node, n_node, "stimulated nodes");
  ALLOC_DONE(start, (int64_t)n_node + 1, "stimulated nodes");
  ALLOC_DONE(which, n, "stimulated nodes");
  ALLOC_DONE(amplitude, n, "stimulated nodes");
  for (int32_t k = 0; k < params->n_stimulus; ++k)
    for (int32_t j = 0; j < params->stimulus[k].n; ++j)
      ++count[numbering_rank(&m->diffusion->space->numbering, params->stimulus[k].node[j])];
  for (int32_t i = 0, sum = 0; i < n_node; ++i) {
    const int32_t here = count[i];
    count[i] = sum; /* now where the node's entries begin */
    sum += here;
    if (here == 0) continue;
    node[m->n_stimulated++] = i;
    start[m->n_stimulated] = sum;
  }
  TRY_DONE(monodomain_current_masses(m, params, &mass));
  fill_list(m, params, mass, count, which, amplitude);
  TRY_DONE(upload_list(m, node, start, which, amplitude));
done:
  FREE(count);
  FREE(node);
  FREE(start);
  FREE(which);
  FREE(amplitude);
  FREE(mass);
  return status;
}
