#include "decode/replay/countjob.h"

#include "util/array.h"

#include <stdlib.h>
#include <string.h>

struct count_job *count_job_create(void)
{
	return calloc(1, sizeof(struct count_job));
}

/* Shares @set with @job. Returns false if memory is out. */
static bool share(struct count_job *job, struct map_set *set)
{
	struct map_set **recent = &job->recent[((uintptr_t)set >> 6) % COUNT_JOB_SETS];

	if (!set || *recent == set)
		return true;
	if (!array_grow(job->shared, job->shared_room, job->nr_shared + 1))
		return false;
	job->shared[job->nr_shared++] = map_set_share(set);
	*recent = set;
	return true;
}

bool count_job_begin(struct count_job *job, uint64_t batch, const struct kernel_space *kernel,
		     struct unwindinfo *info, const char *machine)
{
	job->next = NULL;
	job->batch = batch;
	job->info = info;
	job->machine = machine;
	job->nr_groups = job->nr_records = 0;
	memset(job->recent, 0, sizeof(job->recent));
	job->kernel = *kernel;
	return share(job, kernel->binaries) && share(job, kernel->ksymbols);
}

bool count_job_is_full(const struct count_job *job)
{
	return job->nr_groups == COUNT_JOB_GROUPS || job->nr_records == COUNT_JOB_RECORDS;
}

bool count_job_add_plain(struct count_job *job, struct map_set *maps,
			 const struct plain_sample *samples, size_t nr, bool swap)
{
	if (!share(job, maps))
		return false;
	job->swap = swap;
	job->groups[job->nr_groups++] = (struct count_job_group){maps, samples, (uint32_t)nr};
	return true;
}

bool count_job_add(struct count_job *job, struct map_set *maps, const struct stack_sample *sample)
{
	struct count_job_record *record;

	if (!share(job, maps))
		return false;
	record = &job->records[job->nr_records++];
	record->maps = maps;
	record->rec = *sample->rec;
	record->sample = *sample;
	record->sample.rec = &record->rec;
	return true;
}

/* Returns false, with hand->err filled, if it failed. */
static bool count_all(const struct count_job *job, struct hand *hand)
{
	hand_set_kernel(hand, &job->kernel);
	stacks_prepare(&hand->stacks, job->info, job->machine);
	for (size_t i = 0; i < job->nr_groups; i++) {
		const struct count_job_group *group = &job->groups[i];

		if (!hand_count_plain(hand, group->maps, group->samples, group->nr, job->swap))
			return false;
	}
	if (!hand_flush(hand, job->swap))
		return false;
	for (size_t i = 0; i < job->nr_records; i++)
		if (!hand_count(hand, job->records[i].maps, &job->records[i].sample))
			return false;
	return hand_make_room(hand);
}

void count_job_do(struct count_job *job, struct hand *hand)
{
	job->failed = count_all(job, hand) ? NULL : &hand->err;
	job->nr_met = hand_take_met(hand, job->met, COUNT_JOB_MET);
}

void count_job_end(struct count_job *job)
{
	while (job->nr_shared > 0)
		map_set_release(job->shared[--job->nr_shared]);
}

void count_job_free(struct count_job *job)
{
	count_job_end(job);
	free(job->shared);
	free(job);
}
