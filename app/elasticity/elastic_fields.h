/* The fields of an analysis, from the rows of assembly/elasticity/fields.def: words of `output.fields`, and fields of a stream. */
#pragma once
#include "app/run/result_stream.h"
#include "assembly/elasticity/elasticity.h"

/* The words of `output.fields`, of which word k is row k, and of probes; ended by NULL. */
extern const Word elastic_field_words[], elastic_probe_words[];
/* Of messages: is it a state of other materials than those of the case, or of contact where there is none? */
bool elastic_word_hides(const Tree *tree, const char *word);
/* Of `output.maps`: the rows from CELL_ACTIVATION on. */
extern const Word elastic_map_words[];
/* Is the field ELASTIC_... among those of the output? And the bits FIELD_... of all that are. */
bool elastic_field_asked(const Case *c, int32_t field);
FieldBits elastic_fields_asked(const Case *c);
/* Is row k, of a state, a field of the output, or a probe? ERR_INPUT in the diagnostics: no material of the case has the state. */
bool elastic_state_asked(const Case *c, int32_t k);
/* Strains in directions of walls, fields of cells or probes? */
bool elastic_walls_asked(const Case *c);
/* Maps of what nodes had in a beat, as those? */
bool elastic_peaks_asked(const Case *c);
const char *elastic_state_word(int32_t k);
void case_check_states(const Case *c, Diagnostics *out);
/* The number that probe i is of, which the set-up keeps (ElasticSetup.probe), and the bits of all probes. */
FieldPart elastic_probe(const Case *c, int32_t i);
FieldBits elastic_probes_need(const Case *c);
/* Physics.column_unit. */
const char *elastic_column_unit(const Case *c, const Units *units, int32_t i);
/* Row k as a field of a stream, without its functions. */
StreamField elastic_stream_field(const Case *c, int32_t k);
/* All rows, elastic_field_rows(), as fields of a recorded stream, in their order: `more` are bits that columns and tables need beside the fields of the
 * output, and are taken as the first word of the analysis that has them. n_point: stresses at integration points, here. */
typedef Status ElasticTake(void *context, int32_t k, double *room);
void elastic_stream_fields(const Run *run, FieldBits more, int64_t n_point, ElasticTake *take, StreamField *out);
/* What a stream has of them at a moment as fields of a solution. */
ElasticFields elastic_fields_of(const StreamMoment *moment);
/* output.tables of what a stream has at a moment. */
Status elastic_tables_of(const Run *run, const Setup *setup, const StreamMoment *moment, const int64_t *start,
                         Text *out);
