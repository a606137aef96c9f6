/* Reads a .msh file section by section: formats 2.2 and 4.1 of Gmsh, text and binary. Every count is checked against
 * the bytes left before anything is allocated, every number against what it may be. */
#include "core/memory.h"
#include "mesh/io/msh_raw.h"
#include "mesh/io/msh_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAVE_AS_41 "save it as 4.1 by: gmsh FILE -save -format msh41 -o NEW.msh"

/* After the line "$MeshFormat": version, text or binary, size of a number; in binary a one that shows the byte order.
 */
static Status read_format(TextSource *source, MshRaw *raw) {
  double version;
  int64_t binary, size, one;
  const int64_t at = source_here(source);
  TRY(source_text_double(source, "the format version", &version));
  TRY(source_text_int(source, "the file type", &binary));
  TRY(source_text_int(source, "the size of a number", &size));
  raw->format = fabs(version - 2.2) < 1e-9 ? 2 : fabs(version - 4.1) < 1e-9 ? 4 : 0;
  if (!raw->format) return source_fail(source, at, "format version %g; 2.2 and 4.1 are read; " SAVE_AS_41, version);
  if (binary != 0 && binary != 1)
    return source_fail(source, at, "file type %lld, must be 0 (text) or 1 (binary)", (long long)binary);
  if (size != 8) return source_fail(source, at, "numbers of %lld bytes, must be 8; " SAVE_AS_41, (long long)size);
  source->binary = binary == 1;
  if (!source->binary) return OK;
  source_next_line(source);
  const int64_t start = source->at;
  TRY(source_int(source, "the number one that shows the byte order", &one));
  source->swap = one == 0x01000000;
  if (one != 1 && !source->swap)
    return source_fail(source, start,
                       "the number that shows the byte order is %lld, must be 1; was the file copied as text? "
                       "copy it in binary mode, or save it as text",
                       (long long)one);
  return OK;
}

static Status read_names(TextSource *source, MshRaw *raw) {
  int64_t n, dim, number, length;
  const char *name;
  TRY(source_text_int(source, "the number of physical names", &n));
  TRY(source_check_count(source, source->at, "the number of physical names", n, 7));
  for (int64_t i = 0; i < n; ++i) {
    TRY(source_text_int(source, "the dimension of a physical group", &dim));
    const int64_t at = source->at;
    TRY(source_text_int(source, "the number of a physical group", &number));
    TRY(source_text_quoted(source, "the name of a physical group", &name, &length));
    if (dim < 0 || dim > 3)
      return source_fail(source, at, "a physical group of dimension %lld, must be 0 to 3", (long long)dim);
    if (number < -INT32_MAX || number > INT32_MAX)
      return source_fail(source, at, "physical group %lld, at most %d is supported", (long long)number, INT32_MAX);
    if (length > MSH_NAME_MOST)
      return source_fail(source, at, "a physical name of %lld characters, at most %d are supported", (long long)length,
                         MSH_NAME_MOST);
    if (memchr(name, 0, (size_t)length))
      return source_fail(source, at, "a physical name holds a zero byte; the file is damaged");
    TRY(msh_raw_group(raw, (int32_t)dim, (int32_t)(number < 0 ? -number : number), name, length));
  }
  return OK;
}

/* To behind "$EndNAME". */
static Status skip_section(TextSource *source, int64_t at) {
  char end[48] = "$End";
  strncat(end, source->section + 1, sizeof end - 5);
  const char *found = memmem(source->bytes + source->at, (size_t)(source->size - source->at), end, strlen(end));
  if (!found) return source_fail(source, at, "there is no %s; the file is cut off: write or copy it again", end);
  source->at = found - source->bytes;
  return OK;
}

