/* Curves over an axis as a picture that every browser shows (SVG 1.1), with no library. */
#pragma once
#include "output/text.h"

/* Zero-initialise but for the labels: Chart chart = {.x_label = "time, ms", .y_label = ".."}; failures are kept as in Text. */
typedef struct Chart {
  const char *x_label, *y_label;
  bool marks;      /* a dot at each point too */
  int32_t n_curve; /* the points that come belong to the last one */
  Text name;       /* owned: of curves, each with its 0 */
  Text point;      /* owned: ChartPoint */
} Chart;

void chart_curve(Chart *chart, const char *name);
/* Of the last curve, after its others; one that is not finite is left out. */
void chart_point(Chart *chart, double x, double y);
/* Axes with round numbers around all points, curves in colours, their names beside. Nothing where there is no point. */
void chart_draw(const Chart *chart, Text *out);
void chart_release(Chart *chart);
