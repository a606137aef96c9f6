#include "app/report/extreme.h"
#include "core/percent.h"

#include <stdio.h>

static void save_place(Json *json, const Extreme *e) {
  json_array(json, "at");
  for (int c = 0; c < 3; ++c) json_number(json, NULL, e->x[c]);
  json_end(json);
  json_string(json, "group", *e->group ? e->group : NULL);
  if (e->timed) json_number(json, "time", e->time);
}

void extremes_save(const Extremes *extremes, Json *json) {
  if (extremes->n) {
    json_object(json, "largest");
    for (int32_t i = 0; i < extremes->n; ++i) {
      json_object(json, extremes->item[i].name);
      json_number(json, "value", extremes->item[i].value);
      save_place(json, &extremes->item[i]);
      json_end(json);
    }
    json_end(json);
  }
  if (extremes->has_safety) {
    json_object(json, "smallest");
    json_object(json, extremes->safety.name);
    json_number(json, "value", extremes->safety.value);
    save_place(json, &extremes->safety);
    json_end(json);
    json_end(json);
  }
  if (!extremes->has_error) return;
  json_object(json, "stress_error");
  json_number(json, "relative", extremes->error.value);
  if (extremes->at_largest > 0) json_number(json, "at_largest", extremes->at_largest);
  save_place(json, &extremes->error);
  json_end(json);
}

static void print_place(const Extreme *e, const Units *units) {
  const char *unit = units_text(units, UNIT_LENGTH);
  printf("at (%.6g, %.6g, %.6g)%s%s", e->x[0], e->x[1], e->x[2], unit ? " " : "", unit ? unit : "");
  if (*e->group) printf(" in '%s'", e->group);
  if (!e->timed) return;
  unit = units_text(units, UNIT_TIME);
  printf(", t = %.6g%s%s", e->time, unit ? " " : "", unit ? unit : "");
}

/* Beyond this the summary says what helps. */
static const double LARGE_ERROR = 0.05;

static void print_share(double share) {
  char text[32];
  if (share > 1) printf("more than 100 %%");
  else printf("about %s", percent_text(share, text));
}

void extremes_print(const Extremes *extremes, const Units *units) {
  for (int32_t i = 0; i < extremes->n; ++i) {
    const Extreme *e = &extremes->item[i];
    const char *unit = units_text(units, e->kind);
    printf("largest      %s %.6g%s%s ", e->name, e->value, unit ? " " : "", unit ? unit : "");
    print_place(e, units);
    printf("\n");
  }
  if (extremes->has_safety) {
    printf("smallest     %s %.6g ", extremes->safety.name, extremes->safety.value);
    print_place(&extremes->safety, units);
    printf("%s\n", extremes->safety.value < 1 ? ": the strength is exceeded" : "");
  }
  if (!extremes->has_error) return;
  const bool there = extremes->at_largest > LARGE_ERROR, most = extremes->error.value > LARGE_ERROR;
  printf("stress error ");
  if (extremes->at_largest > 0) {
    print_share(extremes->at_largest);
    printf(" at the largest von-mises, ");
  }
  print_share(extremes->error.value);
  printf(" in the energy norm, most of it ");
  print_place(&extremes->error, units);
  if (extremes->at_largest > 1 || extremes->error.value > 1) printf("; the mesh does not resolve the stress");
  printf("%s%s\n", there || most ? ": refine at " : "",
         there && most ? "both, or take elements of higher order"
         : there       ? "the largest, or take elements of higher order"
         : most        ? "the latter, or take elements of higher order"
                       : "");
}
