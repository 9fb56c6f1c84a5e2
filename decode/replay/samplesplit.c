#include "decode/replay/samplesplit.h"

#include "decode/replay/splitdata.h"
#include "perffile/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Texts of fields come from the recording: so many bytes of them are enough, repeats included. */
static const uint64_t texts_max = UINT64_C(4) << 30;

void samplesplit_init(struct samplesplit *split, const struct perkeys *keys,
		      const struct addrspaces *spaces)
{
	split->keys = keys;
	split->spaces = spaces;
	split->tuples.nr_keys = keys->nr;
	split->strings.limit = texts_max;
	for (size_t i = 0; i < keys->nr; i++)
		split->fields[i].name = keys->list[i].field;
}

static int bind_fields(struct samplesplit *split, const struct perffile *file, struct error *err)
{
	for (size_t i = 0; i < split->keys->nr; i++)
		if (split->keys->list[i].kind == PER_FIELD &&
		    samplefield_bind(&split->fields[i], file, "per", err) < 0)
			return -1;
	split->nr_events = perffile_nr_events(file);
	return 0;
}

/* Sets *@value to the number of the slice of a sample at @time; slices before the first one are
 * negative, as records may be late. */
static void slice_of(const struct samplesplit *split, uint64_t length, uint64_t time,
		     uint64_t *value)
{
	if (time >= split->first)
		*value = (time - split->first) / length;
	else
		*value = 0 - ((split->first - time - 1) / length + 1);
}

/* Returns 1 and sets *@value if the sample has the field; 0 if not; -1 if memory is out. */
static int field_value(struct samplesplit *split, const struct samplefield *field,
		       const struct record *rec, const struct process *process, uint64_t *value)
{
	char text[SAMPLEFIELD_TEXT];
	uint32_t number;

	if (samplefield_is_number(field)) {
		if (!samplefield_number(field, rec, value))
			return 0;
		*value = samplefield_common(field, *value, process->is_32bit);
		return 1;
	}
	if (!samplefield_text(field, rec, text))
		return 0;
	number = intern_string(&split->strings, text);
	*value = number;
	return number == INTERN_NOMEM ? -1 : 1;
}

/* As field_value(), for the place of the data that was accessed. */
static int data_value(struct samplesplit *split, const struct record *rec,
		      const struct thread *thread, uint64_t *value)
{
	uint32_t number;

	if (!(rec->event->attr.sample_type & SAMPLE_ADDR) || rec->sample.addr == 0)
		return 0;
	number = data_places_number(&split->data, split->spaces, thread->process, rec->sample.addr);
	*value = number;
	return number == DATAPLACE_NONE ? -1 : 1;
}

/* Returns as field_value(), for any key. */
static int key_value(struct samplesplit *split, size_t number, const struct split_sample *sample,
		     uint64_t *value)
{
	const struct per_key *key = &split->keys->list[number];

	switch (key->kind) {
	case PER_COMM:
		*value = sample->thread->comm;
		return 1;
	case PER_PID:
		*value = sample->pid;
		return (sample->has & HAS_PID) != 0;
	case PER_TID:
		*value = sample->tid;
		return (sample->has & HAS_TID) != 0;
	case PER_CPU:
		*value = sample->cpu;
		return (sample->has & HAS_CPU) != 0;
	case PER_CGROUP:
		*value = sample->rec->sample.extra.cgroup;
		return (sample->rec->event->attr.sample_type & SAMPLE_CGROUP) != 0;
	case PER_DATA_SYMBOL:
		return data_value(split, sample->rec, sample->thread, value);
	case PER_SLICE:
		slice_of(split, key->length, sample->time, value);
		return (sample->has & HAS_TIME) != 0;
	default:
		return field_value(split, &split->fields[number], sample->rec,
				   sample->thread->process, value);
	}
}

bool samplesplit_takes_plain(const struct samplesplit *split)
{
	for (size_t i = 0; i < split->keys->nr; i++)
		if (split->keys->list[i].kind > PER_CPU)
			return false;
	return true;
}