/* One section whose name stands in source->section; the cursor is behind its line. Ends before "$End...". */
static Status read_section(TextSource *source, MshRaw *raw, int64_t at) {
  const char *name = source->section;
  const bool nodes = !strcmp(name, "$Nodes"), elements = !strcmp(name, "$Elements");
  if (!strcmp(name, "$MeshFormat"))
    return source_fail(source, at, "the section comes a second time; are two files joined?");
  if ((nodes && raw->has_nodes) || (elements && raw->has_elements))
    return source_fail(source, at, "the section comes a second time; the file is damaged");
  if (elements && !raw->has_nodes)
    return source_fail(source, at, "no section $Nodes comes before it, so its nodes are unknown; " SAVE_AS_41);
  if (!strcmp(name, "$PhysicalNames")) return read_names(source, raw);
  if (nodes) return raw->format == 2 ? msh2_nodes(source, raw) : msh4_nodes(source, raw);
  if (elements) return raw->format == 2 ? msh2_elements(source, raw) : msh4_elements(source, raw);
  if (!strcmp(name, "$Entities") && raw->format == 4) return msh4_entities(source, raw);
  if (!strcmp(name, "$PartitionedEntities"))
    return source_fail(source, at, "the mesh is partitioned; save it without partitions: Sinew partitions it itself");
  if (!strcmp(name, "$ParametricNodes"))
    return source_fail(source, at, "nodes with parameters; save them without (Mesh.SaveParametric = 0)");
  if (!strcmp(name, "$NodeData") || !strcmp(name, "$ElementData")) {
    bool skipped;
    TRY(msh_data(source, raw, name[1] == 'N', &skipped));
    if (!skipped) return OK;
  }
  return skip_section(source, at);
}

/* Reads the line "$Name" at the cursor into source->section. */
static Status begin_section(TextSource *source) {
  const int64_t at = source->at;
  const char *p = source->bytes + at, *end = source->bytes + source->size;
  int n = 0;
  while (p < end && (unsigned char)*p > ' ' && n < (int)sizeof source->section - 1) source->section[n++] = *p++;
  source->section[n] = 0;
  for (int i = 1; i < n; ++i)
    if ((unsigned char)source->section[i] > 126) n = 0;
  if (n < 2 || source->section[0] != '$' || (p < end && (unsigned char)*p > ' ')) {
    source->section[0] = 0;
    return source_fail(source, at, "a section was expected here, such as $Nodes; the file is damaged");
  }
  source_next_line(source);
  return OK;
}

static Status end_section(TextSource *source) {
  char end[48] = "$End";
  strncat(end, source->section + 1, sizeof end - 5);
  if (!source_take_word(source, end))
    return source_fail(source, source->at,
                       source->at < source->size
                           ? "%s was expected here; the section holds more than its head says, or is damaged"
                           : "the file ends before %s; it is cut off: write or copy it again",
                       end);
  source->section[0] = 0;
  return OK;
}

static Status read_sections(TextSource *source, MshRaw *raw) {
  if (source->size >= 3 && !memcmp(source->bytes, "\xef\xbb\xbf", 3)) source->at = 3; /* byte order mark of UTF-8 */
  source_skip_blanks(source);
  if (source_take_word(source, "$NOD")) return source_fail(source, source->at, "format version 1; " SAVE_AS_41);
  if (!source_take_word(source, "$MeshFormat"))
    return source_fail(source, source->at, "there is no $MeshFormat; this is not a .msh file of Gmsh");
  snprintf(source->section, sizeof source->section, "$MeshFormat");
  TRY(read_format(source, raw));
  TRY(end_section(source));
  for (;;) {
    source_skip_blanks(source);
    const int64_t at = source->at;
    if (at >= source->size) break;
    TRY(begin_section(source));
    TRY(read_section(source, raw, at));
    TRY(end_section(source));
  }
  if (!raw->has_nodes)
    return source_fail(source, source->at, "there is no section $Nodes, so the file holds no nodes; is it cut off?");
  if (!raw->has_elements)
    return source_fail(source, source->at,
                       "there is no section $Elements, so the file holds no elements; is it cut off?");
  return OK;
}

/* Closes the source. */
static Status read_source(TextSource *source, Mesh **out) {
  MshRaw raw = {0};
  Status status = read_sections(source, &raw);
  if (status == OK) status = msh_finish(&raw, source, source->label, out);
  msh_raw_destroy(&raw);
  source_close(source);
  return status;
}

Status msh_read(const char *path, const char *label, Mesh **out) {
  TextSource source;
  *out = NULL;
  TRY(source_open(path, label, &source));
  return read_source(&source, out);
}

Status msh_read_bytes(const char *bytes, int64_t size, const char *label, Mesh **out) {
  TextSource source = {.label = label, .size = size};
  *out = NULL;
  ALLOC(source.bytes, size + 1, "mesh file");
  memcpy(source.bytes, bytes, (size_t)size);
  return read_source(&source, out);
}

Status mesh_read_msh(const char *path, Mesh **out) { return msh_read(path, path, out); }
