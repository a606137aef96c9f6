/* From what the ranks have to the whole: items of nodes and of solved elements, in the mesh's order, on rank 0. An item
 * comes from the rank that owns the node, or the first node of the element. */
#pragma once
#include "core/comm.h"
#include "mesh/local.h"

typedef struct Collector Collector;

/* number: the solver's number of each node in the whole, NULL: the mesh's own. whole is looked at on rank 0 only. */
Status collector_create(Comm *comm, const Mesh *whole, const Partition *partition, const int32_t *number,
                        const LocalMesh *local, Collector **out);
void collector_destroy(Collector **collector);

typedef enum CollectorItems { OF_NODES, OF_ELEMENTS } CollectorItems;
/* A collector of those items alone that rank 0 lists, ascending (n and item [2], of nodes and of solved elements; nobody
 * looks at them elsewhere): they come to their places in an array of the whole. Collective. */
Status collector_pick(const Collector *of, const int32_t *n, int32_t *const *item, Collector **out);
/* How many items this rank has, their indices here, ascending, and the index of the k-th in the whole; all of the whole. */
int32_t collector_own(const Collector *collector, CollectorItems of, const int32_t **own);
int32_t collector_whole(const Collector *collector, CollectorItems of, int32_t k);
int32_t collector_items(const Collector *collector, CollectorItems of);
/* Items of `bytes` each: local [nodes or solved elements here], whole [of the mesh], which only rank 0 has. Collective. */
Status collect(const Collector *collector, CollectorItems of, size_t bytes, const void *local, void *whole);
/* Item i is the pieces start[i] .. start[i + 1) of `bytes` each; whole_start is looked at on rank 0 only. */
Status collect_pieces(const Collector *collector, CollectorItems of, size_t bytes, const int64_t *start,
                      const void *local, const int64_t *whole_start, void *whole);
