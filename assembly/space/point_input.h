/* Numbers at integration points that a driver renews as it goes, beside what materials remember there (point_state.h): the
 * temperature, the tension of a muscle. They are recomputed from the time, so that checkpoints need none of them. */
#pragma once
#include "assembly/space/point_input_rows.h"
#include "assembly/space/scalar_source.h"
#include "assembly/space/space.h"

/* A sum of factor[i] source[i] at a time. */
typedef struct PointSum {
  const char *what; /* "temperature" */
  const Mesh *mesh;
  int32_t n;
  const ScalarSource *const *source; /* [n] */
  const double *factor;              /* [n]; NULL: 1 */
  double time;                       /* t of expressions, */
  const double *times;               /* [n] or of each; NULL: they have that one */
  const double *least;               /* [n] what each must be at least; NULL: any number */
  const int32_t *of;                 /* [elements of the mesh] the only one that an element has; NULL: it has all */
} PointSum;

typedef struct PointInput {
  /* on the Exec, owned, elements in the solver's order: one number, one of each element, or n_q of each; as PointInputView */
  double *value[ELEMENT_SET_BLOCKS];
  int64_t n[ELEMENT_SET_BLOCKS], step_e[ELEMENT_SET_BLOCKS], step_q[ELEMENT_SET_BLOCKS];
  double factor;              /* of all of it, now */
  const ScalarSource *source; /* what `value` is of, at `time`; NULL: of something else */
  double time;
  double *nodal; /* on the Exec, owned, [n_nodal]: numbers of `source` at nodes; NULL: there are none */
  int64_t n_nodal;
  double *halved[ELEMENT_SET_BLOCKS]; /* on the Exec, owned, [n_halved], as N: linear between nodes; NULL: not made */
  int64_t n_halved[ELEMENT_SET_BLOCKS];
} PointInput;

void point_input_release(Exec *exec, PointInput *input);
/* Numbers of a sum for the solved elements, with the rule of the stiffness. ERR_INPUT: not finite, with the place. */
Status point_input_sum(Exec *exec, const PointSum *sum, const ElementSet *set, const Numbering *numbering,
                       PointInput *out);
/* factor times the source at a time, which outlives the input; evaluated again only where it is another one or depends on t.
 * Not recordable. ERR_INPUT as above. */
Status point_input_renew(const Space *space, const char *what, const ScalarSource *source, double time, double factor,
                         PointInput *out);
/* factor times numbers at nodes, nodal[nodes with the halo] on the Exec in the solver's order, linear between nodes (mesh/elements/halved.h). */
Status point_input_nodal(const Space *space, const double *nodal, double factor, PointInput *out);
/* Of solved block k, elements from `first` on. */
PointInputView point_input_view(const PointInput *input, int32_t k, int64_t first);
