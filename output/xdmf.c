/* XDMF 2 with a temporal collection, in the few words that all readers understand alike. ParaView has two families:
 * Xdmf3 (S and T) drops fields given as HyperSlab items or functions of arrays (JOIN); Xdmf2, which PyVista and VTK
 * have too, does not know FILE:/PATH|start:stride:count:dims. Both take whole datasets, and binary numbers from a place
 * in a file: a step of a field is given so, as its numbers lie in one piece in results.hdf. Xdmf3 aborts where such a
 * place is beyond 4 GiB: steps there, and fields whose place is not known, are named in its own way and missing in the
 * other family. As there is no JOIN, values of cells cannot be repeated for the pieces of cubic ones: of these only
 * what is written once for the pieces is here. Attributes of several components that are no vector are matrices of one
 * row to everybody. */
#include "output/xdmf.h"
#include "output/cell_data.h"
#include "output/cells.h"

#include <inttypes.h>

static const int64_t SEEK_MOST = UINT32_MAX;
static const char TAIL[] = "    </Grid>\n  </Domain>\n</Xdmf>\n";

void xdmf_begin(Xdmf *xdmf) {
  *xdmf = (Xdmf){0};
  text_add(&xdmf->text, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n"
                        "    <Grid Name=\"Sinew\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
}

void xml_add(Text *text, const char *s) {
  for (; *s; ++s) {
    switch (*s) {
    case '&': text_add(text, "&amp;"); break;
    case '<': text_add(text, "&lt;"); break;
    case '>': text_add(text, "&gt;"); break;
    case '"': text_add(text, "&quot;"); break;
    default: text_add_bytes(text, s, 1);
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
             "results.hdf:/VTKHDF/Connectivity</DataItem>\n",
             layout->n_cell, n);
  }
  text_add(text,
           "        </Topology>\n        <Geometry GeometryType=\"XYZ\">\n"
           "          <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" Dimensions=\"%d 3\">"
           "results.hdf:/VTKHDF/Points</DataItem>\n        </Geometry>\n",
           layout->n_node);
}

/* A step of a field as numbers in the file from `place` on. */
static void add_binary(Text *text, const Layout *layout, const WriterField *field, int64_t n, int64_t place) {
  text_add(text,
           "          <DataItem Format=\"Binary\" Endian=\"Little\" Seek=\"%" PRId64
           "\" NumberType=\"Float\" Precision=\"%d\" "
           "Dimensions=\"%" PRId64,
           place, layout_number_bytes(layout), n);
  if (field->n_component == 3) text_add(text, " 3");
  if (field->n_component != 1 && field->n_component != 3) text_add(text, " 1 %d", field->n_component);
  text_add(text, "\">results.hdf</DataItem>\n");
}

/* The same as a part of its dataset. */
static void add_slice(Text *text, const Layout *layout, const WriterField *field, int64_t n, int64_t first) {
  const int64_t all = field->once ? n : n * layout->n_step;
  char path[FIELD_PATH];
  layout_field_path(field, path, sizeof path);
  text_add(text, "          <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"%d\" Dimensions=\"%" PRId64,
           layout_number_bytes(layout), n);
  if (field->n_component != 1) text_add(text, " %d", field->n_component);
  text_add(text, "\">results.hdf:");
  xml_add(text, path);
  if (all == n) { /* all of it: every reader knows that */
    text_add(text, "</DataItem>\n");
    return;
  }
  if (field->n_component == 1) text_add(text, "|%" PRId64 ":1:%" PRId64 ":%" PRId64, first, n, all);
  else
    text_add(text, "|%" PRId64 " 0:1 1:%" PRId64 " %d:%" PRId64 " %d", first, n, field->n_component, all,
             field->n_component);
  text_add(text, "</DataItem>\n");
}

static void begin_attribute(Text *text, const char *name, int32_t n_component, bool on_cells) {
  text_add(text, "        <Attribute Name=\"");
  xml_add(text, name);
  text_add(text, "\" AttributeType=\"%s\" Center=\"%s\">\n",
           n_component == 1   ? "Scalar"
           : n_component == 3 ? "Vector"
                              : "Matrix",
           on_cells ? "Cell" : "Node");
}

static void add_field(Text *text, const Layout *layout, int32_t f, int64_t k) {
  const WriterField *field = &layout->field[f];
  const int64_t n = layout_rows(layout, field), first = field->once ? 0 : k * n;
  const int64_t place = layout->place[f] + first * field->n_component * layout_number_bytes(layout);
  begin_attribute(text, field->name, field->n_component, field->on_cells);
  if (layout->place[f] >= 0 && place <= SEEK_MOST) add_binary(text, layout, field, n, place);
  else add_slice(text, layout, field, n, first);
  text_add(text, "        </Attribute>\n");
}

static void add_cell_data(Text *text, const Layout *layout) {
  for (int k = 0; k < CELL_DATA; ++k) {
    char path[FIELD_PATH];
    cell_data_path(layout, k, path, sizeof path);
    begin_attribute(text, cell_data_name[k], 1, true);
    text_add(text,
             "          <DataItem Format=\"HDF\" NumberType=\"Int\" Precision=\"%d\" Dimensions=\"%" PRId64
             "\">results.hdf:%s</DataItem>\n        </Attribute>\n",
             cell_data_bytes[k], layout->n_shown, path);
  }
}

void xdmf_step(Xdmf *xdmf, const Layout *layout, int64_t k, double time) {
  Text *text = &xdmf->text;
  text_add(text, "      <Grid Name=\"mesh\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", time);
  add_topology(text, layout);
  const bool pieces = layout->n_shown != layout->n_cell;
  for (int32_t f = 0; f < layout->n_field; ++f)
    if (!(pieces && layout->field[f].on_cells)) add_field(text, layout, f, k);
  add_cell_data(text, layout);
  text_add(text, "      </Grid>\n");
}

Status xdmf_save(Xdmf *xdmf, const char *path) {
  const int64_t n = xdmf->text.n;
  text_add(&xdmf->text, "%s", TAIL);
  const Status status = text_save(&xdmf->text, path, false);
  text_cut(&xdmf->text, n);
  return status;
}

void xdmf_release(Xdmf *xdmf) { text_release(&xdmf->text); }
