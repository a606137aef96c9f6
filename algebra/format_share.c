/* Row lengths of a matrix that several ranks share: of the whole, so that each of them chooses the format that one alone
 * would. */
#include "algebra/format_choice.h"
#include "core/comm.h"
#include "core/memory.h"

static const char *const WHAT = "row lengths of all ranks";

/* Of a rank, but for the number of rows of each length. */
typedef struct ProfileCard {
  int64_t n, entries, shortest, longest, natural[3];
  double sector[3][2];
} ProfileCard;

static ProfileCard card_of(const RowProfile *p) {
  ProfileCard card = {.n = p->n, .entries = p->entries, .shortest = p->shortest, .longest = p->longest};
  for (int s = 0; s < 3; ++s) {
    card.natural[s] = p->natural[s];
    for (int low = 0; low < 2; ++low) card.sector[s][low] = p->sector[s][low];
  }
  return card;
}

/* Ranks begin at multiples of ROW_CHUNK, where no slice goes on; sectors, which only a GPU asks for, are a mean. */
static void cards_add(const ProfileCard *card, int n_card, RowProfile *p) {
  const int32_t block = p->block;
  *p = (RowProfile){.block = block};
  for (int r = 0; r < n_card; ++r) p->n += (int32_t)card[r].n;
  for (int r = 0; r < n_card; ++r) {
    const double share = p->n ? (double)card[r].n / p->n : 0;
    p->entries += card[r].entries;
    if (card[r].n && (!p->longest || card[r].shortest < p->shortest)) p->shortest = (int32_t)card[r].shortest;
    if (card[r].longest > p->longest) p->longest = (int32_t)card[r].longest;
    for (int s = 0; s < 3; ++s) {
      p->natural[s] += card[r].natural[s];
      for (int low = 0; low < 2; ++low) p->sector[s][low] += share * card[r].sector[s][low];
    }
  }
}

static Status lengths_add(Comm *comm, const int64_t *mine, RowProfile *p) {
  const int64_t n = p->longest + (int64_t)1;
  int64_t *all = NULL;
  ALLOC(p->count, n, WHAT);
  ALLOC(all, n * comm_size(comm), WHAT);
  const Status status = comm_gather(comm, mine, n * (int64_t)sizeof *mine, all);
  for (int64_t k = 0; k < n * comm_size(comm); ++k) p->count[k % n] += all[k];
  FREE(all);
  return status;
}

Status row_profile_share(Comm *comm, RowProfile *p) {
  const ProfileCard mine = card_of(p);
  ProfileCard *card = NULL;
  int64_t *count = p->count;
  p->count = NULL;
  Status status = OK;
  ALLOC_DONE(card, comm_size(comm), WHAT);
  TRY_DONE(comm_gather(comm, &mine, sizeof mine, card));
  cards_add(card, comm_size(comm), p);
  TRY_DONE(mem_resize(p->longest + (int64_t)1, sizeof *count, WHAT, (void **)&count));
  for (int64_t l = mine.longest + 1; l <= p->longest; ++l) count[l] = 0;
  status = lengths_add(comm, count, p);
done:
  FREE(card);
  FREE(count);
  return status;
}
