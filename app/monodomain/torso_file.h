/* The potential of heart and torso at all nodes of the mesh, in files of their own: body-surface maps. */
#pragma once
#include "app/monodomain/heart.h"

/* torso/results.hdf beside the results, of all potentials that are stored there, where `output: {torso: true}` asks for it:
 * once the result is whole, so that a run that was resumed has the same. ERR_NUMERIC: not converged. */
Status torso_save(Run *run, const Heart *heart);
