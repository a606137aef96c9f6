/* A body that may touch rigid obstacles (assembly/contact/contact.h), as whoever solves it sees it. */
#pragma once
#include "assembly/contact/contact.h"
#include "assembly/elasticity/elasticity.h"
#include "assembly/elasticity/reaction_share.h"

/* Contact with obstacles. Values prescribed at a time are those of nodes that are closed, too. update: which are
 * closed at u, which follows; whether that changed. Where the residual, |r| of forces, is as large as what closed nodes press with, as
 * beside a surface that is much stiffer than the other, nothing changes yet. Not recordable. */
bool elasticity_touches(const Elasticity *elasticity);
Status elasticity_contact_update(Elasticity *elasticity, double residual, double *u, bool *changed);
/* Nodes that are held along their normals, by no equation. */
int64_t contacts_closed(const Elasticity *elasticity);
/* Small motions about the state: what is closed stays so, what sticks too, and what slides is free across its normal. Not recordable. */
Status elasticity_contact_freeze(Elasticity *elasticity);
/* Before a motion begins nothing is closed, also what touches: it may be going away. Not recordable. */
Status elasticity_contact_open(Elasticity *elasticity);
/* A step to a time begins in motion at u; first: before any, with the obstacles that are there. ERR_NUMERIC, with the place in the case: what
 * begins to be active there lies in the body. */
Status elasticity_contact_begins(Elasticity *elasticity, const double *u, double time, bool first);
/* Rates of motion: along the normals of nodes that are closed, and along the surface where they stick, so much of the velocity and of the acceleration of their
 * obstacles. Recordable where none carries. */
Status elasticity_contact_stop(Elasticity *elasticity, double velocity, double acceleration, double *v);
/* Closed nodes follow by equations, as those of bodies and of obstacles with friction; there is friction, and what it does to the body, in
 * the frames of nodes. */
bool elasticity_contact_follows(const Elasticity *elasticity);
/* In motion obstacles that move and rub carry nodes along: from elasticity_contact_say on, until surfaces are found anew, rates of these are what
 * vectors say. Not recordable. */
Status elasticity_contact_say(Elasticity *elasticity);
bool elasticity_contact_carries(const Elasticity *elasticity);
/* Friction of obstacle i on the body where it slides, now; and how far the obstacle has come since that time. */
void elasticity_contact_rubbed(const Elasticity *elasticity, int32_t i, double force[3]);
void elasticity_contact_way(const Elasticity *elasticity, int32_t i, double from, double way[3]);
bool elasticity_contact_rubs(const Elasticity *elasticity);
Status elasticity_contact_rub(Elasticity *elasticity, double *force);
/* Nodes that follow and have met an obstacle or a body in the last step, or meet a body in the step under way: out = velocities v of all
 * nodes in the global frame, with what these had `before` and have lost, of contact `of` (-1: any); whether there are some. */
typedef enum CaughtBy { CAUGHT_BY_OBSTACLE, CAUGHT_BY_BODY, CAUGHT_NOW } CaughtBy;
Status elasticity_contact_caught(Elasticity *elasticity, CaughtBy by, int32_t of, const double *before, const double *v,
                                 double *out, bool *any);
/* The velocity likewise, of those that met obstacle i (-1: any) in the last step, where it ended. */
Status elasticity_contact_arrive(const Elasticity *elasticity, int32_t i, double *v);
/* What forces in the global frame do at nodes that obstacles carry along, in directions in which these hold them, from a time on, in a step that
 * elasticity_commit has ended. stayed: only where they were held when it began. */
Status elasticity_contact_gives(const Elasticity *elasticity, const double *force, double from, bool stayed,
                                double *work);
/* Obstacles move; and the velocity of the i-th at the time that prescribed values were last asked for. */
bool elasticity_contact_moves(const Elasticity *elasticity);
void elasticity_contact_velocity(const Elasticity *elasticity, int32_t i, double velocity[3]);
/* A step whose surfaces were found anew makes the jumps of gaps but for a part of them. */
Status elasticity_contact_ease(Elasticity *elasticity, double part);
/* Why a step failed, with a node of contact that went on changing in it, if one did. */
Status elasticity_contact_unsettled(const Elasticity *elasticity, Status why);
/* On a curved obstacle what goes along it with velocity v is held with the acceleration of that, in elasticity_contact_stop. Not
 * recordable. */
