/* XDMF 2 with a temporal collection. Arrays are named as FILE:/PATH|start:stride:count:dims, because ParaView's default
 * reader drops fields that are given as HyperSlab items. It drops functions of arrays (JOIN) too, so that values of
 * cells cannot be repeated for the pieces of cubic ones: such a mesh has fields at nodes only here. */
#include "output/xdmf.h"
#include "output/cells.h"

#include <inttypes.h>

static const char TAIL[] = "    </Grid>\n  </Domain>\n</Xdmf>\n";

void xdmf_begin(Xdmf *xdmf) {
  *xdmf = (Xdmf){0};
  text_add(&xdmf->text, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n"
                        "    <Grid Name=\"Sinew\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
}

static void add_escaped(Text *text, const char *s) {
  for (; *s; ++s) {
    switch (*s) {
    case '&':
      text_add(text, "&amp;");
      break;
    case '<':
      text_add(text, "&lt;");
      break;
    case '>':
      text_add(text, "&gt;");
      break;
    case '"':
      text_add(text, "&quot;");
      break;
    default:
      text_add_bytes(text, s, 1);
    }
  }
}

static void add_topology(Text *text, const Layout *layout) {
  const bool mixed = cells_need_topology(layout);
  text_add(text, "        <Topology TopologyType=\"%s\" NumberOfElements=\"%" PRId64 "\">\n",
           mixed ? "Mixed" : element_type(layout->kind)->xdmf_name, layout->n_shown);
  if (mixed) {
    text_add(text,
             "          <DataItem Format=\"HDF\" NumberType=\"Int\" Precision=\"8\" Dimensions=\"%" PRId64
             "\">results.hdf:/Sinew/topology</DataItem>\n",
             layout->n_topology);
  } else {
    const int32_t n = element_type(layout->kind)->n_node;
    text_add(text,
             "          <DataItem Format=\"HDF\" NumberType=\"Int\" Precision=\"8\" Dimensions=\"%d %d\">"
             "results.hdf:/VTKHDF/Connectivity|0:1:%" PRId64 ":%" PRId64 "</DataItem>\n",
             layout->n_cell, n, layout->n_connectivity, layout->n_connectivity);
  }
  text_add(text,
           "        </Topology>\n        <Geometry GeometryType=\"XYZ\">\n"
           "          <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" Dimensions=\"%d 3\">"
           "results.hdf:/VTKHDF/Points</DataItem>\n        </Geometry>\n",
           layout->n_node);
}

static void add_field(Text *text, const Layout *layout, const WriterField *field, int64_t k) {
  const int64_t n = layout_rows(layout, field), first = field->once ? 0 : k * n;
  const int64_t all = field->once ? n : n * layout->n_step;
  char path[FIELD_PATH];
  layout_field_path(field, path, sizeof path);
  const char *type = field->n_component == 1 ? "Scalar" : field->n_component == 3 ? "Vector" : "Matrix";
  text_add(text, "        <Attribute Name=\"");
  add_escaped(text, field->name);
  text_add(text,
           "\" AttributeType=\"%s\" Center=\"%s\">\n          <DataItem Format=\"HDF\" NumberType=\"Float\" "
           "Precision=\"8\" ",
           type, field->on_cells ? "Cell" : "Node");
  if (field->n_component == 1)
    text_add(text, "Dimensions=\"%" PRId64 "\">results.hdf:", n);
  else
    text_add(text, "Dimensions=\"%" PRId64 " %d\">results.hdf:", n, field->n_component);
  add_escaped(text, path);
  if (field->n_component == 1)
    text_add(text, "|%" PRId64 ":1:%" PRId64 ":%" PRId64, first, n, all);
  else
    text_add(text, "|%" PRId64 " 0:1 1:%" PRId64 " %d:%" PRId64 " %d", first, n, field->n_component, all,
             field->n_component);
  text_add(text, "</DataItem>\n        </Attribute>\n");
}

void xdmf_step(Xdmf *xdmf, const Layout *layout, int64_t k, double time) {
  Text *text = &xdmf->text;
  text_add(text, "      <Grid Name=\"mesh\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", time);
  add_topology(text, layout);
  const bool pieces = layout->n_shown != layout->n_cell;
  for (int32_t f = 0; f < layout->n_field; ++f)
    if (!(pieces && layout->field[f].on_cells)) add_field(text, layout, &layout->field[f], k);
  text_add(text, "      </Grid>\n");
}

Status xdmf_save(Xdmf *xdmf, const char *path) {
  const int64_t n = xdmf->text.n;
  text_add(&xdmf->text, "%s", TAIL);
  const Status status = text_save(&xdmf->text, path, false);
  text_cut(&xdmf->text, n);
  return status;
}

void xdmf_release(Xdmf *xdmf) {
  text_release(&xdmf->text);
}
