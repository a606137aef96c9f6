/* The tables of an elasticity problem on its Exec: nodes, coordinates, reference gradients, materials, supports. */
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/element_tables.h"
#include "core/memory.h"

Status reference_gradients(const ElementType *type, const Quadrature *rule, double **dN) {
  *dN = NULL;
  ALLOC(*dN, (int64_t)rule->n * type->n_node * type->dim, "reference gradients");
  element_tabulate(type, rule, NULL, *dN);
  return OK;
}

static Status upload_solved(Elasticity *p, int32_t k, const int32_t *material) {
  Status status = OK;
  const SetBlock *b = &p->set.block[k];
  BlockTables *t = &p->table[k];
  double *dN = NULL;
  Quadrature rule;
  TRY_DONE(element_stiffness_quadrature(b->type, &rule));
  TRY_DONE(reference_gradients(b->type, &rule, &dN));
  t->n_q = rule.n;
  const int64_t n = (int64_t)rule.n * b->type->n_node * b->type->dim;
  TRY_DONE(exec_alloc_upload(p->exec, n, sizeof *dN, dN, "reference gradients", (void **)&t->dN));
  TRY_DONE(
      exec_alloc_upload(p->exec, rule.n, sizeof *t->weight, rule.weight, "quadrature weights", (void **)&t->weight));
  TRY_DONE(element_upload(p->exec, p->numbering.element[k], b->n, sizeof *material, material, "element materials",
                          (void **)&t->material));
done:
  FREE(dN);
  return status;
}

static Status upload_blocks(Elasticity *p) {
  const int32_t *material = p->material;
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    TRY(element_upload_nodes(p->exec, &p->solver_set->block[k], &p->table[k].nodes));
    if (k < p->set.n_solved_block) {
      TRY(upload_solved(p, k, material));
      material += b->n;
    } else {
      const SpringBlock *spring = &p->loads.spring[k - p->set.n_solved_block];
      TRY(exec_alloc_upload(p->exec, element_pair_size(b, p->dim), sizeof(double), spring->kappa, "springs",
                            (void **)&p->table[k].kappa));
    }
  }
  return OK;
}

/* Fixed components by node, split into those of the global frame and those of frames of their own. */
static Status upload_supports(Elasticity *p) {
  Status status = OK;
  uint8_t *plain = NULL, *framed = NULL;
  int32_t *node = NULL;
  const Supports *s = &p->supports;
  const int32_t n = s->n_node;
  ALLOC_DONE(plain, n, "supported components");
  ALLOC_DONE(framed, s->n_frame, "supported components");
  ALLOC_DONE(node, s->n_frame, "frames of supported nodes");
  for (int32_t i = 0; i < n; ++i) plain[i] = s->frame_of[i] < 0 ? s->fixed[i] : 0;
  for (int32_t k = 0; k < s->n_frame; ++k) {
    framed[k] = s->fixed[s->frame_node[k]];
    node[k] = numbering_rank(&p->numbering, s->frame_node[k]);
  }
  TRY_DONE(numbering_upload(p->exec, &p->numbering, 1, 1, plain, "supported components", (void **)&p->fixed));
  if (s->n_frame == 0) goto done;
  TRY_DONE(exec_alloc_upload(p->exec, s->n_frame, 1, framed, "supported components", (void **)&p->frame_fixed));
  TRY_DONE(
      exec_alloc_upload(p->exec, s->n_frame, sizeof *node, node, "frames of supported nodes", (void **)&p->frame_node));
  TRY_DONE(exec_alloc_upload(p->exec, 9 * (int64_t)s->n_frame, sizeof *s->frame, s->frame, "frames of supported nodes",
                             (void **)&p->frame));
  TRY_DONE(exec_alloc(p->exec, p->n_dof, sizeof *p->work, "displacement in the global frame", (void **)&p->work));
done:
  FREE(plain);
  FREE(framed);
  FREE(node);
  return status;
}

Status elasticity_upload(Elasticity *p) {
  Exec *exec = p->exec;
  TRY(exec_alloc_upload(exec, p->n_material, sizeof *p->constants, p->constants, "materials",
                        (void **)&p->exec_constants));
  const Numbering *numbering = &p->numbering;
  TRY(numbering_upload(exec, numbering, 3, sizeof(double), p->mesh->x, "coordinates", (void **)&p->x));
  TRY(numbering_upload(exec, numbering, p->dim, sizeof(double), p->loads.force, "external forces",
                       (void **)&p->external));
  TRY(upload_blocks(p));
  TRY(upload_supports(p));
  EXEC_ALLOC(exec, p->f, p->set.n_force * p->dim, "element forces");
  return gather_create_nodes(exec, p->solver_set, p->solver_incidence, &p->nodes);
}

void elasticity_release_tables(Elasticity *p) {
  Exec *exec = p->exec;
  EXEC_RELEASE(exec, p->exec_constants, p->n_material);
  EXEC_RELEASE(exec, p->x, 3 * (int64_t)p->mesh->n_node);
  EXEC_RELEASE(exec, p->external, p->n_dof);
  for (int32_t k = 0; k < p->set.n_block; ++k) {
    const SetBlock *b = &p->set.block[k];
    BlockTables *t = &p->table[k];
    EXEC_RELEASE(exec, t->nodes, (int64_t)b->type->n_node * b->n);
    EXEC_RELEASE(exec, t->dN, (int64_t)t->n_q * b->type->n_node * b->type->dim);
    EXEC_RELEASE(exec, t->weight, t->n_q);
    EXEC_RELEASE(exec, t->material, b->n);
    EXEC_RELEASE(exec, t->kappa, element_pair_size(b, p->dim));
  }
  EXEC_RELEASE(exec, p->fixed, p->supports.n_node);
  EXEC_RELEASE(exec, p->frame_fixed, p->supports.n_frame);
  EXEC_RELEASE(exec, p->frame_node, p->supports.n_frame);
  EXEC_RELEASE(exec, p->frame, 9 * (int64_t)p->supports.n_frame);
  EXEC_RELEASE(exec, p->work, p->n_dof);
  EXEC_RELEASE(exec, p->f, p->set.n_force * p->dim);
  gather_release(exec, &p->nodes);
}
