/* The block `adapt:` as a table, and its checks. */
#include "app/input/case_tables.h"

#include <math.h>

static const Key adapt_keys[] = {
    {"energy", VALUE_NUMBER, false, AT(CaseAdapt, energy), .min = 1e-4, .max = 1, .open_max = true,
     .meaning =
         "wanted: the estimated error of the stress, or of the flux of heat, in the energy norm, over that of it"},
    {"probe", VALUE_TEXT, false, AT(CaseAdapt, probe), .meaning = "in place of energy: a probe of output, by its name"},
    {"rtol", VALUE_NUMBER, false, AT(CaseAdapt, rtol), .min = 1e-6, .max = 1, .open_max = true,
     .meaning = "of the probe: wanted error over its value; where no dual solution gives it, the change from one pass "
                "to the next"},
    {"passes", VALUE_INTEGER, false, AT(CaseAdapt, passes), .initial = "6", .min = 1, .max = ADAPT_PASSES,
     .meaning = "at most"},
    {"most", VALUE_NUMBER, false, AT(CaseAdapt, most), .initial = "2e6", .min = 100, .max = 1e9,
     .meaning = "elements that a mesh may have"}};
const Schema case_adapt_schema = {SCHEMA("adapt", adapt_keys, CaseAdapt), .optional = true};

void case_check_adapt(const Case *c, Diagnostics *out) {
  const CaseAdapt *a = &c->adapt;
  const bool energy = place_given(a->energy.place), probe = a->probe.text != NULL, rtol = place_given(a->rtol.place);
  if (!place_given(a->place)) return;
  if (energy == probe)
    report_error(
        out, a->place,
        "adapt needs one of 'energy' and 'probe': what is to be exact\n  allowed: {energy: 0.02} or {probe: tip, "
        "rtol: 0.01}");
  if (probe && !rtol) report_error(out, a->probe.place, "a probe to adapt to needs 'rtol': how exact it is to be");
  if (rtol && !probe)
    report_error(out, a->rtol.place,
                 "rtol is that of a probe, and none is named\n  remedy: 'probe: NAME', or leave it out");
  if (probe && !case_probe_named(c, a->probe.text))
    report_error(out, a->probe.place, "unknown probe '%s'\n  name one of 'probes' under 'output:'", a->probe.text);
  if (!c->mesh.file.text)
    report_error(
        out, a->place,
        "adapt makes the mesh anew from its geometry, and this case has %s\n  allowed: 'mesh: {file: ..}' with a "
        ".geo, .step or another geometry that Gmsh meshes",
        c->mesh.image.text ? "an image" : "a grid");
  if (c->mesh.refine.value > 0)
    report_error(
        out, c->mesh.refine.place,
        "refine splits all elements alike, and adapt those where the error is\n  remedy: leave one of them out");
}
