/* The block pattern of the DOF graph: two nodes couple when an element holds both. */
#pragma once
#include "assembly/space/element_set.h"
#include "algebra/pattern.h"
#include "core/exec.h"

/* Block rows are the nodes of the mesh; a node without elements keeps its diagonal. ERR_MEMORY, ERR_GPU. */
Status pattern_create(Exec *exec, const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out);
/* Block rows are the nodes of the solved elements of `row`, columns those of `column`, a set with the same elements in
 * the same order. ERR_MEMORY, ERR_GPU. */
Status pattern_create_between(Exec *exec, const ElementSet *row, const Incidence *incidence, int32_t block,
                              const ElementSet *column, int32_t column_block, Pattern **out);