Status elasticity_contact_bend(Elasticity *elasticity, const double *v);
/* Accelerations of nodes that follow what is found anew by the velocities that the step began with, so that it goes on along that in dt (0: that of
 * the last call), and of what follows these; global frame. any: there are some. Not recordable. */
Status elasticity_contact_swerve(Elasticity *elasticity, double dt, double *a, bool *any);
/* force = what a force in the global frame is along the normals of nodes that are held, in their own frames; and of those that follow,
 * less what they pass on. 0 elsewhere. Not recordable. */
Status elasticity_contact_borne(Elasticity *elasticity, const double *global, double *force);
Status elasticity_contact_borne_global(const Elasticity *elasticity, const double *force, double *global);
/* What a vector is to the frames of nodes: of displacements, with what supports prescribe; of velocities and what else is known of all
 * nodes; of forces, none where something is held. */
typedef enum SlideKind { SLIDE_PLACE, SLIDE_RATE, SLIDE_FORCE } SlideKind;
/* Where surfaces slide: a step between these times begins, and what is opposite to what is found anew at v[0], the displacement, with
 * bodies that slide on each other farther by that factor of how far they came in the step before, or of the velocity v[1] where it is a
 * SLIDE_RATE; where that is no place for surfaces, without. It and the other n - 1 vectors go on in the new frames of nodes. Pattern and hierarchy are others then:
 * elasticity_bind with a new matrix comes next, then elasticity_slid. ERR_INPUT: surfaces that cannot touch. */
bool elasticity_slides(const Elasticity *elasticity);
Status elasticity_slide(Elasticity *elasticity, const ElasticityParams *params, const double time[2], double factor,
                        int n, double *const *v, const SlideKind *kind);
Status elasticity_slid(Elasticity *elasticity);
/* Such a step ends, before elasticity_commit: how far bodies came in it. */
void elasticity_slide_end(Elasticity *elasticity);
/* The displacement that this step began at, [n_node] of the mesh, on the host. */
const double (*elasticity_slide_at(const Elasticity *elasticity))[3];
/* By how much the normals of a step at closed nodes differ from those of where it ends: of obstacles when it has ended, between
 * bodies after the elasticity_slide that follows. */
double elasticity_slide_turned(const Elasticity *elasticity, bool between);
/* Likewise, between bodies: the part of the forces of that step by which their sum is off (contact_lag). */
double elasticity_slide_lag(const Elasticity *elasticity);
/* The same at what a checkpoint says (elasticity_state_save); elasticity_bind and elasticity_state_restore come next. */
Status elasticity_slide_back(Elasticity *elasticity, const ElasticityParams *params, const void *host);
/* Sets and friction are those of the last step again, after one that failed. */
Status elasticity_contact_back(Elasticity *elasticity);
/* Of each obstacle, as of the last update or recovery; and of the whole run, updates that changed something. */
/* What followers of contact are given: NULL, their gaps; else rates, so much of velocities that they have at the start of a step (`swerve`), and of
 * velocities and accelerations of obstacles. */
typedef struct FollowerRates {
  double swerve, velocity, acceleration;
} FollowerRates;
Status contacts_switch_rates(Elasticity *elasticity, const FollowerRates *rates);
/* How much a checkpoint keeps of it: the time, and of each node whether it is closed and how it has slid. */
int64_t contacts_bytes(const Elasticity *elasticity);
int32_t elasticity_contacts(const Elasticity *elasticity);
/* States become those of the start, before anything is solved. */
Status elasticity_contact_start(Elasticity *elasticity);
ContactState elasticity_contact(const Elasticity *elasticity, int32_t i);
/* Behind a recovery of ELASTIC_CONTACT_FORCE: sum = what a group bears of these forces, or their moment. Of facets of contact the part that
 * they bear, so that groups that do not overlap add up; of a group of other dimension those of its nodes in full. */
typedef struct ContactSum {
  const Group *on;
  const MomentArm *arm; /* NULL: forces */
  double *sum;          /* [3] */
} ContactSum;
Status elasticity_contact_sum(const Elasticity *elasticity, const ContactSum *of);
/* Behind elasticity_contact_start, [n_node] each: 1 + the contact that a node takes part in, below 0 on the body opposite, 0: none; and its
 * gap, of the body opposite the least. */
void elasticity_contact_map(const Elasticity *elasticity, int32_t *entry, double *gap);
int64_t elasticity_contact_updates(const Elasticity *elasticity, int64_t *n_change);
