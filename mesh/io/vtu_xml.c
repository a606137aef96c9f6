/* The tags of a .vtu file. Only what these files are made of is understood: elements, attributes, comments. */
#include "core/memory.h"
#include "mesh/io/vtu.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 16, PIECES_MOST = 1 << 20 };

typedef struct Tag {
  const char *name, *more; /* in the file: more are the attributes */
  int64_t at, end;         /* byte of '<', byte behind '>' */
  int32_t n_name, n_more;
  bool closes, empty; /* </name>, <name/> */
} Tag;

typedef struct Reading {
  Vtu *vtu;
  int32_t depth, room_piece, room_array;
  Tag open[DEPTH_MOST];
  VtuSection section;
  VtuArray *array; /* whose text is read */
} Reading;

Status vtu_fail(const Vtu *vtu, const VtuArray *array, const char *format, ...) {
  char text[1500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return source_fail(&vtu->source, array->at, "array '%s': %s", array->name, text);
}

static bool tag_is(const Tag *tag, const char *name) {
  return (int32_t)strlen(name) == tag->n_name && !memcmp(tag->name, name, (size_t)tag->n_name);
}

static bool xml_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Over a comment or a processing instruction at byte `at`; *at stays where there is none. */
static Status skip_remark(const TextSource *source, int64_t *at) {
  const char *p = source->bytes + *at;
  const char *stop = !strncmp(p, "<!--", 4) ? "-->" : !strncmp(p, "<?", 2) ? "?>" : NULL;
  if (!stop && p[1] == '!')
    return source_fail(source, *at, "'<!' does not begin a comment here; VTK files have no such declarations");
  if (!stop) return OK;
  const char *end = strstr(p, stop);
  if (!end) return source_fail(source, *at, "a comment has no end; the file was cut");
  *at = end + strlen(stop) - source->bytes;
  return OK;
}

/* The next tag at or behind byte `at`; name NULL: there is none. */
static Status next_tag(const TextSource *source, int64_t at, Tag *tag) {
  *tag = (Tag){0};
  const char *end = source->bytes + source->size, *p = NULL;
  for (int64_t before = -1; before != at;) {
    p = memchr(source->bytes + at, '<', (size_t)(source->size - at));
    if (!p) return OK;
    before = at = p - source->bytes;
    TRY(skip_remark(source, &at));
  }
  tag->at = at;
  tag->closes = p[1] == '/';
  tag->name = p + 1 + tag->closes;
  const char *q = tag->name;
  while (q < end && !xml_blank(*q) && *q != '>' && *q != '/' && *q != '<') ++q;
  tag->n_name = (int32_t)(q - tag->name < 1000 ? q - tag->name : 1000);
  tag->more = q;
  char quote = 0;
  for (; q < end && (quote || (*q != '>' && *q != '<')) && q - p < 100000; ++q)
    if (*q == '"' || *q == '\'') quote = quote == *q ? 0 : quote ? quote : *q;
  if (q >= end || *q != '>' || tag->n_name == 0) return source_fail(source, at, "a tag has no end; the file was cut");
  tag->empty = !tag->closes && q[-1] == '/';
  tag->n_more = (int32_t)(q - tag->more) - tag->empty;
  tag->end = q + 1 - source->bytes;
  return OK;
}

/* The five characters that XML writes as names. */
static void plain_text(char *text) {
  static const struct {
    const char *from;
    char to;
  } names[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  char *to = text;
  for (const char *p = text; *p; ++to) {
    *to = *p;
    size_t n = 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
      if (!strncmp(p, names[i].from, strlen(names[i].from))) *to = names[i].to, n = strlen(names[i].from);
    p += n;
  }
  *to = 0;
}

/* Whether the tag has the attribute; its value, cut after size - 1 characters. */
static bool tag_value(const Tag *tag, const char *name, char *out, size_t size) {
  const char *p = tag->more, *end = tag->more + tag->n_more;
  const size_t n = strlen(name);
  *out = 0;
  while (p < end) {
    while (p < end && xml_blank(*p)) ++p;
    const char *word = p;
    while (p < end && *p != '=' && !xml_blank(*p)) ++p;
    const size_t n_word = (size_t)(p - word);
    while (p < end && *p != '"' && *p != '\'') ++p;
    if (p >= end) return false;
    const char *text = p + 1, *stop = memchr(text, *p, (size_t)(end - text));
    if (!stop) return false;
    p = stop + 1;
    if (n_word != n || memcmp(word, name, n) != 0) continue;
    const size_t length = (size_t)(stop - text) < size - 1 ? (size_t)(stop - text) : size - 1;
    memcpy(out, text, length);
    out[length] = 0;
    plain_text(out);
    return true;
  }
  return false;
}

/* A whole number of at most 18 digits. */
static Status tag_number(const Vtu *vtu, const Tag *tag, const char *name, int64_t missing, int64_t *out) {
  char text[40];
  *out = missing;
  const bool there = tag_value(tag, name, text, sizeof text);
  if (!there && missing >= 0) return OK;
  const size_t n = strlen(text);
  if (n == 0 || n > 18 || strspn(text, "0123456789") != n)
    return source_fail(&vtu->source, tag->at, "<%.*s> has %s=\"%s\", must be a whole number, 0 or more", tag->n_name,
                       tag->name, name, there ? text : "");
  *out = 0;
  for (const char *p = text; *p; ++p) *out = 10 * *out + (*p - '0');
  return OK;
}

static Status read_file_tag(Vtu *vtu, const Tag *tag) {
  char text[80];
  const uint16_t one = 1;
  const bool little = *(const unsigned char *)&one == 1;
  if (!tag_value(tag, "type", text, sizeof text) || strcmp(text, "UnstructuredGrid") != 0)
    return source_fail(&vtu->source, tag->at,
                       "holds type=\"%s\", must be UnstructuredGrid (one .vtu file)\n  write an unstructured grid: in "
                       "ParaView by the filter 'Append Datasets' or 'Merge Blocks', then File > Save Data",
                       text);
  tag_value(tag, "version", text, sizeof text);
  int major = 0, minor = 0;
  if (sscanf(text, "%4d.%4d", &major, &minor) == 2) vtu->version = 100 * major + minor;
  vtu->swap = tag_value(tag, "byte_order", text, sizeof text) && (strcmp(text, "LittleEndian") == 0) != little;
  vtu->head = tag_value(tag, "header_type", text, sizeof text) && strcmp(text, "UInt64") == 0 ? 8 : 4;
  if (*text && strcmp(text, "UInt64") != 0 && strcmp(text, "UInt32") != 0)
    return source_fail(&vtu->source, tag->at, "header_type=\"%s\", must be UInt32 or UInt64", text);
  vtu->zlib = tag_value(tag, "compressor", text, sizeof text) && *text;
  if (vtu->zlib && strcmp(text, "vtkZLibDataCompressor") != 0)
    return source_fail(&vtu->source, tag->at,
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

static Status read_array_tag(Reading *r, const Tag *tag) {
  Vtu *vtu = r->vtu;
  char text[40];
  if (vtu->n_array == r->room_array) {
    r->room_array = 2 * r->room_array + 16;
    RESIZE(vtu->array, r->room_array, "arrays of a VTK file");
  }
  VtuArray *array = &vtu->array[vtu->n_array++];
  *array = (VtuArray){.section = r->section, .at = tag->at, .begin = tag->end, .end = tag->end};
  tag_value(tag, "Name", array->name, sizeof array->name);
  if (r->section == VTU_POINTS && !*array->name) memcpy(array->name, "Points", 7);
  tag_value(tag, "type", text, sizeof text);
  array->type = type_of(text);
  TRY(tag_number(vtu, tag, "NumberOfComponents", 1, &array->n_component));
  tag_value(tag, "format", text, sizeof text);
  array->form = !strcmp(text, "appended") ? VTU_APPENDED : !strcmp(text, "binary") ? VTU_BASE64 : VTU_ASCII;
  if (*text && array->form == VTU_ASCII && strcmp(text, "ascii") != 0)
    return vtu_fail(vtu, array, "format=\"%s\", must be ascii, binary or appended", text);
  if (array->form == VTU_APPENDED) TRY(tag_number(vtu, tag, "offset", -1, &array->offset));
  ++vtu->piece[vtu->n_piece - 1].n;
  r->array = tag->empty ? NULL : array;
  return OK;
}

static Status read_piece_tag(Reading *r, const Tag *tag) {
  Vtu *vtu = r->vtu;
  if (vtu->n_piece == PIECES_MOST) return source_fail(&vtu->source, tag->at, "more than %d pieces", PIECES_MOST);
  if (vtu->n_piece == r->room_piece) {
    r->room_piece = 2 * r->room_piece + 4;
    RESIZE(vtu->piece, r->room_piece, "pieces of a VTK file");
  }
  VtuPiece *piece = &vtu->piece[vtu->n_piece++];
  *piece = (VtuPiece){.at = tag->at, .first = vtu->n_array};
  TRY(tag_number(vtu, tag, "NumberOfPoints", -1, &piece->n_point));
  return tag_number(vtu, tag, "NumberOfCells", -1, &piece->n_cell);
}

/* The data run to the last end tag of the file: nothing else follows them. */
static Status read_appended_tag(Vtu *vtu, const Tag *tag) {
  char text[20];
  tag_value(tag, "encoding", text, sizeof text);
  vtu->appended_raw = strcmp(text, "raw") == 0;
  if (!vtu->appended_raw && strcmp(text, "base64") != 0)
    return source_fail(&vtu->source, tag->at, "<AppendedData> has encoding=\"%s\", must be raw or base64", text);
  int64_t at = tag->end;
  while (at < vtu->source.size && xml_blank(vtu->source.bytes[at])) ++at;
  if (at >= vtu->source.size || vtu->source.bytes[at] != '_')
    return source_fail(&vtu->source, tag->at, "<AppendedData> does not begin with '_'; the file is damaged");
  vtu->appended = at + 1;
  vtu->appended_end = vtu->source.size;
  return OK;
}

static VtuSection section_of(const Tag *tag) {
  static const char *const names[] = {"PointData", "CellData", "Points", "Cells"};
  for (int i = 0; i < 4; ++i)
    if (tag_is(tag, names[i])) return (VtuSection)i;
  return VTU_OTHER;
}

static Status open_tag(Reading *r, const Tag *tag) {
  const Tag *above = r->depth ? &r->open[r->depth - 1] : NULL;
  if (!above && !tag_is(tag, "VTKFile"))
    return source_fail(&r->vtu->source, tag->at, "begins with <%.*s>, must be <VTKFile>", tag->n_name, tag->name);
  if (!above) TRY(read_file_tag(r->vtu, tag));
  else if (tag_is(tag, "Piece") && tag_is(above, "UnstructuredGrid")) TRY(read_piece_tag(r, tag));
  else if (r->vtu->n_piece && tag_is(above, "Piece")) r->section = section_of(tag);
  else if (tag_is(tag, "DataArray") && r->section != VTU_OTHER) TRY(read_array_tag(r, tag));
  if (tag->empty) return OK;
  if (r->depth == DEPTH_MOST)
    return source_fail(&r->vtu->source, tag->at, "more than %d tags inside each other", DEPTH_MOST);
  r->open[r->depth++] = *tag;
  return OK;
}

static Status close_tag(Reading *r, const Tag *tag) {
  const TextSource *source = &r->vtu->source;
  const Tag *open = r->depth ? &r->open[r->depth - 1] : NULL;
  if (!open || open->n_name != tag->n_name || memcmp(open->name, tag->name, (size_t)tag->n_name) != 0)
    return source_fail(source, tag->at, "</%.*s> closes no open element; the file is damaged", tag->n_name, tag->name);
  if (tag_is(tag, "DataArray")) r->array = NULL;
  --r->depth;
  if (r->depth && tag_is(&r->open[r->depth - 1], "Piece")) r->section = VTU_OTHER;
  return OK;
}

/* The text of an array stands before or behind what more its element holds. */
static void note_text(Reading *r, int64_t from, int64_t to) {
  const char *bytes = r->vtu->source.bytes;
  if (!r->array || !tag_is(&r->open[r->depth - 1], "DataArray") || r->array->end > r->array->begin) return;
  while (from < to && xml_blank(bytes[from])) ++from;
  while (to > from && xml_blank(bytes[to - 1])) --to;
  r->array->begin = from;
  r->array->end = to;
}

static Status read_tags(Reading *r) {
  const TextSource *source = &r->vtu->source;
  int64_t at = 0;
  do {
    Tag tag;
    TRY(next_tag(source, at, &tag));
    if (!tag.name)
      return source_fail(source, source->size, "the file ends inside <%.*s>: it was cut, or is not a VTK file",
                         r->depth ? r->open[r->depth - 1].n_name : 7,
                         r->depth ? r->open[r->depth - 1].name : "VTKFile");
    if (tag_is(&tag, "AppendedData") && r->depth == 1) return read_appended_tag(r->vtu, &tag);
    if (r->depth) note_text(r, at, tag.at);
    TRY(tag.closes ? close_tag(r, &tag) : open_tag(r, &tag));
    at = tag.end;
  } while (r->depth);
  return OK;
}

Status vtu_open(const char *path, Vtu *out) {
  *out = (Vtu){0};
  TRY(source_open(path, path, &out->source));
  Reading r = {.vtu = out, .section = VTU_OTHER};
  Status status = read_tags(&r);
  if (status == OK && out->n_piece == 0)
    status = source_fail(&out->source, 0, "holds no <Piece> of an unstructured grid");
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
