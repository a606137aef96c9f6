/* What a solution gives: displacement and reactions here, stresses and energies in recover_stress.c. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

/* Displacement in the global frame, on the host: u[n_node][dim]. */
static Status download_global(const Elasticity *p, const double *u, double *host) {
  const int32_t dim = p->dim;
  TRY(space_download(p->space, u, host));
  for (int32_t k = 0; k < p->supports.n_frame; ++k) {
    double *v = host + (int64_t)p->supports.frame_node[k] * dim, t[3] = {0};
    const double *R = p->supports.frame + 9 * (int64_t)k;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) t[i] += R[3 * i + j] * v[j];
    for (int i = 0; i < dim; ++i) v[i] = t[i];
  }
  return OK;
}

/* raw = f_ext - f_int(u) on the host, global frame, nothing set to zero. */
static Status recover_unbalanced(Elasticity *p, const double *u_host, double *raw) {
  Status status = OK;
  const Space *s = p->space;
  double *v = NULL, *r = NULL;
  TRY_DONE(exec_alloc(s->exec, s->n_dof, sizeof *v, "displacement in the global frame", (void **)&v));
  TRY_DONE(exec_alloc(s->exec, s->n_dof, sizeof *r, "unbalanced forces", (void **)&r));
  TRY_DONE(space_upload(s, u_host, v));
  TRY_DONE(elasticity_force_balance(p, v, r, NULL));
  TRY_DONE(space_download(s, r, raw));
done:
  EXEC_RELEASE(s->exec, v, s->n_dof);
  EXEC_RELEASE(s->exec, r, s->n_dof);
  return status;
}

/* Force of the springs on the body: minus kappa u. */
static void add_spring_forces(const Elasticity *p, const double *u, double (*reaction)[3]) {
  const int32_t dim = p->dim;
  for (int32_t k = 0; k < p->loads.n_spring; ++k) {
    const SpringBlock *s = &p->loads.spring[k];
    const int64_t n = s->type->n_node, pairs = n * (n + 1) / 2;
    for (int64_t e = 0; e < s->n; ++e)
      for (int64_t a = 0; a < n; ++a)
        for (int64_t b = 0; b < n; ++b) {
          const double *kappa = s->kappa + (e * pairs + (a < b ? pair_number(n, a, b) : pair_number(n, b, a))) * dim;
          for (int32_t c = 0; c < dim; ++c)
            reaction[s->nodes[e * n + a]][c] -= kappa[c] * u[(int64_t)s->nodes[e * n + b] * dim + c];
        }
  }
}

/* At supports f_int - f_ext in the directions that are held; elsewhere 0; springs added. */
static Status recover_reaction(Elasticity *p, const double *u, double (*reaction)[3]) {
  Status status = OK;
  double *raw = NULL;
  ALLOC_DONE(raw, p->space->n_dof, "unbalanced forces");
  TRY_DONE(recover_unbalanced(p, u, raw));
  for (int32_t i = 0; i < p->space->n_node; ++i)
    for (int32_t c = 0; c < p->dim && p->supports.fixed[i]; ++c) {
      double d[3], force = 0;
      if (!supports_direction(&p->supports, i, c, d)) continue;
      for (int32_t k = 0; k < p->dim; ++k) force -= d[k] * raw[(int64_t)i * p->dim + k];
      for (int k = 0; k < 3; ++k) reaction[i][k] += force * d[k];
    }
  add_spring_forces(p, u, reaction);
done:
  FREE(raw);
  return status;
}

static Status recover_all(Elasticity *p, const double *u, unsigned which, ElasticFields *out) {
  if (which & FIELD_DISPLACEMENT) {
    ALLOC(out->displacement, p->space->n_node, "displacement");
    for (int64_t i = 0; i < p->space->n_dof; ++i) out->displacement[i / p->dim][i % p->dim] = u[i];
  }
  if (which & FIELD_REACTION) {
    ALLOC(out->reaction, p->space->n_node, "reactions");
    TRY(recover_reaction(p, u, out->reaction));
  }
  return recover_stress(p, u, which, out);
}

Status elasticity_recover(Elasticity *p, const double *u, unsigned which, ElasticFields *out) {
  Status status = OK;
  double *host = NULL;
  *out = (ElasticFields){0};
  ALLOC_DONE(host, p->space->n_dof, "displacement");
  TRY_DONE(download_global(p, u, host));
  TRY_DONE(recover_all(p, host, which, out));
done:
  FREE(host);
  if (status != OK) elastic_fields_release(out);
  return status;
}

void elastic_fields_release(ElasticFields *f) {
  FREE(f->displacement);
  FREE(f->reaction);
  FREE(f->stress);
  FREE(f->von_mises);
  FREE(f->principal);
  FREE(f->strain_energy);
  FREE(f->element_stress);
  FREE(f->point_stress);
  FREE(f->point_start);
  FREE(f->other);
  f->n_other = 0;
}

int64_t elastic_fields_other(const ElasticFields *f, int32_t node, int32_t material) {
  int64_t low = 0, high = f->n_other;
  while (low < high) {
    const int64_t at = low + (high - low) / 2;
    const OtherStress *o = &f->other[at];
    if (o->node < node || (o->node == node && o->material < material)) low = at + 1;
    else high = at;
  }
  const bool found = low < f->n_other && f->other[low].node == node && f->other[low].material == material;
  return found ? low : -1;
}
