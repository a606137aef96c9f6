/* The elements that meet at nodes, on an Exec as row kernels take them (meeting_rows.h). */
#pragma once
#include "assembly/space/element_set.h"
#include "core/exec.h"

/* Elements at the nodes of `row`, of which `incidence` is, with the nodes that they have in `column`: the same set, or
 * one with the same elements in the same order, of which solved blocks alone take part. Host memory may be borrowed.
 * ERR_MEMORY, ERR_GPU; whatever comes, meetings_release follows. */
Status meetings_create(Exec *exec, const ElementSet *row, const Incidence *incidence, const ElementSet *column,
                       Meetings *out);
void meetings_release(Exec *exec, const Incidence *incidence, Meetings *meetings);
