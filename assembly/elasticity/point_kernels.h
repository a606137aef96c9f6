/* Launches of the kernels that integrate point by point: those of linear laws, one for each kind of element
 * (point_rows.h, recover_rows.h), or those of all laws (nonlinear_rows.h). For the files of elasticity only. */
#pragma once
#include "assembly/elasticity/recover_rows.h"
#include "core/exec.h"
#include "mesh/elements/element.h"

Status point_kernels_pairs(Exec *exec, ElementKind kind, const PointArgs *args);
Status point_kernels_force(Exec *exec, ElementKind kind, const PointArgs *args);
Status point_kernels_recover(Exec *exec, ElementKind kind, const RecoverArgs *args);

/* ROWS(name, arguments) of nonlinear.def */
#define ROWS_DECLARE
#include "core/rows.h"
#include "assembly/elasticity/nonlinear.def"
#include "core/rows_end.h"
