#include "decode/trace/ptshared.h"

#ifdef HAVE_LIBIPT

#include "decode/trace/ptpacket.h"

/* Passes over packets that the library may not know: CFE and EVD. */
static int pass_unknown(struct pt_packet_unknown *unknown, const struct pt_config *config,
			const uint8_t *pos, void *context)
{
	const struct ptpacket packet = ptpacket_read(pos, (size_t)(config->end - pos));

	(void)unknown;
	(void)context;
	return packet.kind == PTPACKET_BAD ? -pte_bad_opc : (int)packet.size;
}

static struct pt_cpu cpu_of(const struct ptconfig *config)
{
	return (struct pt_cpu){pcv_intel, config->family, config->model, config->stepping};
}

void ptshared_configure(struct pt_config *to, const struct ptconfig *config)
{
	pt_config_init(to);
	to->begin = (uint8_t *)(uintptr_t)config->bytes; /* it only reads them */
	to->end = to->begin + config->size;
	to->decode.callback = pass_unknown;
	to->mtc_freq = config->mtc_period;
	to->nom_freq = config->max_ratio;
	to->cpuid_0x15_eax = config->ctc_denominator;
	to->cpuid_0x15_ebx = config->ctc_numerator;
	if (!config->family)
		return;
	to->cpu = cpu_of(config);
	if (pt_cpu_errata(&to->errata, &to->cpu) < 0)
		to->cpu = (struct pt_cpu){0};
}

void ptshared_late(struct ptlate *late, const struct ptconfig *config)
{
	const struct pt_version version = pt_library_version();
	/* 2.1 makes queries out of the events of another decoder, which is a packet ahead. */
	const bool is_new = version.major > 2 || (version.major == 2 && version.minor > 0);

	*late = (struct ptlate){
		.bytes = config->bytes, .has_cycles = config->has_cycles, .reads_ahead = is_new};
}

uint8_t ptshared_flow(enum pt_insn_class class)
{
	static const uint8_t flows[] = {
		[ptic_call] = PTFLOW_CALL,
		[ptic_return] = PTFLOW_RETURN,
		[ptic_cond_jump] = PTFLOW_BRANCH,
		[ptic_jump] = PTFLOW_JUMP,
		[ptic_far_jump] = PTFLOW_JUMP,
		[ptic_far_call] = PTFLOW_FAR_CALL,
		[ptic_far_return] = PTFLOW_FAR_RETURN,
	};

	return (size_t) class < sizeof(flows) ? flows[class] : PTFLOW_JUMP;
}

bool ptshared_is_repeated(const struct pt_event *event)
{
	return event->status_update &&
	       (event->type == ptev_enabled || event->type == ptev_disabled);
}

bool ptshared_step(const struct pt_event *event, struct ptstep *step)
{
	step->has_tsc = event->has_tsc;
	step->tsc = event->tsc;
	step->ip = 0;
	/* What is said again at a PSB is no news, but it has the time. */
	if (event->status_update) {
		step->kind = PTSTEP_TICK;
		return event->has_tsc && !ptshared_is_repeated(event);
	}
	switch (event->type) {
	case ptev_enabled:
		step->kind = PTSTEP_ENABLED;
		step->ip = event->variant.enabled.ip;
		return true;
	case ptev_disabled:
	case ptev_async_disabled:
	case ptev_stop:
		step->kind = PTSTEP_DISABLED;
		return true;
	case ptev_async_branch:
		step->kind = PTSTEP_INTERRUPTED;
		step->ip = event->variant.async_branch.to;
		return true;
	case ptev_overflow:
		step->kind = PTSTEP_OVERFLOW;
		step->ip = event->ip_suppressed ? 0 : event->variant.overflow.ip;
		return true;
	case ptev_tick:
		step->kind = PTSTEP_TICK;
		return true;
	default:
		return false;
	}
}

/* Where tracing is off, no code leads to the stop. */
void ptshared_end(const struct ptconfig *config, bool stopped, bool runs, struct ptstep *step)
{
	const bool is_off = config->stop < config->size && !runs && !config->stop_ip;

	step->kind = stopped || is_off ? PTSTEP_STOP : PTSTEP_END;
	step->has_tsc = false;
}

bool ptshared_is_stop(const struct ptconfig *config, const struct pt_event *event)
{
	return event->status_update && event->type == ptev_exec_mode &&
	       config->stop < config->size && event->variant.exec_mode.ip == config->stop_ip;
}

#endif
