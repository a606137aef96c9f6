/* See msh_writer.h. */
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

const MshVariant msh_variants[N_MSH_VARIANTS] = {
    {"2.2 text", 22, false, false}, {"2.2 binary", 22, true, false}, {"2.2 binary, other byte order", 22, true, true},
    {"4.1 text", 41, false, false}, {"4.1 binary", 41, true, false}, {"4.1 binary, other byte order", 41, true, true}};

const char *const square_text =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n4\n0 9 \"corner\"\n1 2 \"left\"\n2 1 \"body\"\n2 3 \"two words\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 2 1 1e-30\n$EndNodes\n"
    "$Elements\n8\n1 15 2 9 1 1\n2 1 2 2 4 4 1\n3 1 2 7 2 5 6\n4 2 2 1 1 1 2 3\n5 2 2 3 1 1 2 3\n6 2 2 1 1 1 3 4\n"
    "7 3 2 1 2 2 5 6 3\n8 1 0 3 4\n$EndElements\n"
    "$NodeData\n1\n\"fiber\"\n1\n0.0\n3\n0\n3\n2\n1 1 0 0.25\n4 0 1 -1e-3\n$EndNodeData\n"
    "$ElementData\n1\n\"stiffness\"\n1\n0.0\n4\n0\n1\n3\n0\n4 10\n5 10\n7 20.5\n$EndElementData\n";

typedef struct Out {
  char *text;
  size_t size;
  FILE *to;
  const MshVariant *variant;
} Out;

static void put_bytes(Out *out, const void *value, size_t n) {
  const char *p = value;
  for (size_t i = 0; i < n; ++i) fputc(p[out->variant->swap ? n - 1 - i : i], out->to);
}
static void put_int(Out *out, int64_t value) {
  const int32_t v = (int32_t)value;
  if (out->variant->binary) put_bytes(out, &v, 4);
  else fprintf(out->to, "%d ", v);
}
static void put_size(Out *out, int64_t value) {
  if (out->variant->binary) put_bytes(out, &value, 8);
  else fprintf(out->to, "%lld ", (long long)value);
}
static void put_double(Out *out, double value) {
  if (out->variant->binary) put_bytes(out, &value, 8);
  else fprintf(out->to, "%.17g ", value);
}
static void end_line(Out *out) {
  if (!out->variant->binary) fputc('\n', out->to);
}

static int64_t node_tag(const Mesh *m, const MshWriterOptions *o, int32_t i) {
  return o->tag_step ? o->tag_step * i + 1 : m->node_tag[i];
}
static int64_t element_tag(const Mesh *m, const MshWriterOptions *o, int32_t e) {
  const ElementBlock *b = mesh_block_of(m, e);
  return o->tag_step ? o->tag_step * e + 1 : b->tag[e - b->first];
}

/* Bit g: element e is in group g. */
static uint64_t *memberships(const Mesh *m) {
  uint64_t *of = calloc((size_t)m->n_element + 1, sizeof *of);
  for (int32_t g = 0; g < m->n_group; ++g)
    for (int32_t i = 0; i < m->group[g].n; ++i) of[m->group[g].element[i]] |= (uint64_t)1 << g;
  return of;
}

static void write_22(Out *out, const Mesh *m, const MshWriterOptions *o, const uint64_t *of) {
  fprintf(out->to, "$Nodes\n%d\n", m->n_node);
  for (int32_t i = 0; i < m->n_node; ++i) {
    put_int(out, node_tag(m, o, i));
    for (int d = 0; d < 3; ++d) put_double(out, m->x[i][d]);
    end_line(out);
  }
  int64_t n = 0;
  for (int32_t e = 0; e < m->n_element; ++e) n += of[e] ? __builtin_popcountll(of[e]) : 1;
  fprintf(out->to, "%s$EndNodes\n$Elements\n%lld\n", out->variant->binary ? "\n" : "", (long long)n);
  for (int32_t e = 0; e < m->n_element; ++e) {
    const ElementType *type = element_type(mesh_block_of(m, e)->kind);
    for (int32_t g = 0; g < (m->n_group ? m->n_group : 1); ++g) {
      const bool in = m->n_group && (of[e] >> g & 1);
      if (!in && !(of[e] == 0 && g == 0)) continue;
      if (out->variant->binary) {
        put_int(out, type->gmsh_type), put_int(out, 1), put_int(out, 2), put_int(out, element_tag(m, o, e));
      } else {
        put_int(out, element_tag(m, o, e)), put_int(out, type->gmsh_type), put_int(out, 2);
      }
      put_int(out, in ? m->group[g].number : 0);
      put_int(out, 1);
      for (int32_t a = 0; a < type->n_node; ++a) put_int(out, node_tag(m, o, mesh_nodes_of(m, e)[a]));
      end_line(out);
    }
  }
  fprintf(out->to, "%s$EndElements\n", out->variant->binary ? "\n" : "");
}

