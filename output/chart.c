#include "output/chart.h"

#include "output/xdmf.h"

#include <math.h>
#include <string.h>

typedef struct ChartPoint {
  double x, y;
  int32_t curve;
} ChartPoint;

/* One axis: round numbers every `step` from low to high, which lie at pixels `from` and `to`. */
typedef struct Axis {
  double low, high, step, from, to;
} Axis;

enum { WIDTH = 760, HEIGHT = 420, LEFT = 76, RIGHT = 580, TOP = 20, BOTTOM = 360, LINE = 20, TICKS = 6 };
/* Okabe and Ito's, which the colour-blind tell apart. */
static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
enum { COLOURS = sizeof colour / sizeof *colour };

void chart_curve(Chart *chart, const char *name) {
  text_add_bytes(&chart->name, name, (int64_t)strlen(name) + 1);
  ++chart->n_curve;
}

void chart_point(Chart *chart, double x, double y) {
  ChartPoint point;
  if (!isfinite(x) || !isfinite(y)) return;
  memset(&point, 0, sizeof point);
  point.x = x, point.y = y, point.curve = chart->n_curve - 1;
  text_add_bytes(&chart->point, (const char *)&point, sizeof point);
}

void chart_release(Chart *chart) {
  text_release(&chart->name);
  text_release(&chart->point);
}

static ChartPoint point_at(const Chart *chart, int64_t i) {
  ChartPoint point;
  memcpy(&point, chart->point.data + i * (int64_t)sizeof point, sizeof point);
  return point;
}

static int64_t point_count(const Chart *chart) { return chart->point.n / (int64_t)sizeof(ChartPoint); }

/* 1, 2 or 5 times a power of ten. */
static Axis axis_of(double least, double most, double from, double to) {
  const double span = most > least ? most - least : fmax(fabs(most), 1);
  const double power = pow(10, floor(log10(span / TICKS))), part = span / TICKS / power;
  const double step = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
  Axis axis = {floor(least / step) * step, ceil(most / step) * step, step, from, to};
  if (!(axis.high > axis.low)) axis.high = axis.low + step;
  return axis;
}

static double at(const Axis *axis, double value) {
  return axis->from + (axis->to - axis->from) * (value - axis->low) / (axis->high - axis->low);
}

static void draw_axis(const Axis *axis, bool upright, Text *out) {
  const int n = (int)lround((axis->high - axis->low) / axis->step);
  for (int i = 0; i <= n; ++i) {
    const double value = axis->low + i * axis->step, pixel = at(axis, value);
    if (upright)
      text_add(out,
               "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' stroke='#dddddd'/>\n"
               "<text x='%d' y='%.1f' text-anchor='end'>%.6g</text>\n",
               LEFT, pixel, RIGHT, pixel, LEFT - 8, pixel + 5, fabs(value) < 1e-9 * axis->step ? 0 : value);
    else
      text_add(out,
               "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#dddddd'/>\n"
               "<text x='%.1f' y='%d' text-anchor='middle'>%.6g</text>\n",
               pixel, TOP, pixel, BOTTOM, pixel, BOTTOM + LINE, fabs(value) < 1e-9 * axis->step ? 0 : value);
  }
}

static void draw_curves(const Chart *chart, const Axis *x, const Axis *y, Text *out) {
  const int64_t n = point_count(chart);
  for (int64_t i = 0; i < n; ++i) {
    const ChartPoint p = point_at(chart, i);
    const bool first = i == 0 || point_at(chart, i - 1).curve != p.curve;
    const bool last = i == n - 1 || point_at(chart, i + 1).curve != p.curve;
    if (first) text_add(out, "<polyline fill='none' stroke-width='2' stroke='%s' points='", colour[p.curve % COLOURS]);
    text_add(out, "%.2f,%.2f%s", at(x, p.x), at(y, p.y), last ? "'/>\n" : " ");
  }
  for (int64_t i = 0; i < n && chart->marks; ++i) {
    const ChartPoint p = point_at(chart, i);
    text_add(out, "<circle r='3.5' cx='%.2f' cy='%.2f' fill='%s'/>\n", at(x, p.x), at(y, p.y),
             colour[p.curve % COLOURS]);
  }
}

static void draw_names(const Chart *chart, Text *out) {
  const char *name = chart->name.data;
  for (int32_t k = 0; k < chart->n_curve; ++k, name += strlen(name) + 1) {
    const int height = TOP + LINE / 2 + k * LINE;
    text_add(out, "<line x1='%d' y1='%d' x2='%d' y2='%d' stroke-width='3' stroke='%s'/>\n<text x='%d' y='%d'>",
             RIGHT + 14, height, RIGHT + 34, height, colour[k % COLOURS], RIGHT + 40, height + 5);
    xml_add(out, name);
    text_add(out, "</text>\n");
  }
}

static void draw_labels(const Chart *chart, Text *out) {
  text_add(out, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#444444'/>\n", LEFT, TOP, RIGHT - LEFT,
           BOTTOM - TOP);
  text_add(out, "<text x='%d' y='%d' text-anchor='middle'>", (LEFT + RIGHT) / 2, BOTTOM + 2 * LINE + 4);
  xml_add(out, chart->x_label);
  text_add(out, "</text>\n<text transform='translate(%d,%d) rotate(-90)' text-anchor='middle'>", LINE,
           (TOP + BOTTOM) / 2);
  xml_add(out, chart->y_label);
  text_add(out, "</text>\n");
}

void chart_draw(const Chart *chart, Text *out) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  if (chart->name.status != OK || chart->point.status != OK) {
    out->status = ERR_MEMORY;
    return;
  }
  if (!point_count(chart)) return;
  for (int64_t i = 0; i < point_count(chart); ++i) {
    const ChartPoint p = point_at(chart, i);
    low[0] = fmin(low[0], p.x), high[0] = fmax(high[0], p.x);
    low[1] = fmin(low[1], p.y), high[1] = fmax(high[1], p.y);
  }
  const Axis x = axis_of(low[0], high[0], LEFT, RIGHT), y = axis_of(low[1], high[1], BOTTOM, TOP);
  const int names = TOP + (chart->n_curve + 1) * LINE, height = names > HEIGHT ? names : HEIGHT;
  text_add(out,
           "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='14'>\n"
           "<rect width='100%%' height='100%%' fill='white'/>\n",
           WIDTH, height);
  draw_axis(&x, false, out);
  draw_axis(&y, true, out);
  draw_curves(chart, &x, &y, out);
  draw_labels(chart, out);
  draw_names(chart, out);
  text_add(out, "</svg>\n");
}
