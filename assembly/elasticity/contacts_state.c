/* What a step of bodies that touch leaves to the next, and to a checkpoint. */
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

#include <string.h>

/* What a checkpoint keeps. */
typedef struct ContactPart {
  void *at;
  int64_t bytes;
} ContactPart;
enum { CONTACT_PARTS = 9 };
static int contact_parts(Contact *c, ContactPart part[CONTACT_PARTS]) {
  const int64_t n = c->nodes.n, number = sizeof(double);
  Friction *f = &c->friction;
  const ContactPart all[CONTACT_PARTS] = {
      {&c->time, number},          {c->borne, N_BORNE * number}, {c->kept, n},          {c->seen, 2 * n * number},
      {c->across, 3 * n * number}, {f->from, 3 * n * number},    {f->path, n * number}, {f->grip, n},
      {f->force, 3 * n * number}};
  memcpy(part, all, sizeof all);
  return n == 0 ? 0 : f->any ? CONTACT_PARTS : CONTACT_PARTS - 2;
}

/* Where something slides there is room for all nodes that may come to touch. */
static int64_t parts_bytes(const Elasticity *p) {
  ContactPart part[CONTACT_PARTS];
  Contact c = p->contact;
  int64_t n = 0;
  if (p->slide.moved) c.nodes.n = p->slide.past.n, c.friction.any = true;
  for (int k = contact_parts(&c, part); k-- > 0;) n += part[k].bytes;
  return n;
}

int64_t contacts_bytes(const Elasticity *p) { return contacts_slide_bytes(p) + parts_bytes(p); }

Status contacts_commit(Elasticity *p) {
  if (p->contact.nodes.n) contact_commit(&p->contact);
  return contacts_keep(p);
}

Status contacts_keep(Elasticity *p) {
  ContactPart part[CONTACT_PARTS];
  const int n = contact_parts(&p->contact, part);
  if (!p->contact_kept && parts_bytes(p)) ALLOC(p->contact_kept, parts_bytes(p), "states of contact");
  uint8_t *to = p->contact_kept;
  for (int k = 0; k < n; to += part[k++].bytes) memcpy(to, part[k].at, (size_t)part[k].bytes);
  return OK;
}

static Status parts_restore(Elasticity *p, const uint8_t *host) {
  ContactPart part[CONTACT_PARTS];
  Contact *c = &p->contact;
  double time;
  const int n = contact_parts(c, part);
  if (!n) return OK;
  memcpy(&time, host, sizeof time);
  memcpy(c->kept, host + part[0].bytes + part[1].bytes, (size_t)part[2].bytes);
  TRY(contact_begin(c, time)); /* gaps are those that u was left with; it sets what sticks, too */
  for (int k = 0; k < n; host += part[k++].bytes) memcpy(part[k].at, host, (size_t)part[k].bytes);
  friction_keep(c);
  friction_apply(c);
  TRY(contacts_hold(p));
  return contacts_load(p);
}

Status elasticity_contact_back(Elasticity *p) { return p->contact_kept ? parts_restore(p, p->contact_kept) : OK; }

void contacts_save(const Elasticity *p, uint8_t *host) {
  contacts_slide_save(p, host);
  if (p->contact_kept) memcpy(host + contacts_slide_bytes(p), p->contact_kept, (size_t)parts_bytes(p));
}
Status contacts_restore(Elasticity *p, const uint8_t *host) { return parts_restore(p, host + contacts_slide_bytes(p)); }
