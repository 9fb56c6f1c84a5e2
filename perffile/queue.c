#include "perffile/queue.h"

#include "perffile/events.h"

#include <stdlib.h>

/* Records that follow each other in @block, their times not descending. */
struct run {
	struct tree_node node;
	uint64_t time;	    /* ns, of the first record left */
	uint64_t last_time; /* of the last one */
	uint64_t nr;	    /* index in the file of the first one left */
	uint64_t end_nr; /* behind the last one: what is packed has no gap where perf's own come */
	struct raw_record head; /* the first one left; its block is a reference */
	const uint8_t *end;	/* of the last one, in the block */
	struct run *next_free;
};

static int compare_runs(const struct tree_node *a, const struct tree_node *b)
{
	const struct run *x = tree_entry(a, struct run, node), *y = tree_entry(b, struct run, node);

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

static struct run *node_run(struct tree_node *node)
{
	return node ? tree_entry(node, struct run, node) : NULL;
}

void queue_init(struct queue *queue, struct event_set *events, struct block_pool *pool)
{
	*queue = (struct queue){.events = events, .pool = pool};
}

/* Gives back the bytes of the run that was popped empty. */
static void drop_spent(struct queue *queue)
{
	struct run *run = queue->spent;

	if (!run)
		return;
	block_put(queue->pool, run->head.block);
	run->next_free = queue->free;
	queue->free = run;
	queue->spent = NULL;
}

static struct run *new_run(struct queue *queue)
{
	struct run *run = queue->free;

	if (run)
		queue->free = run->next_free;
	else
		run = malloc(sizeof(*run));
	return run;
}

int queue_push(struct queue *queue, const struct raw_record *raw, uint64_t time)
{
	struct run *run = queue->open;

	if (tree_empty(&queue->runs))
		queue->newest = 0;
	if (time > queue->newest)
		queue->newest = time;
	if (run && run->end == raw->bytes && run->head.block == raw->block &&
	    run->end_nr == raw->nr && run->last_time <= time) {
		run->end += raw->size;
		run->end_nr++;
		run->last_time = time;
		return 0;
	}
	run = new_run(queue);
	if (!run)
		return -1;
	*run = (struct run){
		.time = time,
		.last_time = time,
		.nr = raw->nr,
		.end_nr = raw->nr + 1,
		.head = *raw,
		.end = raw->bytes + raw->size,
	};
	block_ref(raw->block);
	tree_insert_near(&queue->runs, &run->node, compare_runs);
	queue->open = run;
	return 0;
}

/* Makes @node's run the first, and notes how far it may go before another is earlier. */
static void set_first(struct queue *queue, struct tree_node *node)
{
	const struct run *second = node ? node_run(tree_next(node)) : NULL;

	queue->first = node_run(node);
	queue->bound_time = second ? second->time : UINT64_MAX;
	queue->bound_nr = second ? second->nr : UINT64_MAX;
}

void queue_round(struct queue *queue)
{
	if (tree_empty(&queue->runs))
		return;
	queue->releasing = true;
	set_first(queue, tree_first(&queue->runs));
	queue->limit = queue->next_limit;
	queue->next_limit = queue->newest;
}

void queue_finish(struct queue *queue)
{
	queue->releasing = true;
	set_first(queue, tree_first(&queue->runs));
	queue->limit = UINT64_MAX;
}

/* The last record of the first run was taken. */
static void retire(struct queue *queue, struct run *run)
{
	struct tree_node *second = tree_next(&run->node);

	tree_remove(&queue->runs, &run->node);
	set_first(queue, second);
	if (queue->open == run)
		queue->open = NULL;
	queue->spent = run;
}

/* The first record of the first run was taken: the run goes where its next record belongs. */
static void advance(struct queue *queue, struct run *run, bool swap)
{
	struct raw_record *head = &run->head;
	struct span s, body;

	head->bytes += head->size;
	if (head->bytes == run->end) {
		retire(queue, run);
		return;
	}
	s = span_make(head->bytes, (size_t)(run->end - head->bytes), swap);
	head->type = span_u32(&s);
	head->misc = span_u16(&s);
	head->size = span_u16(&s);
	head->nr = ++run->nr;
	body = raw_body(head, swap);
	run->time = events_time(queue->events, head->type, &body);
	if (run->time < queue->bound_time ||
	    (run->time == queue->bound_time && run->nr < queue->bound_nr))
		return;
	tree_remove(&queue->runs, &run->node);
	tree_insert(&queue->runs, &run->node, compare_runs);
	set_first(queue, tree_first(&queue->runs));
}

bool queue_pop(struct queue *queue, struct raw_record *raw, uint64_t *time, bool swap)
{
	struct run *run = queue->first;

	drop_spent(queue);
	if (!queue->releasing)
		return false;
	if (!run || run->time > queue->limit) {
		queue->releasing = false;
		return false;
	}
	*raw = run->head;
	*time = run->time;
	advance(queue, run, swap);
	return true;
}

void queue_free(struct queue *queue)
{
	drop_spent(queue);
	for (struct tree_node *node; (node = tree_first(&queue->runs));) {
		struct run *run = node_run(node);

		tree_remove(&queue->runs, node);
		block_put(queue->pool, run->head.block);
		free(run);
	}
	for (struct run *run = queue->free, *next; run; run = next) {
		next = run->next_free;
		free(run);
	}
	*queue = (struct queue){0};
}
