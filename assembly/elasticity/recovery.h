/* A recovery under way: arrays on the Exec and the snapshot that its fields come to the host in. Between recover.c and
 * recover_stress.c. */
#pragma once
#include "assembly/elasticity/elasticity_data.h"

/* Totals: the energy, and how many numbers of each field at nodes are not finite. */
enum {
  RECOVERY_ENERGY,
  RECOVERY_ERROR,
  RECOVERY_SQUARE,
  RECOVERY_NOT_FINITE,
  RECOVERY_TOTALS = RECOVERY_NOT_FINITE + N_ELASTIC_FIELDS,
  RECOVERY_ARRAYS = 2 * ELEMENT_SET_BLOCKS + 20
};

typedef struct RecoveryArray {
  void *p;
  int64_t bytes;
} RecoveryArray;

struct ElasticRecovery {
  Exec *exec; /* borrowed */
  FieldBits which;
  bool unstressed; /* nobody reads a stress or an energy of it */
  size_t bytes;
  ExecSnapshot *snapshot;                                   /* owned; the next three are parts of it */
  double *field[N_ELASTIC_FIELDS], *host[N_ELASTIC_FIELDS]; /* NULL: not asked for */
  double *totals, *host_totals;                             /* [RECOVERY_TOTALS] */
  /* on the Exec, of the list of arrays below */
  int32_t *to; /* the mesh's number of a node; NULL: the same */
  double *raw; /* [n_dof] */
  double *point, *volume, *energy;
  double *strain, *piola;                     /* [n_point][6]; NULL: not asked for */
  double *fiber;                              /* [n_point]; likewise */
  double *error, *error_share, *error_square; /* [n_solved]; NULL: no estimate of the error */
  StressEnergy *compliance;                   /* [n_material] */
  double *error_most;                         /* [n_run], as error_where */
  int32_t *error_where, *row_of;
  int64_t n_run;
  double *seen; /* [6 n_node] of the halo's too, where ranks share: averages of one material */
  int64_t n_point, first_point[ELEMENT_SET_BLOCKS];
  uint8_t *finite;    /* [2][n_material], at small strains and at large ones */
  Strength *strength; /* the same; NULL: no safety factor is asked for */
  double *frame;      /* axes of materials and, [n_solved], RecoverBlock.frame_row; NULL: nothing is in these */
  int32_t *frame_row;
  RecoverBlock block[ELEMENT_SET_BLOCKS], *exec_block;
  int32_t *others; /* [n_row of the nodes' gather]; NULL: one material */
  int32_t n_array;
  RecoveryArray array[RECOVERY_ARRAYS]; /* owned */
};

/* Memory of the Exec that goes with the recovery. ERR_MEMORY, ERR_GPU. */
Status recovery_alloc(ElasticRecovery *r, int64_t n, size_t size, const char *what, void **out);
Status recovery_upload(ElasticRecovery *r, int64_t n, size_t size, const void *from, const char *what, void **out);
/* Entries of the nodes' gather that belong to solved elements. */
static inline uint32_t recovery_entries(const Space *s) {
  const int32_t n = s->set.n_solved_block;
  return (uint32_t)(n < s->set.n_block ? s->set.block[n].force_first : s->set.n_force);
}

/* Numbers of field k. */
int64_t recovery_numbers(const Elasticity *p, const ElasticRecovery *r, int32_t k);

/* ---- recover_frames.c: strengths and axes of the materials, where a field needs them ---- */
Status recovery_frames_create(const Elasticity *p, ElasticRecovery *r);

/* ---- recover_states.c: after recover_stress ---- */
Status recover_states(const Elasticity *p, const ElasticRecovery *r, const double *u);

/* ---- recover_stress.c ---- */
Status recovery_stress_create(const Elasticity *p, ElasticRecovery *r);
/* point_start of the fields. ERR_MEMORY. */
Status recovery_point_start(const Elasticity *p, ElasticFields *out);
/* Stresses and energies of u[n_node][dim], in the global frame on the Exec. */
Status recover_stress(const Elasticity *p, const ElasticRecovery *r, const double *u);
/* How an element's nodes see the averages. */
RecoverNodeArgs recovery_node_args(const Elasticity *p, const ElasticRecovery *r);

/* ---- stress_error.c: after recover_stress ---- */
Status stress_error_create(const Elasticity *p, ElasticRecovery *r);
Status stress_error_find(const Elasticity *p, const ElasticRecovery *r);
/* `error` and `error_element`, once the totals are on the host. */
Status stress_error_fetch(const Elasticity *p, const ElasticRecovery *r, ElasticFields *out);
/* What nodes at interfaces have in the materials but the lowest, to the host. */
Status recovery_others(const Elasticity *p, ElasticRecovery *r, ElasticFields *out);
