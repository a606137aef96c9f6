/* The elements that meet at nodes, on an Exec as row kernels take them (meeting_rows.h). */
#pragma once
#include "assembly/space/element_set.h"
#include "core/exec.h"

/* Elements at the nodes of `set`, of which `incidence` is, with their nodes. Host memory may be borrowed. ERR_MEMORY, ERR_GPU; whatever comes, meetings_release follows. */
Status meetings_create(Exec *exec, const ElementSet *set, const Incidence *incidence, Meetings *out);
void meetings_release(Exec *exec, const Incidence *incidence, Meetings *meetings);
