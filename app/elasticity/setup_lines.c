/* Lines through walls: where their points are in the mesh. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "core/memory.h"

static Status line_locate(const Mesh *mesh, const CaseProbe *probe, Location at[LINE_POINTS],
                          Diagnostics *diagnostics) {
  const double height = mesh->x[mesh_nodes_of(mesh, setup_first_solved(mesh))[0]][2];
  for (int i = 0; i < LINE_POINTS; ++i) {
    double x[3] = {0, 0, height};
    for (int32_t k = 0; k < probe->at.n && k < probe->to.n; ++k)
      x[k] = probe->at.value[k] + (probe->to.value[k] - probe->at.value[k]) * i / (LINE_POINTS - 1);
    TRY(mesh_locate(mesh, x, &at[i]));
    if (at[i].element >= 0) continue;
    report_error(diagnostics, probe->to.place,
                 "the line of probe '%s' leaves the mesh: (%g, %g, %g) lies %g outside of it\n"
                 "  remedy: 'at' and 'to' on the two sides of one wall",
                 probe->name.text ? probe->name.text : "", x[0], x[1], x[2], at[i].distance);
    break;
  }
  return OK;
}

Status setup_lines(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  const int32_t n = c->output.probes.n;
  TRY(mem_alloc(n, sizeof *own->line, "lines", (void **)(void *)&own->line));
  own->n_line = n;
  for (int32_t i = 0; i < n; ++i) {
    if (!case_probe(c, i)->to.n) continue;
    ALLOC(own->line[i], LINE_POINTS, "points of a line");
    TRY(line_locate(mesh, case_probe(c, i), own->line[i], diagnostics));
  }
  return OK;
}
