/* Axes of materials that are fibres and sheets, as a heart has them: of fields, of expressions at the middle of elements, by rule. */
#include "app/elasticity/elastic.h"
#include "app/fibers/case_fibers.h"
#include "core/memory.h"
#include "physics/material.h"

#include <stdio.h>
#include <string.h>

/* Axes 1 and 2 of the elements of material m. */
static Status bind_sources(const Mesh *mesh, const FiberSource *fiber, const FiberSource *sheet, int32_t m,
                           Setup *setup) {
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  ElasticSetup *own = elastic_setup(setup);
  double(*axis)[3] = NULL;
  Status status = OK;
  ALLOC_DONE(own->axes[m], n, "axes of the materials");
  ALLOC_DONE(axis, n, "axes of the materials");
  for (int k = 0; k < 2; ++k) {
    if (k && !fiber_given(sheet)) break; /* in the plane: across */
    TRY_DONE(fiber_axes(mesh, k ? sheet : fiber, k ? "sheet" : "fibre", setup->element_material, m, axis));
    for (int32_t e = 0; e < n; ++e) memcpy(own->axes[m][e] + 3 * k, axis[e], sizeof axis[e]);
  }
  for (int32_t e = 0; e < n; ++e) {
    double *R = own->axes[m][e];
    if (setup->element_material[first + e] != m) continue;
    if (!fiber_given(sheet)) R[3] = -R[1], R[4] = R[0];
    if (axes_complete(R)) continue;
    const ElementBlock *block = mesh_block_of(mesh, first + e);
    status =
        FAIL(ERR_INPUT, "a sheet lies along its fibre in element %lld\n  remedy: sheets that span a plane with fibres",
             (long long)block->tag[first + e - block->first]);
    goto done;
  }
  own->material[m].axes =
      (MaterialAxes){.kind = AXES_ELEMENT, .element = (const double(*)[9])own->axes[m], .first = first};
done:
  FREE(axis);
  return status;
}

Status setup_fibers(const Case *c, const Mesh *mesh, int32_t m, Setup *setup, Diagnostics *out) {
  const CaseAxes *given = &case_material(c, m)->axes;
  ElasticSetup *own = elastic_setup(setup);
  Expr fiber[3], sheet[3];
  if (given->fibers.rule.text) {
    if (!own->rule) ALLOC(own->rule, c->materials.n, "rules of fibres");
    fibers_bind_rule(mesh, &given->fibers, m, setup, &own->rule[m], out);
    if (own->rule[m].kind == RULE_ELLIPSOID) /* known at every point */
      own->material[m].axes =
          (MaterialAxes){.kind = AXES_PLACE, .at = ellipsoid_at, .context = &own->rule[m].ellipsoid};
    return OK;
  }
  const FiberSource fibers = fibers_source(&given->fibers, fiber), sheets = fibers_source(&given->sheets, sheet);
  const Status status = bind_sources(mesh, &fibers, &sheets, m, setup);
  if (status != ERR_INPUT && status != ERR_MESH) return status;
  char text[2048];
  snprintf(text, sizeof text, "%s", status_message());
  report_error(out, given->fibers.place, "%s", text);
  return OK;
}

static Status solve_rule(const Mesh *mesh, Exec *exec, int32_t m, Setup *setup) {
  LdrbFields fields = {0};
  Status status = fiber_rule_create(exec, &elastic_setup(setup)->rule[m], mesh, &fields);
  const FiberSource fiber = {.node = (const double(*)[3])fields.fiber},
                    sheet = {.node = (const double(*)[3])fields.sheet};
  if (status == OK) status = bind_sources(mesh, &fiber, &sheet, m, setup);
  ldrb_release(&fields);
  return status;
}

Status setup_fiber_rules(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup) {
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseFibers *given = &case_material(c, m)->axes.fibers;
    char where[1024];
    if (!given->rule.text || elastic_setup(setup)->rule[m].kind == RULE_ELLIPSOID) continue;
    const Status status = solve_rule(mesh, exec, m, setup);
    if (status != OK)
      return status_context(status, "while making the fibres of %s",
                            place_text(c->path, given->place, where, sizeof where));
  }
  return OK;
}
