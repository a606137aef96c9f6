/* Arrays that lie on the Execs of all ranks, a run of each one behind the other: to rank 0, and where a rank's run
 * is. A rank alone has all of it. */
#pragma once
#include "core/comm.h"
#include "core/exec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Items [first, first + n) of `all` are those of this rank. */
typedef struct RankRun {
  int64_t first, n, all;
} RankRun;

/* Collective. */
Status rank_run_find(Comm *comm, int64_t n, RankRun *out);
/* own [run->n] of `bytes`, on the host, to host [run->all] of rank 0; elsewhere that is not looked at. Collective. */
Status rank_collect(Comm *comm, const RankRun *run, size_t bytes, const void *own, void *host);
/* The same of items on the Exec. */
Status exec_collect(Exec *exec, const RankRun *run, size_t bytes, const void *items, void *host);
/* The other way, from the same host [run->all] on every rank. */
Status exec_deal(Exec *exec, const RankRun *run, size_t bytes, const void *host, void *items);

#ifdef __cplusplus
}
#endif
