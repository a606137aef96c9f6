/* What an elasticity problem adds to its space on the Exec: materials, external forces, supports. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

static Status upload_materials(Elasticity *p) {
  const Space *s = p->space;
  const int32_t *material = p->material;
  TRY(exec_alloc_upload(s->exec, p->n_material, sizeof *p->constants, p->constants, "materials",
                        (void **)&p->exec_constants));
  for (int32_t k = 0; k < s->set.n_solved_block; material += s->set.block[k++].n)
    TRY(element_upload(s->exec, s->numbering.element[k], s->set.block[k].n, sizeof *material, material,
                       "element materials", (void **)&p->block_material[k]));
  return OK;
}

/* Fixed components by node, split into those of the global frame and those of frames of their own. */
static Status upload_supports(Elasticity *p) {
  Status status = OK;
  uint8_t *plain = NULL, *framed = NULL;
  int32_t *node = NULL;
  const Supports *s = &p->supports;
  const Numbering *numbering = &p->space->numbering;
  Exec *exec = p->space->exec;
  const int32_t n = s->n_node;
  ALLOC_DONE(plain, n, "supported components");
  ALLOC_DONE(framed, s->n_frame, "supported components");
  ALLOC_DONE(node, s->n_frame, "frames of supported nodes");
  for (int32_t i = 0; i < n; ++i) plain[i] = s->frame_of[i] < 0 ? s->fixed[i] : 0;
  for (int32_t k = 0; k < s->n_frame; ++k) {
    framed[k] = s->fixed[s->frame_node[k]];
    node[k] = numbering_rank(numbering, s->frame_node[k]);
  }
  TRY_DONE(numbering_upload(exec, numbering, 1, 1, plain, "supported components", (void **)&p->fixed));
  if (s->n_frame == 0) goto done;
  TRY_DONE(exec_alloc_upload(exec, s->n_frame, 1, framed, "supported components", (void **)&p->frame_fixed));
  TRY_DONE(
      exec_alloc_upload(exec, s->n_frame, sizeof *node, node, "frames of supported nodes", (void **)&p->frame_node));
  TRY_DONE(exec_alloc_upload(exec, 9 * (int64_t)s->n_frame, sizeof *s->frame, s->frame, "frames of supported nodes",
                             (void **)&p->frame));
  TRY_DONE(exec_alloc(exec, p->space->n_dof, sizeof *p->work, "displacement in the global frame", (void **)&p->work));
done:
  FREE(plain);
  FREE(framed);
  FREE(node);
  return status;
}

Status elasticity_upload(Elasticity *p) {
  const Space *s = p->space;
  TRY(upload_materials(p));
  TRY(numbering_upload(s->exec, &s->numbering, p->dim, sizeof(double), p->loads.force, "external forces",
                       (void **)&p->external));
  return upload_supports(p);
}

void elasticity_release_tables(Elasticity *p) {
  const Space *s = p->space;
  if (!s) return;
  Exec *exec = s->exec;
  EXEC_RELEASE(exec, p->exec_constants, p->n_material);
  EXEC_RELEASE(exec, p->external, s->n_dof);
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) EXEC_RELEASE(exec, p->block_material[k], s->set.block[k].n);
  EXEC_RELEASE(exec, p->fixed, p->supports.n_node);
  EXEC_RELEASE(exec, p->frame_fixed, p->supports.n_frame);
  EXEC_RELEASE(exec, p->frame_node, p->supports.n_frame);
  EXEC_RELEASE(exec, p->frame, 9 * (int64_t)p->supports.n_frame);
  EXEC_RELEASE(exec, p->work, s->n_dof);
}
