/* What a run will take of memory, before it takes it: the run's own driver is rehearsed on a CPU whose allocations are
 * told by name, and which says that it is a GPU where the run will use one. A small mesh is rehearsed as it is. Of a
 * large one two samples are, and each name is scaled to the whole mesh: by nodes, elements or matrix entries where it
 * grew as they did from one sample to the other, else by how its share per entry changed with the share of the surface.
 * The peak is that of the time line of all names together. */
#pragma once
#include "app/run/memory_table.h"
#include "app/run/run.h"
#include "app/setup/setup.h"

typedef struct ForecastRequest {
  const Case *c;
  const Mesh *mesh;
  Setup *setup;       /* only read, but for what a driver sets of it */
  bool on_gpu;        /* where the run will be */
  int64_t host_bytes; /* of case, mesh and setup */
  int64_t sample;     /* nodes beyond which samples are taken; 0: FORECAST_NODES */
  double room; /* not 0: where the smaller sample says that the Exec has this many bytes by far, that is enough */
} ForecastRequest;
enum { FORECAST_NODES = 8000 };

/* Errors are those that a run would have on its way; of samples they are a warning, and the plan stays empty. */
Status memory_forecast(const ForecastRequest *request, MemoryPlan *out);
/* No run of this case takes more on its Exec. */
double memory_bound(const Case *c, const Mesh *mesh);
