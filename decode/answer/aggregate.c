#include "decode/answer/aggregate.h"

#include <stdlib.h>

const struct answer answer_core = {NULL, 0};

static const struct aggregate_run *find_run(const struct aggregates *aggregates,
					    const struct aggregate *aggregate)
{
	for (size_t i = 0; i < aggregates->nr; i++)
		if (aggregates->list[i].aggregate == aggregate)
			return &aggregates->list[i];
	return NULL;
}

static unsigned wanted_of(const struct needs *needs, const struct aggregate *aggregate)
{
	unsigned wanted = 0;

	for (size_t i = 0; i < needs->nr; i++)
		if (needs->list[i]->by == aggregate)
			wanted |= 1u << needs->list[i]->number;
	return wanted;
}

bool aggregates_start(struct aggregates *aggregates, const struct needs *needs,
		      const struct aggregate_view *view)
{
	for (size_t i = 0; i < needs->nr; i++) {
		const struct aggregate *aggregate = needs->list[i]->by;
		struct aggregate_run run = {.aggregate = aggregate};

		if (find_run(aggregates, aggregate))
			continue;
		run.state = calloc(1, aggregate->state_bytes);
		if (!run.state)
			return false;
		aggregates->list[aggregates->nr++] = run;
		if (aggregate->start &&
		    !aggregate->start(run.state, view, wanted_of(needs, aggregate)))
			return false;
		if (aggregate->record)
			aggregates->recording[aggregates->nr_recording++] = run;
		if (aggregate->any)
			aggregates->any[aggregates->nr_any++] = run;
		if (aggregate->sample)
			aggregates->sampling[aggregates->nr_sampling++] = run;
		if (aggregate->wishes)
			aggregates->wishes |= aggregate->wishes(wanted_of(needs, aggregate));
		aggregates->traces |= aggregate->traces;
		aggregates->switches |= (aggregate->switches & wanted_of(needs, aggregate)) != 0;
	}
	return true;
}

bool aggregates_take_plain(const struct aggregates *aggregates)
{
	for (size_t i = 0; i < aggregates->nr_recording; i++)
		if (!aggregates->recording[i].aggregate->plain)
			return false;
	return aggregates->nr_any == 0;
}

bool aggregates_plain(const struct aggregates *aggregates, const struct plain_samples *samples)
{
	for (size_t i = 0; i < aggregates->nr_recording; i++) {
		const struct aggregate_run *run = &aggregates->recording[i];

		if (!run->aggregate->plain(run->state, samples))
			return false;
	}
	return true;
}

bool aggregates_sample(const struct aggregates *aggregates, const struct counted_sample *sample,
		       struct error *err)
{
	for (size_t i = 0; i < aggregates->nr_sampling; i++) {
		const struct aggregate_run *run = &aggregates->sampling[i];

		if (!run->aggregate->sample(run->state, sample, err))
			return false;
	}
	return true;
}

bool aggregates_operation(const struct aggregates *aggregates,
			  const struct spe_operation *operation)
{
	for (size_t i = 0; i < aggregates->nr; i++) {
		const struct aggregate_run *run = &aggregates->list[i];

		if (run->aggregate->operation && !run->aggregate->operation(run->state, operation))
			return false;
	}
	return true;
}

int aggregates_retire(const struct aggregates *aggregates, const struct process *process,
		      const struct thread *thread, struct error *err)
{
	for (size_t i = 0; i < aggregates->nr; i++) {
		const struct aggregate_run *run = &aggregates->list[i];

		if (run->aggregate->retire &&
		    run->aggregate->retire(run->state, process, thread, err) < 0)
			return -1;
	}
	return 0;
}

int aggregates_finish(const struct aggregates *aggregates, const struct needs *needs,
		      const struct aggregate_view *view, struct results *results, struct error *err)
{
	for (size_t i = 0; i < aggregates->nr; i++) {
		const struct aggregate_run *run = &aggregates->list[i];

		if (run->aggregate->finish &&
		    run->aggregate->finish(run->state, view, results, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < needs->nr; i++) {
		const struct answer *answer = needs->list[i];
		const struct aggregate_run *run = find_run(aggregates, answer->by);

		results->answered[i].answer = answer;
		results->answered[i].rows = answer->by->rows(run->state, answer->number);
	}
	return 0;
}

void aggregates_free(struct aggregates *aggregates)
{
	for (size_t i = 0; i < aggregates->nr; i++) {
		const struct aggregate_run *run = &aggregates->list[i];

		if (run->aggregate->free)
			run->aggregate->free(run->state);
		free(run->state);
	}
	*aggregates = (struct aggregates){0};
}
