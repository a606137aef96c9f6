/* MshRaw: what the sections of a .msh file say, in the order of the file, before it becomes a Mesh (msh_finish.c). */
#pragma once
#include "mesh/mesh.h"
#include "core/text_source.h"
#include "mesh/tag_map.h"

enum { MSH_NAME_MOST = 1000 }; /* characters of a physical name or field */

/* Elements of one kind. */
typedef struct MshElements {
  int32_t n, room;
  int32_t *nodes; /* owned, [n][n_node], indices */
  int64_t *tag;   /* owned, [n] */
  int32_t *owner; /* owned, [n]: format 2: number of the physical group, 0 none; format 4: index of the entity */
} MshElements;

/* A physical group that the file names or uses. */
typedef struct MshGroup {
  int32_t dim, number;
  char *name; /* owned, NULL when unnamed */
} MshGroup;

/* A geometric entity of format 4 and the physical groups it is in. */
typedef struct MshEntity {
  int32_t dim, tag;
  int32_t first, n; /* in MshRaw.physical */
  bool listed;      /* by $Entities */
} MshEntity;

typedef struct MshData {
  char *name; /* owned */
  bool on_nodes;
  int32_t n_component, n;
  int64_t *tag;  /* owned, [n] */
  double *value; /* owned, [n][n_component] */
  int64_t at;    /* byte of the section, for messages */
} MshData;

typedef struct MshUnsupported {
  int32_t gmsh_type, n;
  int64_t at; /* byte of the first one */
} MshUnsupported;

enum { MSH_PART_GROUPS = 64 };

/* What is noted while items are read; each part of a section that threads read has its own. */
typedef struct MshNotes {
  SourceList not_finite;        /* nodes with NaN or infinite coordinates */
  SourceList missing, repeated; /* element refers to a node that is not there; node twice in an element */
  int64_t n_tag, first_tag, last_tag;
  bool falling;    /* an element's number is not above that of the one before */
  int32_t n_group; /* format 2: groups of elements; one more than there is room for: too many */
  struct {
    int32_t dim, number;
  } group[MSH_PART_GROUPS];
  int32_t count[N_ELEMENT_KINDS]; /* elements of each kind, where lines tell them apart */
} MshNotes;

typedef struct MshRaw {
  int32_t format; /* 2 or 4 */
  bool has_nodes, has_elements, has_entities;
  int32_t n_node, n_group, n_entity, n_physical, n_data, n_unsupported;
  int32_t room_group, room_entity, room_physical, room_data;
  int64_t *node_tag; /* owned, [n_node] */
  double (*x)[3];    /* owned, [n_node] */
  int64_t *node_at;  /* owned, [n_node], byte of its number, for messages; only while $Nodes is read */
  TagMap node_of;    /* of node_tag */
  MshElements list[N_ELEMENT_KINDS];
  int64_t elements_at;  /* byte of $Elements */
  bool bare;            /* prisms or pyramids have nodes that are left out */
  MshGroup *group;      /* owned */
  bool entity_unsorted; /* Gmsh writes entities sorted by dimension and number, then they are found quickly */
  MshEntity *entity;    /* owned */
  int32_t *physical;    /* owned */
  MshData *data;        /* owned */
  MshUnsupported unsupported[16];
  MshNotes notes; /* of the whole file; element tags that never fall cannot be twice */
} MshRaw;

void msh_raw_destroy(MshRaw *raw);

/* Makes room for one more of `size` bytes in the array *p of n. */
Status msh_room(void **p, int32_t n, int32_t *room, size_t size, const char *what);
/* Room for n more elements of a kind. */
Status msh_raw_reserve(MshRaw *raw, ElementKind kind, int32_t n);
/* Element i of its kind, with the node tags of the file (n_node of the kind); notes missing and repeated nodes. Room
 * must be there. `at` is its place. */
