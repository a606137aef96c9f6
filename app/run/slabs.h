/* Fields in the mesh's order, cut into as many slabs as there are ranks: what each rank writes to the one result file.
 * An item goes straight from the rank that owns it to the one that writes it, so no rank has a whole field: of b bytes
 * each rank sends and gets b / n (1 - 1 / n) where owners and slabs have nothing to do with each other, and none where
 * they are the same, against b (1 - 1 / n) that rank 0 gets where it collects all. */
#pragma once
#include "app/run/collector.h"

typedef struct Slabs Slabs;
/* Collective, as slabs_take; the collector, of all items, is borrowed. */
Status slabs_create(Comm *comm, const Collector *collector, Slabs **out);
void slabs_destroy(Slabs **slabs);
/* The items of this rank's slab: how many, and the first of them in the whole. */
int32_t slabs_items(const Slabs *slabs, CollectorItems of, int32_t *first);
/* The sum of a number at each item, on every rank: of chunks in the mesh's order, as row kernels of one CPU add it. */
Status slabs_total(const Slabs *slabs, CollectorItems of, const double *local, double *total);
/* Items of `bytes` each: local [nodes or solved elements here], slab [slabs_items]. */
Status slabs_take(const Slabs *slabs, CollectorItems of, size_t bytes, const void *local, void *slab);
