/* Is a surface mesh flat? */
#include "assembly/space/plane.h"

#include <math.h>

int32_t plane_departure(const Mesh *mesh, double *z) {
  const double tolerance = 1e-9 * mesh_size(mesh);
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementBlock *block = &mesh->block[k];
    const ElementType *type = element_type(block->kind);
    if (type->dim != 2) continue;
    *z = block->n ? mesh->x[block->nodes[0]][2] : 0;
    for (int64_t i = 0; i < (int64_t)block->n * type->n_node; ++i)
      if (!(fabs(mesh->x[block->nodes[i]][2] - *z) <= tolerance)) return block->nodes[i];
  }
  return -1;
}
