/* Materials that are integrated point by point: the table of their laws and the state of every point. Empty where all
 * elements belong to element_rows.h. For the files of elasticity only. */
#pragma once
#include "assembly/space/element_set.h"
#include "assembly/elasticity/elasticity.h"
#include "assembly/space/point_input.h"
#include "assembly/space/point_state.h"
#include "assembly/elasticity/point_rows.h"

typedef struct ElasticityPoints {
  bool by_block[ELEMENT_SET_BLOCKS], by_point[ELEMENT_SET_BLOCKS]; /* whose kernels a block of elements needs */
  bool nonlinear;                                                  /* on any rank */
  bool axisymmetric, finite, plane_stress;
  int32_t mean_modes[ELEMENT_SET_BLOCKS]; /* PointArgs.mean_modes */
  bool bubbles[ELEMENT_SET_BLOCKS];       /* incompatible modes (bubble_element.h) */
  double *bubble[ELEMENT_SET_BLOCKS];     /* on the Exec, owned, [n_bubble]: PointArgs.bubble */
  int64_t n_bubble[ELEMENT_SET_BLOCKS];
  double *modes; /* on the Exec, owned, [n_modes], PointArgs.modes of each block; NULL: no such law */
  int64_t first_modes[ELEMENT_SET_BLOCKS], n_modes;
  double *slice; /* on the Exec, owned, [n_slice]: BubbleArgs.W */
  int64_t n_slice;
  bool augmented; /* on any rank */
  int64_t first_kept[ELEMENT_SET_BLOCKS], n_kept;
  double *kept, *share,
      *accepted;      /* on the Exec, owned, [n_kept], [n_solved]; `kept` of the last step; NULL: not augmented */
  double *lag, *rest; /* on the Exec, owned, [n_kept], zeros like u; NULL: not augmented, or under small strains */
  int64_t n_rest;
  int64_t first_couple[ELEMENT_SET_BLOCKS], n_couple;
  double *couple; /* on the Exec, owned, MeanCoupleArgs.q and .c of each block; NULL: not augmented */
  int64_t n_law;
  int64_t n_law_number; /* LAW_SIZE of each, and behind them the curves of the materials */
  double *law;          /* host, owned, [n_law_number] */
  int32_t *law_row;     /* host, owned, [n_solved] in mesh order, PointArgs.law_row */
  int32_t *any_row;     /* the same with rows for elements of element_rows.h too; NULL where nothing is heated */
  /* on the Exec, owned, elements in the solver's order */
  double *exec_law;
  int32_t *exec_row[ELEMENT_SET_BLOCKS], *exec_any_row[ELEMENT_SET_BLOCKS];
  PointInput input[N_POINT_INPUTS];
  unsigned reads, renewed; /* bits of those that materials read, and of those that the answers of all kernels see */
  int32_t n_node[ELEMENT_SET_BLOCKS], dim[ELEMENT_SET_BLOCKS];
  int32_t n_q[ELEMENT_SET_BLOCKS];
  int32_t first_element[ELEMENT_SET_BLOCKS]; /* solved index of a block's first element */
  int64_t first_point[ELEMENT_SET_BLOCKS], n_elem[ELEMENT_SET_BLOCKS];
  int64_t n_point;
  PointState state; /* n_state: of the material with most */
  uint8_t *failed;  /* [n_solved], NULL where no material can fail */
  double *lowest;   /* [n_solved], least det F; NULL unless finite */
  double *n_failed; /* [1] */
  double *room;     /* on the Exec, owned, [n_room]: PointArgs.room */
  int64_t n_room;
  double *head; /* on the Exec, owned, [n_head]: PointArgs.head */
  int64_t n_head;
  const LocalMesh *local; /* borrowed; NULL: the mesh is the whole */
  double dt, kink;
} ElasticityPoints;

/* ERR_INPUT: a material that the model does not know, axes that are not defined at a point, or that leave the plane of
 * a plane model. */
Status points_create(Exec *exec, const ElasticityParams *params, const ElementSet *set, const Numbering *numbering,
                     ElasticityPoints *out);
/* As the states of all points know them. */
void points_blocks(const ElasticityPoints *points, PointBlock block[ELEMENT_SET_BLOCKS]);
void points_release(Exec *exec, const ElementSet *set, ElasticityPoints *points);
/* What the kernels need beside the tables of element_rows.h, of the block's elements from `first` on; N [n_q][n_node] of the block. */
PointArgs points_args(const ElasticityPoints *points, int32_t block, int64_t first, const ElementArgs *element,
                      const double *N);
/* The same of all elements, heated. */
PointArgs points_heated_args(const ElasticityPoints *points, int32_t block, const ElementArgs *element,
                             const double *N);
/* point_failure.c: see elasticity_check_answer. */
Status points_check_answer(Exec *exec, const ElasticityPoints *points, const Mesh *mesh, const ElementSet *set,
                           const Numbering *numbering);
