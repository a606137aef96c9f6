/* The block pattern of the DOF graph: two nodes couple when an element holds both. */
#pragma once
#include "assembly/space/element_set.h"
#include "algebra/pattern.h"

/* Block rows are the nodes of the mesh; a node without elements keeps its diagonal. ERR_MEMORY. */
Status pattern_create(const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out);
/* Block rows are the nodes of the solved elements of `row`, columns those of `column`, a set with the same elements in
 * the same order. ERR_MEMORY. */
Status pattern_create_between(const ElementSet *row, const Incidence *incidence, int32_t block,
                              const ElementSet *column, int32_t column_block, Pattern **out);
/* Position of column j in block row i; it must be there. */
int64_t pattern_find(const Pattern *pattern, int32_t i, int32_t j);
