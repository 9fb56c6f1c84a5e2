#include "decode/trace/ptquiet.h"

/* Of the blocks one is kept, which is a later one whenever they have doubled. */
bool ptquiet_is_endless(struct ptquiet *quiet, uint64_t ip, uint64_t offset)
{
	if (ip != quiet->ip && (quiet->nr & (quiet->nr - 1)))
		return false;
	if (quiet->nr > PTQUIET_MIN && ip == quiet->ip && offset == quiet->offset)
		return true;
	quiet->ip = ip;
	quiet->offset = offset;
	return false;
}
