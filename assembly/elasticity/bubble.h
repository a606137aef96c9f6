/* Launches of the row kernels of incompatible modes (bubble.def), and their tables. For the files of elasticity only. */
#pragma once
#include "assembly/elasticity/bubble_any_rows.h"
#include "assembly/elasticity/elasticity_points.h"

/* Tables of the blocks that have bubbles, and room for a slice. */
Status bubbles_upload(Exec *exec, const ElementSet *set, ElasticityPoints *out);
void bubbles_release(Exec *exec, ElasticityPoints *points);
/* PointArgs.bubble of a kind of element, [n]. */
Status bubbles_table(Exec *exec, const ElementType *type, int64_t *n, double **out);
/* Takes from the pair blocks of the plain element what bubbles give way. */
Status bubbles_pairs(Exec *exec, const ElasticityPoints *points, const PointArgs *args);
/* PointArgs.modes of laws that are not linear, at the displacement that the arguments have; nothing where all are. */
Status bubbles_modes(Exec *exec, const PointArgs *args);
Status bubbles_force(Exec *exec, const PointArgs *args);
Status bubbles_recover(Exec *exec, const RecoverArgs *args);

/* ROWS(name, arguments) of bubble.def */
#define ROWS_DECLARE
#include "core/rows.h"
#include "assembly/elasticity/bubble.def"
#include "core/rows_end.h"
