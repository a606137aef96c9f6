/* How long the last runs of a loop were, and so how many of its iterations are best recorded at once. */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LOOP_REMEMBERED = 8, LOOP_ITERATIONS_MOST = 8 };

/* Kept by who runs the loop, over loops that are made again; starts as zeros. */
typedef struct LoopHistory {
  int64_t n;                           /* runs so far */
  int64_t iterations[LOOP_REMEMBERED]; /* until the stop, of the last ones: run k at k % LOOP_REMEMBERED */
} LoopHistory;

/* What a run costs beyond its iterations: each way round, and each iteration after the stop. */
typedef struct LoopCost {
  double way_us, idle_us;
} LoopCost;

void loop_history_add(LoopHistory *history, int64_t iterations);
/* 1 to `most` iterations at once for the next run, `now` being those of the last (0: there was none). Unknown lengths are
 * taken for long ones: `most`. Afterwards the number that would have cost least in the runs remembered; `now` stays
 * until they are LOOP_REMEMBERED and another would save 2 us a run, because recording takes as long as hundreds of
 * that. */
int32_t loop_history_best(const LoopHistory *history, int32_t now, int32_t most, const LoopCost *cost);

#ifdef __cplusplus
}
#endif
