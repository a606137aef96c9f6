/* A run of n iterations, k recorded at once, goes round ceil(n / k) times and has k ceil(n / k) - n empty iterations. */
#include "core/loop_history.h"

static const double WORTH_US = 2;

void loop_history_add(LoopHistory *history, int64_t iterations) {
  history->iterations[history->n % LOOP_REMEMBERED] = iterations > 0 ? iterations : 1;
  history->n += 1;
}

/* us a run, on average over those remembered; there are some. */
static double cost_of(const LoopHistory *history, int32_t at_once, const LoopCost *cost) {
  const int64_t known = history->n < LOOP_REMEMBERED ? history->n : LOOP_REMEMBERED;
  double sum = 0;
  for (int64_t run = 0; run < known; ++run) {
    const int64_t ways = (history->iterations[run] + at_once - 1) / at_once;
    sum += (double)ways * cost->way_us + (double)(ways * at_once - history->iterations[run]) * cost->idle_us;
  }
  return sum / (double)known;
}

int32_t loop_history_best(const LoopHistory *history, int32_t now, int32_t most, const LoopCost *cost) {
  if (history->n == 0) return now > 0 ? now : most;
  if (now > 0 && history->n < LOOP_REMEMBERED) return now;
  int32_t best = most;
  for (int32_t k = most - 1; k >= 1; --k)
    if (cost_of(history, k, cost) < cost_of(history, best, cost)) best = k;
  return now > 0 && cost_of(history, now, cost) < cost_of(history, best, cost) + WORTH_US ? now : best;
}