int samplesplit_tuple(struct samplesplit *split, const struct perffile *file,
		      const struct split_sample *sample, uint32_t *tuple, struct error *err)
{
	const size_t nr = split->keys->nr;
	uint64_t words[PERKEYS_MAX + 1] = {0};

	if (split->nr_events != perffile_nr_events(file) && bind_fields(split, file, err) < 0)
		return -1;
	if (!split->timed && sample->has & HAS_TIME) {
		split->timed = true;
		split->first = sample->time;
	}
	for (size_t i = 0; i < nr; i++) {
		const int has = key_value(split, i, sample, &words[i]);

		if (has < 0)
			return samplesplit_fail(split, err);
		if (has)
			words[nr] |= UINT64_C(1) << i;
		else
			words[i] = 0;
	}
	*tuple = keytuples_number(&split->tuples, words);
	return *tuple == KEYTUPLES_NONE ? samplesplit_fail(split, err) : 0;
}

int samplesplit_fail(const struct samplesplit *split, struct error *err)
{
	if (split->strings.is_full)
		return error_set(err, ERROR_UNSUPPORTED,
				 "option --per: the texts of the keys have more than %" PRIu64
				 " bytes: take fewer keys, or a part of the recording (--time, "
				 "--where)",
				 texts_max);
	if (split->counts.full)
		return error_set(err, ERROR_UNSUPPORTED,
				 "option --per: there are more than %d combinations of the keys "
				 "and of places in the code: take fewer keys, longer slices, or a "
				 "part of the recording (--time, --where)",
				 SPLITCOUNT_MAX);
	return error_nomem(err, "splitting the samples");
}

/* Writes the value of key @number to @text; returns whether it is a number. */
static bool show_value(const struct samplesplit *split, size_t number, uint64_t value,
		       const struct intern *comms, char text[SAMPLEFIELD_TEXT])
{
	const struct per_key *key = &split->keys->list[number];
	const char *from = NULL;

	switch (key->kind) {
	case PER_COMM:
		from = intern_get(comms, (uint32_t)value);
		break;
	case PER_CGROUP:
		from = cgroups_path(&split->cgroups, value);
		break;
	case PER_DATA_SYMBOL:
		from = intern_get(&split->strings, split->data_texts[value]);
		break;
	case PER_SLICE:
		snprintf(text, SAMPLEFIELD_TEXT, "%" PRId64, (int64_t)(value * key->length));
		return true;
	case PER_FIELD:
		if (samplefield_is_number(&split->fields[number]))
			return samplefield_show(&split->fields[number], value, text);
		from = intern_get(&split->strings, (uint32_t)value);
		break;
	default:
		value = (uint64_t)(int64_t)(int32_t)value;
	}
	if (from)
		snprintf(text, SAMPLEFIELD_TEXT, "%s", from);
	else
		snprintf(text, SAMPLEFIELD_TEXT, "%" PRId64, (int64_t)value);
	return !from;
}

/* Sets the values of the tuple. Returns false if memory is out. */
static bool set_values(struct samplesplit *split, uint32_t tuple, const struct intern *comms)
{
	const uint64_t *words = keytuples_get(&split->tuples, tuple);
	const size_t nr = split->keys->nr;

	for (size_t i = 0; i < nr; i++) {
		struct split_value *value = &split->values[tuple * nr + i];
		char text[SAMPLEFIELD_TEXT];
		uint32_t number = 0;

		*value = (struct split_value){.text = ""};
		if (!(words[nr] >> i & 1))
			continue;
		value->is_number = show_value(split, i, words[i], comms, text);
		number = intern_string(&split->strings, text);
		if (number == INTERN_NOMEM)
			return false;
		value->text = intern_get(&split->strings, number);
	}
	return true;
}

/* The number of the key data_symbol; @nr of keys if it is not among them. */
static size_t data_key(const struct perkeys *keys)
{
	size_t number = 0;

	while (number < keys->nr && keys->list[number].kind != PER_DATA_SYMBOL)
		number++;
	return number;
}

