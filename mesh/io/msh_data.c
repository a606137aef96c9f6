/* $NodeData and $ElementData, the same in both formats: tags in text, then a number and n_component values per line, in
 * binary a 4-byte integer and doubles. Of several time steps the first is taken. */
#include "core/memory.h"
#include "mesh/io/msh_raw.h"

#include <stdio.h>
#include <string.h>

/* The head: name (first text), number of components and of entries (second and third integer). */
typedef struct DataHead {
  const char *name; /* in the file */
  int64_t length, n_component, n;
} DataHead;

static Status read_head(TextSource *source, DataHead *head) {
  int64_t n, integer, length;
  double real;
  const char *text;
  *head = (DataHead){"", 0, 0, 0};
  const int64_t at = source->at;
  TRY(source_text_int(source, "the number of text tags", &n));
  TRY(source_check_count(source, at, "the number of text tags", n, 3));
  for (int64_t i = 0; i < n; ++i) {
    TRY(source_text_quoted(source, "a text tag", &text, &length));
    if (i == 0) head->name = text, head->length = length;
  }
  TRY(source_text_int(source, "the number of real tags", &n));
  TRY(source_check_count(source, at, "the number of real tags", n, 2));
  for (int64_t i = 0; i < n; ++i) TRY(source_text_double(source, "a real tag", &real));
  TRY(source_text_int(source, "the number of integer tags", &n));
  TRY(source_check_count(source, at, "the number of integer tags", n, 2));
  if (n < 3)
    return source_fail(source, at, "%lld integer tags, must be 3 or more: step, components, number of entries",
                       (long long)n);
  for (int64_t i = 0; i < n; ++i)
    TRY(source_text_int(source, "an integer tag", i == 1 ? &head->n_component : i == 2 ? &head->n : &integer));
  return OK;
}

static bool msh_data_have(const MshRaw *raw, const DataHead *head, bool on_nodes) {
  for (int32_t d = 0; d < raw->n_data; ++d)
    if (raw->data[d].on_nodes == on_nodes && (int64_t)strlen(raw->data[d].name) == head->length &&
        !memcmp(raw->data[d].name, head->name, (size_t)head->length))
      return true;
  return false;
}

static Status read_entries(TextSource *source, void *context, int64_t begin, int64_t end, MshNotes *notes) {
  MshData *data = context;
  (void)notes;
  for (int64_t i = begin; i < end; ++i) {
    TRY(source_int(source, "the number of a node or element", &data->tag[i]));
    for (int32_t c = 0; c < data->n_component; ++c)
      TRY(source_double(source, "a value of the field", &data->value[i * data->n_component + c]));
  }
  return OK;
}

static Status read_values(MshRaw *raw, TextSource *source, MshData *data) {
  ALLOC(data->tag, data->n, "numbers of a field");
  ALLOC(data->value, (int64_t)data->n * data->n_component, "values of a field");
  return msh_items_read(raw, source, data->n, 4 + 8 * (int64_t)data->n_component, read_entries, data);
}

Status msh_data(TextSource *source, MshRaw *raw, bool on_nodes, bool *skipped) {
  DataHead head;
  const int64_t at = source->at;
  TRY(read_head(source, &head));
  if (head.length > MSH_NAME_MOST || memchr(head.name, 0, (size_t)head.length))
    return source_fail(source, at, "the name of the field is longer than %d characters or holds a zero byte",
                       MSH_NAME_MOST);
  *skipped = msh_data_have(raw, &head, on_nodes);
  if (*skipped) return OK;
  if (source->binary) source_next_line(source);
  if (head.n_component != 1 && head.n_component != 3 && head.n_component != 9)
    return source_fail(source, at, "field '%.*s' has %lld components, must be 1, 3 or 9",
                       (int)(head.length < 200 ? head.length : 200), head.name, (long long)head.n_component);
  TRY(source_check_count(source, at, "the number of entries of the field", head.n,
                         source_least_bytes(source, 1, 0, (int)head.n_component)));
  TRY(msh_room((void **)&raw->data, raw->n_data, &raw->room_data, sizeof *raw->data, "fields"));
  MshData *data = &raw->data[raw->n_data++];
  *data = (MshData){.on_nodes = on_nodes, .n_component = (int32_t)head.n_component, .n = (int32_t)head.n, .at = at};
  ALLOC(data->name, head.length + 1, "field name");
  memcpy(data->name, head.name, (size_t)head.length);
  return read_values(raw, source, data);
}
