#include "mesh/io/foreign.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* meshio: does that program read it? (version 5.3) */
static const struct Foreign {
  const char *ending, *what;
  int meshio;
} foreign[] = {
    {"xdmf", "an XDMF file", 1},       {"xmf", "an XDMF file", 1},         {"e", "an Exodus file", 1},
    {"exo", "an Exodus file", 1},      {"ex2", "an Exodus file", 1},       {"avs", "an AVS-UCD file", 1},
    {"fem", "an OptiStruct deck", 0},  {"cdb", "an Ansys archive", 0},     {"k", "an LS-DYNA deck", 0},
    {"key", "an LS-DYNA deck", 0},     {"pvtu", "a list of VTK files", 0}, {"vtp", "a VTK file of surfaces", 0},
    {"vtm", "a list of VTK files", 0}, {"pvd", "a list of VTK files", 0},  {"vtkhdf", "a VTK file in HDF5", 0},
    {"mphtxt", "a COMSOL mesh", 0},    {"mphbin", "a COMSOL mesh", 0},     {"sldprt", "a SolidWorks part", 0},
    {"ipt", "an Inventor part", 0},    {"catpart", "a CATIA part", 0},     {"fcstd", "a FreeCAD document", 0},
    {"dxf", "a drawing", 0},           {"py", "a Python program", 0},      {"yaml", "a YAML file, no mesh", 0},
};

Status foreign_check(const char *path) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  if (!dot || (slash && slash > dot)) return OK;
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; ++i) {
    const struct Foreign *f = &foreign[i];
    if (strcasecmp(dot + 1, f->ending)) continue;
    if (!f->meshio)
      return FAIL(ERR_MESH,
                  "%s: is %s, which neither Sinew nor Gmsh reads\n  write a .msh (Gmsh), .vtu, .bdf or .step file "
                  "with the program that made it",
                  path, f->what);
    return FAIL(
        ERR_MESH,
        "%s: is %s, which neither Sinew nor Gmsh reads\n  write a .msh (Gmsh), .vtu or .unv file with the program "
        "that made it, or convert it by meshio (pip install meshio), which keeps nodes, elements and data but not the "
        "names of sets:\n    meshio convert '%s' '%.*s.vtu'",
        path, f->what, path, (int)(dot - path), path);
  }
  return OK;
}
