#include "report/measure.h"

const char *measure_word(enum measure measure)
{
	static const char *const words[] = {
		[MEASURE_PERIOD] = "period", [MEASURE_RATE] = "rate", [MEASURE_SHARE] = "share"};

	return words[measure];
}

const char *measure_unit(enum measure measure, bool is_time)
{
	static const char *const units[][2] = {
		[MEASURE_PERIOD] = {"events", "ns"},
		[MEASURE_RATE] = {"events/s", "ns/s"},
		[MEASURE_SHARE] = {"%", "%"},
	};

	return units[measure][is_time];
}
