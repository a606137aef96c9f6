/* output/: everything a run leaves on disk. In reading order:
 *   folder.h   the output folder: made, locked against a second run, asked whether a result lies in it
 *   text.h     growing text and whole-or-nothing saving (temporary file, fsync, rename)
 *   json.h     report.json
 *   writer.h   results.hdf and its sidecar results.xdmf, probes.csv
 *   shrink.h   arrays as long as there are steps, at the end
 *   publish.h  how a new result takes the place of an old one
 *   receipt.h  what a result held when a checkpoint was made (areas.h, checksum.h), for runs that go on
 *   recorder.h all of these and checkpoints on a thread beside the loop of a run in time
 *   layout.h   where things lie in results.hdf: the mesh, the reserved fields, the provenance
 *   cells.h    the elements as VTK cells; cell_data.h their numbers, groups and materials
 *   xdmf.h     the sidecar's text
 *   h5.h       the few HDF5 calls in use, with the reason of a failure in words
 *   read.h     a field of a step read back
 *   inspect.h  `sinew info` of a result
 * A file is never half there: it is renamed into place, or grows by whole steps. */
#pragma once
#include "output/folder.h"
#include "output/inspect.h"
#include "output/json.h"
#include "output/read.h"
#include "output/text.h"
#include "output/writer.h"