/* Entities: one for every dimension and set of groups. */
typedef struct Entities {
  int32_t n, dim[256];
  uint64_t groups[256];
} Entities;

static int32_t entity_of(Entities *all, int32_t dim, uint64_t groups) {
  for (int32_t i = 0; i < all->n; ++i)
    if (all->dim[i] == dim && all->groups[i] == groups) return i;
  all->dim[all->n] = dim;
  all->groups[all->n] = groups;
  return all->n++;
}

static void write_entities(Out *out, const Mesh *m, const Entities *all) {
  fprintf(out->to, "$Entities\n");
  for (int32_t dim = 0; dim < 4; ++dim) {
    int64_t n = 0;
    for (int32_t i = 0; i < all->n; ++i) n += all->dim[i] == dim;
    put_size(out, n);
  }
  end_line(out);
  for (int32_t dim = 0; dim < 4; ++dim)
    for (int32_t i = 0; i < all->n; ++i) {
      if (all->dim[i] != dim) continue;
      put_int(out, i + 1);
      for (int k = 0; k < (dim ? 6 : 3); ++k) put_double(out, 0.5 * k);
      put_size(out, __builtin_popcountll(all->groups[i]));
      for (int32_t g = 0; g < m->n_group; ++g)
        if (all->groups[i] >> g & 1) put_int(out, g % 2 ? -m->group[g].number : m->group[g].number);
      if (dim) put_size(out, 1), put_int(out, -1);
      end_line(out);
    }
  fprintf(out->to, "%s$EndEntities\n", out->variant->binary ? "\n" : "");
}

static void write_41_nodes(Out *out, const Mesh *m, const MshWriterOptions *o) {
  const int32_t half = m->n_node / 2;
  fprintf(out->to, "$Nodes\n");
  put_size(out, 2), put_size(out, m->n_node), put_size(out, 1), put_size(out, 1000000), end_line(out);
  for (int b = 0; b < 2; ++b) {
    const int32_t from = b ? half : 0, to = b ? m->n_node : half;
    put_int(out, 2), put_int(out, 1), put_int(out, o->parametric), put_size(out, to - from), end_line(out);
    for (int32_t i = from; i < to; ++i) put_size(out, node_tag(m, o, i)), end_line(out);
    for (int32_t i = from; i < to; ++i) {
      for (int d = 0; d < 3; ++d) put_double(out, m->x[i][d]);
      if (o->parametric) put_double(out, 0.5), put_double(out, -1e300);
      end_line(out);
    }
  }
  fprintf(out->to, "%s$EndNodes\n", out->variant->binary ? "\n" : "");
}

static void write_41(Out *out, const Mesh *m, const MshWriterOptions *o, const uint64_t *of) {
  Entities all = {0};
  int32_t n_run = 0;
  for (int32_t e = 0; e < m->n_element; ++e) {
    const ElementBlock *b = mesh_block_of(m, e);
    entity_of(&all, element_type(b->kind)->dim, of[e]);
    n_run += e == b->first || of[e] != of[e - 1];
  }
  write_entities(out, m, &all);
  write_41_nodes(out, m, o);
  fprintf(out->to, "$Elements\n");
  put_size(out, n_run), put_size(out, m->n_element), put_size(out, 1), put_size(out, m->n_element), end_line(out);
  for (int32_t e = 0; e < m->n_element;) {
    const ElementBlock *b = mesh_block_of(m, e);
    const ElementType *type = element_type(b->kind);
    int32_t end = e + 1;
    while (end < b->first + b->n && of[end] == of[e]) ++end;
    put_int(out, type->dim), put_int(out, entity_of(&all, type->dim, of[e]) + 1), put_int(out, type->gmsh_type);
    put_size(out, end - e), end_line(out);
    for (; e < end; ++e) {
      put_size(out, element_tag(m, o, e));
      for (int32_t a = 0; a < type->n_node; ++a) put_size(out, node_tag(m, o, mesh_nodes_of(m, e)[a]));
      end_line(out);
    }
  }
  fprintf(out->to, "%s$EndElements\n", out->variant->binary ? "\n" : "");
}