/* Many places are of one variable: finds the tuples that differ only in these. False if memory is
 * out. */
static bool find_same(struct samplesplit *split, size_t key)
{
	const size_t nr = keytuples_count(&split->tuples), nr_keys = split->keys->nr;
	struct keytuples named = {.nr_keys = nr_keys};
	uint32_t *first = calloc(nr + 1, sizeof(*first)); /* by number in @named */
	bool ok = first;

	for (size_t i = 0; i < nr && ok; i++) {
		const size_t nr_named = keytuples_count(&named);
		uint64_t words[PERKEYS_MAX + 1];
		uint32_t number;

		memcpy(words, keytuples_get(&split->tuples, (uint32_t)i),
		       (nr_keys + 1) * sizeof(*words));
		if (words[nr_keys] >> key & 1)
			words[key] = split->data_texts[words[key]];
		number = keytuples_number(&named, words);
		ok = number != KEYTUPLES_NONE;
		if (ok && number == nr_named)
			first[number] = (uint32_t)i;
		if (ok)
			split->same[i] = first[number];
	}
	keytuples_free(&named);
	free(first);
	return ok;
}

/* Names the data that the tuples have. */
static int name_data(struct samplesplit *split, struct symbolizer *symbolizer, struct error *err)
{
	const size_t key = data_key(split->keys);

	free(split->data_texts);
	free(split->same);
	split->same = NULL;
	split->data_texts = splitdata_texts(&split->data, symbolizer, &split->strings, err);
	if (!split->data_texts)
		return samplesplit_fail(split, err);
	if (key == split->keys->nr)
		return 0;
	split->same = calloc(keytuples_count(&split->tuples) + 1, sizeof(*split->same));
	if (!split->same || !find_same(split, key))
		return error_nomem(err, "splitting functions");
	return 0;
}

int samplesplit_finish(struct samplesplit *split, struct splitstat_input *input,
		       const struct intern *comms, struct symbolizer *symbolizer, struct error *err)
{
	const size_t nr = keytuples_count(&split->tuples);

	if (!splitcount_flush(&split->counts))
		return samplesplit_fail(split, err);
	if (name_data(split, symbolizer, err) < 0)
		return -1;
	free(split->values);
	split->values = calloc(nr * split->keys->nr + 1, sizeof(*split->values));
	if (!split->values)
		return error_nomem(err, "splitting functions");
	for (size_t i = 0; i < nr; i++)
		if (!set_values(split, (uint32_t)i, comms))
			return samplesplit_fail(split, err);
	input->counts = &split->counts;
	input->keys = split->keys->names;
	input->nr_keys = split->keys->nr;
	input->values = split->values;
	input->same = split->same;
	return splitstat_make(&split->rows, input, err);
}

int samplesplit_recent(struct samplesplit *split, const struct splitstat_input *input,
		       const struct recentcount *window, struct error *err)
{
	struct splitcount counts = {0};
	struct splitstat_input recent = *input;
	int rc;

	recent.counts = &counts;
	rc = splitcount_of_window(&counts, window) ? splitstat_make(&split->recent, &recent, err)
						   : error_nomem(err, "splitting functions");
	splitcount_free(&counts);
	return rc;
}

int samplesplit_chains(struct samplesplit *split, const struct pathstore *paths, struct error *err)
{
	if (splitchains_make(&split->chains, &split->counts, paths, err) < 0)
		return -1;
	split->rows.stat.chains = split->chains.rows;
	split->rows.stat.nr_chains = split->chains.nr;
	return 0;
}

void samplesplit_free(struct samplesplit *split)
{
	for (size_t i = 0; i < PERKEYS_MAX; i++)
		samplefield_free(&split->fields[i]);
	keytuples_free(&split->tuples);
	splitcount_free(&split->counts);
	cgroups_free(&split->cgroups);
	data_places_free(&split->data);
	intern_free(&split->strings);
	splitstat_free(&split->rows);
	splitstat_free(&split->recent);
	free(split->data_texts);
	free(split->same);
	splitchains_free(&split->chains);
	free(split->values);
}
