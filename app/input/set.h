/* --set: one value of the case, given on the command line. */
#pragma once
#include "app/input/schema.h"

/* Puts the argument into the tree of a case whose keys are those of `schema`:
 *   KEY=VALUE   replaces. KEY is a dotted path; items of a list by number from 0, by their name, or by the only group
 *               they are on. Maps on the way are made where they are missing; where the file has a short form
 *               (`mesh: x.geo`, `fix: all`) it is written out first.
 *   KEY+=VALUE  adds to a list: one item, or all those of a list. A list that the file leaves out starts as its
 *   default.
 * What is wrong goes to diagnostics; only a failed allocation is returned. */
Status set_apply(Tree *tree, int32_t root, const Schema *schema, uint32_t kind, const char *argument,
                 Diagnostics *diagnostics);
