/* Element matrices in parts (tangent_rows.h). For the files of elasticity only. */
#pragma once
#include "assembly/elasticity/elasticity_points.h"
#include "assembly/elasticity/force_rows.h"
#include "core/exec.h"

/* points->room where element matrices go in parts: of laws that are not linear or whose changes of volume are smooth wherever the Exec is
 * not the host; `always`: on the host too, of linear laws too. ERR_MEMORY, ERR_GPU. */
Status tangents_make_room(Exec *exec, const ElementSet *set, bool always, ElasticityPoints *points);
/* As point_kernels_pairs, of what rows of `points` (TangentArgs, tangent_rows of n_q) keep of each point; args->room is there. */
Status tangents_in_parts(Exec *exec, const RowKernel *points, ElementKind kind, const PointArgs *args);

/* Forces of nodes of what rows of `points` (ForceArgs, tangent_rows of n_q), then those of `then` (NULL: none), keep of each point;
 * args->room is there. */
Status forces_in_parts(Exec *exec, const RowKernel *points, const RowKernel *then, const PointArgs *args,
                       const ForceArgs *more);

/* ROWS(name, arguments) of tangent.def */
#define ROWS_DECLARE
#include "core/rows.h"
#include "assembly/elasticity/tangent.def"
#include "core/rows_end.h"
