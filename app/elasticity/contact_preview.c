/* What may touch before anything is solved: as lines of `sinew check`, and drawn. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "app/input/physics.h"
#include "assembly/elasticity/contacts.h"
#include "core/memory.h"
#include "output/folder.h"
#include "output/wording.h"
#include "output/writer.h"

#include <math.h>
#include <stdio.h>

/* Of nodes of the mesh, owned. */
typedef struct Preview {
  const Elasticity *e;
  const Mesh *mesh;
  int32_t *entry; /* elasticity_contact_map */
  double *gap;
} Preview;

static void print_pairs(const Case *c, Elasticity *e) {
  char n[32], text[UNIT_BYTES + 1];
  Units units;
  units_of_case(c, &units);
  const char *unit = unit_behind(&units, UNIT_LENGTH, text);
  printf("# contact\n");
  for (int32_t i = 0; i < elasticity_contacts(e); ++i) {
    const ContactState s = elasticity_contact(e, i);
    const CaseContact *contact = case_contact_at(c, i, NULL);
    const bool between = contact->against.group.n > 0;
    printf("%s against %s: %s nodes", contact->on.item[0].text,
           between ? contact->against.group.item[0].text : "its obstacle", count_text(s.n, n));
    if (between) printf(" within %.4g%s", s.reach, unit);
    printf(", %s touch at the start", count_text(s.n_closed, n));
    if (isfinite(s.gap)) printf(", the others are %.4g%s away or more", s.gap, unit);
    if (s.penetration > 0) printf(", %.4g%s deep at most", s.penetration, unit);
    printf("; facets of %.4g%s\n", s.size, unit);
  }
}

static int32_t part_of(const Elasticity *e, int32_t node) {
  const int32_t *part = elasticity_part_of_node(e);
  return part ? part[node] : 0;
}

/* What nothing but joints holds, by name, and whether contact does so from the start. */
static void print_parts(const Preview *v) {
  char n[32];
  for (int32_t i = 0; i < elasticity_part_count(v->e); ++i) {
    const BodyPart *part = elasticity_part(v->e, i);
    int32_t reached = 0, closed = 0;
    if (!part->n_free) continue;
    for (int32_t k = 0; k < v->mesh->n_node; ++k) {
      if (!v->entry[k] || part_of(v->e, k) != i) continue;
      ++reached, closed += !(v->gap[k] > 0);
    }
    printf(
        "part %d (around (%g, %g, %g)%s%s) is held by what joins it to others alone, by contact where that is closed: ",
        i + 1, part->center[0], part->center[1], part->center[2], part->groups[0] ? ", groups " : "", part->groups);
    if (!reached) printf("nothing of it is within reach\n");
    else printf("%s nodes at the start%s\n", count_text(closed, n), closed ? "" : ", so that a force moves it off");
  }
}

/* Nodes: the contact, below 0 on the body opposite; the gap, -1 where there is none; the part; 1 where contact alone holds it. */
static Status draw(const Inspection *k, const Preview *v) {
  enum { CONTACT, GAP, PART, HELD, FIELDS };
  static const char *const name[FIELDS] = {"contact", "contact-gap", "part", "held-by-contact"};
  WriterField field[FIELDS] = {{0}};
  double *value[FIELDS] = {NULL};
  OutputFolder *folder = NULL;
  Writer *writer = NULL;
  Status status = OK;
  for (int f = 0; f < FIELDS; ++f) {
    field[f] = (WriterField){.name = name[f], .n_component = 1};
    ALLOC_DONE(value[f], v->mesh->n_node, "a preview of contact");
  }
  for (int32_t i = 0; i < v->mesh->n_node; ++i) {
    const int32_t part = part_of(v->e, i);
    value[CONTACT][i] = v->entry[i];
    value[GAP][i] = v->entry[i] && isfinite(v->gap[i]) ? v->gap[i] : -1;
    value[PART][i] = part + 1;
    value[HELD][i] = part >= 0 && elasticity_part(v->e, part)->n_free > 0;
  }
  const WriterParams params = {.folder = k->draw,
                               .mesh = v->mesh,
                               .n_field = FIELDS,
                               .field = field,
                               .n_step = 1,
                               .overwrite = k->overwrite,
                               .case_text = k->c->text};
  TRY_DONE(output_folder_open(k->draw, &folder));
  TRY_DONE(writer_create(&params, &writer));
  status = writer_step(writer, 0, (const double *const *)value);
done:
  if (writer) {
    const Status closed = writer_close(&writer);
    status = status == OK ? closed : status;
  }
  output_folder_close(&folder);
  for (int f = 0; f < FIELDS; ++f) FREE(value[f]);
  return status;
}

Status contact_preview(Inspection *k, Elasticity *e) {
  Preview v = {.e = e, .mesh = k->mesh};
  Status status = OK;
  if (!elasticity_contacts(e) || (k->quiet && !k->draw)) return OK;
  TRY(elasticity_contact_start(e));
  ALLOC_DONE(v.entry, k->mesh->n_node, "a preview of contact");
  ALLOC_DONE(v.gap, k->mesh->n_node, "a preview of contact");
  elasticity_contact_map(e, v.entry, v.gap);
  finite_contact_doubt(k->c, e);
  if (!k->quiet) print_pairs(k->c, e);
  if (!k->quiet) print_parts(&v);
  if (k->draw) TRY_DONE(draw(k, &v));
  k->drawn = k->draw != NULL;
  if (!k->quiet && k->draw) printf("drawn in %s: 'sinew plot %s --field contact-gap', or ParaView\n", k->draw, k->draw);
  if (!k->quiet) printf("\n");
done:
  FREE(v.entry);
  FREE(v.gap);
  return status;
}
