/* Conductivities of heart and bath or torso, element by element; those of its entries against the case and the mesh. */
#include "app/fibers/case_fibers.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/conductor.h"
#include "app/monodomain/heart.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

static const char *const WHAT = "conductivities of heart and torso";

/* ---- of the case ---- */

static void check_one(const CaseTorso *t, Diagnostics *out) {
  const VectorValue *s = &t->conductivity;
  const bool fibers = place_given(t->fibers.place), sheets = place_given(t->sheets.place);
  fibers_check("fibers", &t->fibers, out);
  fibers_check("sheets", &t->sheets, out);
  for (int k = 0; k < s->n; ++k)
    if (!(s->value[k] > 0 && isfinite(s->value[k]))) {
      report_error(out, s->place, "conductivity is %g, must be > 0: S/m", s->value[k]);
      return;
    }
  if (s->n > 1 && !fibers)
    report_error(out, s->place, "conductivity across the fibres needs 'fibers:' in this entry, such as {field: fiber}");
  if (s->n > 2 && !sheets)
    report_error(out, s->place, "conductivity normal to the sheets needs 'sheets:' in this entry");
  if (fibers && s->n == 1)
    report_error(
        out, t->fibers.place,
        "fibers have no effect on one conductivity\n  remedy: 'conductivity: [0.4, 0.1]', along and across, or "
        "leave them out");
  else if (sheets && s->n < 3)
    report_error(out, t->sheets.place,
                 "sheets have no effect without a third conductivity, normal to them\n  remedy: 'conductivity: [0.4, "
                 "0.2, 0.1]', or leave them out");
}

void conductors_check(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->torso.n; ++i) check_one(case_torso(c, i), out);
}

/* ---- of the mesh ---- */

static FiberTissue around(const CaseTorso *t, Expr fiber[3], Expr sheet[3]) {
  const double *s = t->conductivity.value;
  const int n = t->conductivity.n;
  return (FiberTissue){.fiber = fibers_source(&t->fibers, fiber),
                       .sheet = fibers_source(&t->sheets, sheet),
                       .along = s[0],
                       .across = n > 1 ? s[1] : 0,
                       .normal = n > 2 ? s[2] : 0};
}

Status conductors_bind(const Case *c, const Mesh *body, Diagnostics *out) {
  char text[2048];
  for (int32_t i = 0; i < c->torso.n; ++i) {
    Expr fiber[3], sheet[3];
    const FiberTissue part = around(case_torso(c, i), fiber, sheet);
    const Status status = fiber_tissue_check(body, &part);
    if (status != OK && status != ERR_INPUT) return status;
    if (status == OK) continue;
    snprintf(text, sizeof text, "%s", status_message());
    report_error(out, case_torso(c, i)->fibers.place, "%s", text);
  }
  return OK;
}

/* Of an element of the heart, the h-th of its own mesh: inside the cells, and inside and outside together. */
static void heart_tensors(const Case *c, const HeartSetup *own, int32_t region, int32_t h, double intra[6],
                          double both[6]) {
  const int32_t n = heart_tissue(c, region)->conductivity.intra.n;
  const TissueNumbers *number = heart_numbers(own, region, h);
  double extra[6];
  conductivity_tensor(n, number->D, number->intra, own->tensor[h], intra);
  conductivity_tensor(n, number->D, number->extra, own->tensor[h], extra);
  for (int d = 0; d < 6; ++d) both[d] = intra[d] + extra[d];
}

Status conductor_tensors(const Case *c, const HeartSetup *own, const Mesh *heart, const Mesh *body,
                         double (**tensor)[6], double (**intra)[6]) {
  const int32_t first = setup_first_solved(body), n = body->n_element - first;
  const int32_t n_heart = heart->n_element - setup_first_solved(heart);
  const int32_t *region = own->torso ? own->torso + first : own->monodomain.element_region;
  int32_t *of_heart = NULL, h = 0;
  Status status = OK;
  ALLOC(*tensor, n, WHAT);
  ALLOC(*intra, n_heart, WHAT);
  ALLOC(of_heart, n_heart, WHAT);
  for (int32_t e = 0; e < n; ++e)
    if (region[e] < c->materials.n) of_heart[h++] = e; /* elements of a part keep their order */
  for (int32_t i = 0; own->torso && i < c->torso.n && status == OK; ++i) {
    Expr fiber[3], sheet[3];
    const FiberTissue part = around(case_torso(c, i), fiber, sheet);
    status = fiber_tensors(body, &part, own->torso, c->materials.n + i, *tensor);
  }
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < h; ++i) heart_tensors(c, own, region[of_heart[i]], i, (*intra)[i], (*tensor)[of_heart[i]]);
  FREE(of_heart);
  return status;
}