static void write_field(Out *out, const Mesh *m, const MshWriterOptions *o, const MeshField *f) {
  const int32_t n = f->on_nodes ? m->n_node : m->n_element, c = f->n_component;
  int32_t given = 0;
  for (int32_t i = 0; i < n; ++i) given += !isnan(f->value[(int64_t)i * c]);
  const char *section = f->on_nodes ? "NodeData" : "ElementData";
  fprintf(out->to, "$%s\n1\n\"%s\"\n1\n0\n3\n0\n%d\n%d\n", section, f->name, c, given);
  for (int32_t i = 0; i < n; ++i) {
    if (isnan(f->value[(int64_t)i * c])) continue;
    put_int(out, f->on_nodes ? node_tag(m, o, i) : element_tag(m, o, i));
    for (int32_t k = 0; k < c; ++k) put_double(out, f->value[(int64_t)i * c + k]);
    end_line(out);
  }
  fprintf(out->to, "%s$End%s\n", out->variant->binary ? "\n" : "", section);
}

char *msh_write(const Mesh *m, const MshVariant *variant, const MshWriterOptions *options, size_t *size) {
  const MshWriterOptions plain = {0}, *o = options ? options : &plain;
  Out out = {.variant = variant};
  out.to = open_memstream(&out.text, &out.size);
  fprintf(out.to, "$MeshFormat\n%s %d 8\n", variant->format == 22 ? "2.2" : "4.1", variant->binary);
  if (variant->binary) put_int(&out, 1), fputc('\n', out.to);
  fprintf(out.to, "$EndMeshFormat\n$PhysicalNames\n%d\n", m->n_group);
  for (int32_t g = 0; g < m->n_group; ++g)
    fprintf(out.to, "%d %d \"%s\"\n", m->group[g].dim, m->group[g].number, m->group[g].name);
  fprintf(out.to, "$EndPhysicalNames\n");
  uint64_t *of = memberships(m);
  if (variant->format == 22) write_22(&out, m, o, of);
  else write_41(&out, m, o, of);
  free(of);
  for (int32_t f = 0; f < m->n_field; ++f) write_field(&out, m, o, &m->field[f]);
  fclose(out.to);
  *size = out.size;
  return out.text;
}

static char folder[256];

const char *temporary_path(const char *name) {
  static char path[64][512];
  static int turn;
  if (!folder[0]) {
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.200s/sinew-test-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) fail_msg("no temporary folder %s", folder);
    setenv("TMPDIR", folder, 1); /* what the product leaves behind would be seen here */
  }
  turn = (turn + 1) % 64;
  snprintf(path[turn], sizeof path[turn], "%s%s%s", folder, *name ? "/" : "", name);
  return path[turn];
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk) {
  (void)s, (void)kind, (void)walk;
  return remove(path);
}

int temporary_remove(void **state) {
  (void)state;
  if (folder[0]) nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  folder[0] = 0;
  return 0;
}

void put_file(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size) fail_msg("cannot write %s", path);
  fclose(file);
}

char *get_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("cannot read %s", path);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  if (fread(bytes, 1, *size, file) != *size) fail_msg("cannot read %s", path);
  bytes[*size] = 0;
  fclose(file);
  return bytes;
}

Status read_text(const char *text, Mesh **out) {
  const char *path = temporary_path("text.msh");
  put_file(path, text, strlen(text));
  return mesh_read_msh(path, out);
}

Mesh *mesh_of(const char *text) {
  Mesh *mesh;
  assert_ok(read_text(text, &mesh));
  return mesh;
}

int run_program(const char *program, ...) {
  char *arguments[32] = {(char *)(uintptr_t)program};
  va_list list;
  va_start(list, program);
  for (int i = 1; i < 31 && (arguments[i] = va_arg(list, char *)); ++i) {}
  va_end(list);
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_RDWR);
    dup2(null, 0), dup2(null, 1), dup2(null, 2);
    execvp(program, arguments);
    _exit(127);
  }
  int how;
  waitpid(child, &how, 0);
  return WIFEXITED(how) ? WEXITSTATUS(how) : 128;
}
