/* The tags of a .vtu file: its pieces and arrays. */
#include "core/memory.h"
#include "core/xml.h"
#include "mesh/io/vtu.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PIECES_MOST = 1 << 20 };

typedef struct Reading {
  Vtu *vtu;
  Xml xml;
  int32_t room_piece, room_array;
} Reading;

Status vtu_fail(const Vtu *vtu, const VtuArray *array, const char *format, ...) {
  char text[1500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return source_fail(&vtu->source, array->at, "array '%s': %s", array->name, text);
}

static int64_t byte_of(const Reading *r, int32_t node) { return r->xml.node[node].place.at - r->vtu->source.bytes; }

static Status syntax_fail(const void *reader, const XmlPlace *place, const char *message) {
  const TextSource *source = reader;
  return source_fail(source, place->at - source->bytes, "%s", message);
}

/* Whether the tag has the attribute; its value, cut after size - 1 characters. */
static bool tag_value(const Reading *r, int32_t node, const char *name, char *out, size_t size) {
  const Name value = xml_attribute(&r->xml, node, name);
  snprintf(out, size, "%.*s", value.n, value.text ? value.text : "");
  return value.text;
}

/* A whole number of at most 18 digits. */
static Status tag_number(const Reading *r, int32_t node, const char *name, int64_t missing, int64_t *out) {
  const Name tag = r->xml.node[node].name;
  char text[40];
  *out = missing;
  const bool there = tag_value(r, node, name, text, sizeof text);
  if (!there && missing >= 0) return OK;
  const size_t n = strlen(text);
  if (n == 0 || n > 18 || strspn(text, "0123456789") != n)
    return source_fail(&r->vtu->source, byte_of(r, node), "<%.*s> has %s=\"%s\", must be a whole number, 0 or more",
                       tag.n, tag.text, name, there ? text : "");
  *out = 0;
  for (const char *p = text; *p; ++p) *out = 10 * *out + (*p - '0');
  return OK;
}

static Status read_file_tag(const Reading *r) {
  Vtu *vtu = r->vtu;
  char text[80];
  const uint16_t one = 1;
  const bool little = *(const unsigned char *)&one == 1;
  if (!tag_value(r, 0, "type", text, sizeof text) || strcmp(text, "UnstructuredGrid") != 0)
    return source_fail(&vtu->source, byte_of(r, 0),
                       "holds type=\"%s\", must be UnstructuredGrid (one .vtu file)\n  write an unstructured grid: in "
                       "ParaView by the filter 'Append Datasets' or 'Merge Blocks', then File > Save Data",
                       text);
  tag_value(r, 0, "version", text, sizeof text);
  int major = 0, minor = 0;
  if (sscanf(text, "%4d.%4d", &major, &minor) == 2) vtu->version = 100 * major + minor;
  vtu->swap = tag_value(r, 0, "byte_order", text, sizeof text) && (strcmp(text, "LittleEndian") == 0) != little;
  vtu->head = tag_value(r, 0, "header_type", text, sizeof text) && strcmp(text, "UInt64") == 0 ? 8 : 4;
  if (*text && strcmp(text, "UInt64") != 0 && strcmp(text, "UInt32") != 0)
    return source_fail(&vtu->source, byte_of(r, 0), "header_type=\"%s\", must be UInt32 or UInt64", text);
  vtu->zlib = tag_value(r, 0, "compressor", text, sizeof text) && *text;
  if (vtu->zlib && strcmp(text, "vtkZLibDataCompressor") != 0)
    return source_fail(&vtu->source, byte_of(r, 0),
                       "is compressed by %s; zlib (vtkZLibDataCompressor) and no compression are understood\n  in "
                       "ParaView: File > Save Data, 'Compressor Type' ZLib or None",
                       text);
  return OK;
}

static VtuType type_of(const char *name) {
  static const struct {
    const char *name;
    VtuType type;
  } types[] = {{"Int8", {1, false, true}},    {"UInt8", {1, false, false}},  {"Int16", {2, false, true}},
               {"UInt16", {2, false, false}}, {"Int32", {4, false, true}},   {"UInt32", {4, false, false}},
               {"Int64", {8, false, true}},   {"UInt64", {8, false, false}}, {"Float32", {4, true, true}},
               {"Float64", {8, true, true}}};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (!strcmp(types[i].name, name)) return types[i].type;
  return (VtuType){0};
}

/* One text at most is an array's: before or behind what more its element holds. */
static Status read_text(const Reading *r, int32_t node, VtuArray *array) {
  for (int32_t k = r->xml.node[node].first; k >= 0; k = r->xml.node[k].next) {
    const XmlNode *text = &r->xml.node[k];
    if (text->name.n) continue;
    if (array->end > array->begin) return vtu_fail(r->vtu, array, "its numbers stand in two pieces; write them as one");
    array->begin = text->text - r->vtu->source.bytes;
    array->end = array->begin + text->n_text;
  }
  return OK;
}

static Status read_array_tag(Reading *r, int32_t node, VtuSection section) {
  Vtu *vtu = r->vtu;
  char text[40];
  if (vtu->n_array == r->room_array) {
    r->room_array = 2 * r->room_array + 16;
    RESIZE(vtu->array, r->room_array, "arrays of a VTK file");
  }
  VtuArray *array = &vtu->array[vtu->n_array++];
  *array = (VtuArray){.section = section, .at = byte_of(r, node)};
  tag_value(r, node, "Name", array->name, sizeof array->name);
  if (section == VTU_POINTS && !*array->name) memcpy(array->name, "Points", 7);
  tag_value(r, node, "type", text, sizeof text);
  array->type = type_of(text);
  TRY(tag_number(r, node, "NumberOfComponents", 1, &array->n_component));
  tag_value(r, node, "format", text, sizeof text);
  array->form = !strcmp(text, "appended") ? VTU_APPENDED : !strcmp(text, "binary") ? VTU_BASE64 : VTU_ASCII;
  if (*text && array->form == VTU_ASCII && strcmp(text, "ascii") != 0)
    return vtu_fail(vtu, array, "format=\"%s\", must be ascii, binary or appended", text);
  if (array->form == VTU_APPENDED) TRY(tag_number(r, node, "offset", -1, &array->offset));
  ++vtu->piece[vtu->n_piece - 1].n;
  return read_text(r, node, array);
}

static Status read_piece_tag(Reading *r, int32_t node) {
  static const char *const names[] = {"PointData", "CellData", "Points", "Cells"};
  Vtu *vtu = r->vtu;
  if (vtu->n_piece == PIECES_MOST)
    return source_fail(&vtu->source, byte_of(r, node), "more than %d pieces", PIECES_MOST);
  if (vtu->n_piece == r->room_piece) {
    r->room_piece = 2 * r->room_piece + 4;
    RESIZE(vtu->piece, r->room_piece, "pieces of a VTK file");
  }
  VtuPiece *piece = &vtu->piece[vtu->n_piece++];
  *piece = (VtuPiece){.at = byte_of(r, node), .first = vtu->n_array};
  TRY(tag_number(r, node, "NumberOfPoints", -1, &piece->n_point));
  TRY(tag_number(r, node, "NumberOfCells", -1, &piece->n_cell));
  for (int32_t k = xml_child(&r->xml, node, NULL, -1); k >= 0; k = xml_child(&r->xml, node, NULL, k))
    for (int i = 0; i < 4; ++i)
      for (int32_t a = name_is(r->xml.node[k].name, names[i]) ? xml_child(&r->xml, k, "DataArray", -1) : -1; a >= 0;
           a = xml_child(&r->xml, k, "DataArray", a))
        TRY(read_array_tag(r, a, (VtuSection)i));
  return OK;
}

/* The data run to the last end tag of the file: nothing else follows them. */
static Status read_appended_tag(const Reading *r, int32_t node) {
  Vtu *vtu = r->vtu;
  char text[20];
  tag_value(r, node, "encoding", text, sizeof text);
  vtu->appended_raw = strcmp(text, "raw") == 0;
  if (!vtu->appended_raw && strcmp(text, "base64") != 0)
    return source_fail(&vtu->source, byte_of(r, node), "<AppendedData> has encoding=\"%s\", must be raw or base64",
                       text);
  int64_t at = r->xml.node[node].text - vtu->source.bytes;
  while (at < vtu->source.size && xml_blank(vtu->source.bytes[at])) ++at;
  if (at >= vtu->source.size || vtu->source.bytes[at] != '_')
    return source_fail(&vtu->source, byte_of(r, node), "<AppendedData> does not begin with '_'; the file is damaged");
  vtu->appended = at + 1;
  vtu->appended_end = vtu->source.size;
  return OK;
}

static Status read_tags(Reading *r) {
  TextSource *source = &r->vtu->source;
  const XmlParams params = {source->bytes, source->size, "AppendedData", source, syntax_fail};
  TRY(xml_parse(&params, &r->xml));
  const Xml *xml = &r->xml;
  const Name root = xml->node[0].name;
  if (!name_is(root, "VTKFile"))
    return source_fail(source, byte_of(r, 0), "begins with <%.*s>, must be <VTKFile>", root.n, root.text);
  TRY(read_file_tag(r));
  for (int32_t grid = xml_child(xml, 0, "UnstructuredGrid", -1); grid >= 0;
       grid = xml_child(xml, 0, "UnstructuredGrid", grid))
    for (int32_t k = xml_child(xml, grid, "Piece", -1); k >= 0; k = xml_child(xml, grid, "Piece", k))
      TRY(read_piece_tag(r, k));
  const int32_t appended = xml_child(xml, 0, "AppendedData", -1);
  return appended >= 0 ? read_appended_tag(r, appended) : OK;
}

Status vtu_open(const char *path, Vtu *out) {
  *out = (Vtu){0};
  TRY(source_open(path, path, &out->source));
  Reading r = {.vtu = out};
  Status status = read_tags(&r);
  if (status == OK && out->n_piece == 0)
    status = source_fail(&out->source, 0, "holds no <Piece> of an unstructured grid");
  xml_release(&r.xml);
  if (status != OK) vtu_close(out);
  return status;
}

void vtu_close(Vtu *vtu) {
  source_close(&vtu->source);
  FREE(vtu->piece);
  FREE(vtu->array);
}

const VtuArray *vtu_array(const Vtu *vtu, const VtuPiece *piece, VtuSection section, const char *name) {
  for (int32_t i = piece->first; i < piece->first + piece->n; ++i)
    if (vtu->array[i].section == section && !strcmp(vtu->array[i].name, name)) return &vtu->array[i];
  return NULL;
}