typedef struct MshElement {
  ElementKind kind;
  int32_t i, owner;
  int64_t tag, at;
} MshElement;
void msh_raw_element(MshRaw *raw, const MshElement *element, const int64_t *node_tags, MshNotes *notes);
/* Notes a group; name may be NULL (length 0 too). Repeated notes are sorted out at the end. */
Status msh_raw_group(MshRaw *raw, int32_t dim, int32_t number, const char *name, int64_t length);
/* Index of the entity, added when new. */
Status msh_raw_entity(MshRaw *raw, int32_t dim, int32_t tag, int32_t *index);
/* Counts elements of a type that Sinew has no element for; gives their number of nodes, 0 when that is unknown. */
Status msh_raw_unsupported(MshRaw *raw, const TextSource *source, int64_t at, int64_t gmsh_type, int64_t n,
                           int32_t *n_node);
/* The kind of a Gmsh type, NULL when Sinew has none, and how many nodes the file gives: the kind's are the first. */
const ElementType *msh_raw_type(MshRaw *raw, int64_t gmsh_type, int32_t *n_node);
/* Leaves out nodes inside of faces and elements where prisms or pyramids have some. */
Status msh_raw_bare(MshRaw *raw);
/* Allocates n_node nodes (count already checked). */
Status msh_raw_nodes(MshRaw *raw, int64_t n);
/* Reads the number of node i and notes its place; 1 or more. */
Status msh_raw_node_tag(MshRaw *raw, TextSource *source, int64_t i, bool wide);
/* Reads the coordinates of node i. */
Status msh_raw_node_x(MshRaw *raw, TextSource *source, int64_t i, MshNotes *notes);
/* After the last node: NaN and infinite coordinates, duplicate tags; makes node_of. */
Status msh_raw_check_nodes(MshRaw *raw, const TextSource *source);
/* After the last element: unsupported types, missing and repeated nodes. */
Status msh_raw_check_elements(const MshRaw *raw, const TextSource *source);

/* ---- msh_items.c: items that all threads read ---- */
/* Reads items [begin, end) at the cursor. Touches nothing that belongs to other items. */
typedef Status (*MshItems)(TextSource *source, void *context, int64_t begin, int64_t end, MshNotes *notes);
/* A section in parts. */
typedef struct MshParts {
  int n;
  int64_t *start;  /* owned, [n + 1], where they begin and the last one ends */
  MshNotes *notes; /* owned, [n] */
} MshParts;
/* n items of `bytes` bytes, in text of a line each, behind the cursor. Where one part is enough: parts->n is 1. */
Status msh_parts_create(TextSource *source, int64_t n, int64_t bytes, MshParts *out);
void msh_parts_destroy(MshParts *parts);
/* Whether all parts were read without anything to tell, each up to the next; *end: where the last one ended. What
 * failed must be read again by one thread, for its message. */
bool msh_parts_read(const TextSource *source, MshParts *parts, int64_t n, MshItems items, void *context, int64_t *end);
/* Reads n items and moves behind them: by all threads, and where there is something to tell, in order. */
Status msh_items_read(MshRaw *raw, TextSource *source, int64_t n, int64_t bytes, MshItems items, void *context);
/* Adds the notes of a part that follows, which has nothing to tell. */
Status msh_notes_join(MshRaw *raw, const MshNotes *part);

/* Sections by format; the cursor stands behind the section's own line. */
Status msh2_nodes(TextSource *source, MshRaw *raw);
Status msh2_elements(TextSource *source, MshRaw *raw);
Status msh4_entities(TextSource *source, MshRaw *raw);
Status msh4_nodes(TextSource *source, MshRaw *raw);
Status msh4_elements(TextSource *source, MshRaw *raw);
Status msh_data(TextSource *source, MshRaw *raw, bool on_nodes, bool *skipped);

/* Of a mesh of format 4 without groups: number and extents of each volume and surface (surface and curve in 2D), a line
 * each that begins with a line feed; else NULL. Owned by the caller. */
Status msh_outline(const MshRaw *raw, int32_t dim, char **out);
/* Groups, merged duplicates of format 2, blocks and fields: the Mesh. Takes the arrays that it can keep out of raw. */
Status msh_finish(MshRaw *raw, const TextSource *source, const char *path, Mesh **out);
