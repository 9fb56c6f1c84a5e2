#include "decode/trace/csdecode.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_LIBOPENCSD

#include <opencsd/c_api/opencsd_c_api.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
/* The library forgets 32 bytes for each decoder, and a recording has one for each CPU. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:ocsd_dt_set_gen_elem_outfn\n";
}
#endif

/* Code without a branch is not longer: the trace would make the library read without end. */
enum { STRAIGHT_BYTES_MAX = 1 << 17 };

struct csdecode {
	struct csdecode_user user;
	dcd_tree_handle_t tree;
	dcd_tree_handle_t screen; /* reads packets before the decoder does */
	bool after_exception;	  /* whose address comes next */
	bool is_refused;	  /* it has met one that is not for the decoder */
	uint8_t id;
	bool context_el2; /* the thread is in the register of EL2 */
	ocsd_trc_index_t at;
	size_t straight; /* bytes of code since the last element */
	bool nomem;
	uint64_t fatal; /* errors after which the decoder began anew */
};

const char *csdecode_library(char name[32])
{
	const uint32_t version = ocsd_get_version();

	snprintf(name, 32, "libopencsd %u.%u.%u", (unsigned)(version >> 16),
		 (unsigned)(version >> 8 & 0xff), (unsigned)(version & 0xff));
	return name;
}

/* ---- elements -------------------------------------------------------------------------------- */

static enum ptstep_flow flow_of(const ocsd_generic_trace_elem *range)
{
	if (range->last_i_type != OCSD_INSTR_BR && range->last_i_type != OCSD_INSTR_BR_INDIRECT)
		return PTFLOW_OTHER;
	if (!range->last_instr_exec)
		return PTFLOW_BRANCH;
	switch (range->last_i_subtype) {
	case OCSD_S_INSTR_BR_LINK:
		return PTFLOW_CALL;
	case OCSD_S_INSTR_V8_RET:
	case OCSD_S_INSTR_V7_IMPLIED_RET:
		return PTFLOW_RETURN;
	case OCSD_S_INSTR_V8_ERET:
		return PTFLOW_FAR_RETURN;
	default:
		return range->last_instr_cond ? PTFLOW_BRANCH : PTFLOW_JUMP;
	}
}

static bool make_block(const ocsd_generic_trace_elem *range, struct cselement *element)
{
	const uint64_t last = range->en_addr - range->last_instr_sz;

	if (range->num_instr_range == 0 || range->en_addr <= range->st_addr)
		return false;
	element->kind = CSELEMENT_BLOCK;
	element->block = (struct ptblock){
		.ip = range->st_addr,
		.end_ip = last < range->st_addr ? range->st_addr : last,
		.nr = range->num_instr_range,
		.flow = (uint8_t)flow_of(range),
	};
	return true;
}

static bool make_context(const struct csdecode *decoder, const ocsd_generic_trace_elem *told,
			 struct cselement *element)
{
	const ocsd_pe_context *context = &told->context;

	element->kind = CSELEMENT_CONTEXT;
	element->value = decoder->context_el2 ? context->vmid : context->context_id;
	return decoder->context_el2 ? context->vmid_valid : context->ctxt_id_valid;
}

/* Says what @told means for the user. Returns false if nothing. */
static bool make_element(const struct csdecode *decoder, const ocsd_generic_trace_elem *told,
			 struct cselement *element)
{
	switch (told->elem_type) {
	case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
		return make_block(told, element);
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		return make_context(decoder, told, element);
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		element->kind = CSELEMENT_TIME;
		element->value = told->timestamp;
		return true;
	case OCSD_GEN_TRC_ELEM_CYCLE_COUNT:
		element->kind = CSELEMENT_CYCLES;
		element->value = told->cycle_count;
		return true;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		element->kind = told->trace_on_reason == TRACE_ON_OVERFLOW ? CSELEMENT_OVERFLOW
									   : CSELEMENT_ON;
		return true;
	case OCSD_GEN_TRC_ELEM_ADDR_NACC:
		element->kind = CSELEMENT_NO_CODE;
		element->value = told->st_addr;
		return true;
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
		element->kind = CSELEMENT_EXCEPTION;
		return true;
	default:
		return false;
	}
}

static bool tell(struct csdecode *decoder, const struct cselement *element)
{
	decoder->straight = 0;
	if (!decoder->nomem && !decoder->user.take(decoder->user.arg, element))
		decoder->nomem = true;
	return !decoder->nomem;
}

static ocsd_datapath_resp_t take(const void *arg, const ocsd_trc_index_t at, const uint8_t id,
				 const ocsd_generic_trace_elem *told)
{
	struct csdecode *decoder = (struct csdecode *)arg;
	struct cselement element = {.at = (uint32_t)at};

	(void)id;
	if (make_element(decoder, told, &element) && !tell(decoder, &element))
		return OCSD_RESP_FATAL_SYS_ERR;
	element.kind = CSELEMENT_CYCLES;
	element.value = told->cycle_count;
	if (told->elem_type == OCSD_GEN_TRC_ELEM_TIMESTAMP && told->has_cc &&
	    !tell(decoder, &element))
		return OCSD_RESP_FATAL_SYS_ERR;
	return OCSD_RESP_CONT;
}

static uint32_t read_code(const void *arg, const ocsd_vaddr_t address,
			  const ocsd_mem_space_acc_t space, const uint8_t id, const uint32_t nr,
			  uint8_t *to)
{
	struct csdecode *decoder = (struct csdecode *)arg;

	(void)space;
	(void)id;
	if (decoder->straight > STRAIGHT_BYTES_MAX)
		return 0;
	decoder->straight += nr;
	return (uint32_t)decoder->user.read(decoder->user.arg, address, to, nr);
}

/* ---- the decoder ----------------------------------------------------------------------------- */

static ocsd_err_t add_etm4(const struct csdecode *decoder, dcd_tree_handle_t tree, int flags,
			   const struct csinfo_cpu *cpu)
{
	const ocsd_etmv4_cfg config = {
		.reg_idr0 = cpu->idr0,
		.reg_idr1 = cpu->idr1,
		.reg_idr2 = cpu->idr2,
		.reg_idr8 = cpu->idr8,
		.reg_configr = cpu->configr,
		.reg_traceidr = decoder->id,
		.arch_ver = ARCH_V8,
		.core_prof = profile_CortexA,
	};
	unsigned char id;

	return ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETMV4I, flags, &config, &id);
}

static ocsd_err_t add_ete(const struct csdecode *decoder, const struct csinfo_cpu *cpu)
{
	const ocsd_ete_cfg config = {
		.reg_idr0 = cpu->idr0,
		.reg_idr1 = cpu->idr1,
		.reg_idr2 = cpu->idr2,
		.reg_idr8 = cpu->idr8,
		.reg_devarch = cpu->devarch,
		.reg_configr = cpu->configr,
		.reg_traceidr = decoder->id,
		.arch_ver = ARCH_AA64,
		.core_prof = profile_CortexA,
	};
	unsigned char id;

	return ocsd_dt_create_decoder(decoder->tree, OCSD_BUILTIN_DCD_ETE,
				      OCSD_CREATE_FLG_FULL_DECODER, &config, &id);
}

static bool add_code(const struct csdecode *decoder)
{
	return ocsd_dt_add_callback_trcid_mem_acc(decoder->tree, 0, UINT64_MAX, OCSD_MEM_SPACE_ANY,
						  read_code, decoder) == OCSD_OK;
}

static bool is_speculation(ocsd_etmv4_i_pkt_type type)
{
	return type == ETM4_PKT_I_MISPREDICT || type == ETM4_PKT_I_CANCEL_F1 ||
	       type == ETM4_PKT_I_CANCEL_F1_MISPRED || type == ETM4_PKT_I_CANCEL_F2 ||
	       type == ETM4_PKT_I_CANCEL_F3;
}

/*
 * Looks for packets that let the library (1.3.3) crash, so that any bytes could: it uses elements
 * that it has freed for speculation that went wrong, of which trace units whose IDR8 is 0 never
 * tell, and those that are not there if no address follows an exception.
 */
static ocsd_datapath_resp_t screen_packet(const void *arg, const ocsd_datapath_op_t what,
					  const ocsd_trc_index_t at, const void *told)
{
	struct csdecode *decoder = (struct csdecode *)arg;
	const ocsd_etmv4_i_pkt *packet = told;
	bool is_address;

	(void)at;
	if (what != OCSD_OP_DATA || !packet)
		return OCSD_RESP_CONT;
	is_address = packet->type > ETM4_PKT_I_CTXT && packet->type <= ETM4_PKT_I_ADDR_L_64IS1;
	decoder->is_refused |= is_speculation(packet->type);
	decoder->is_refused |=
		decoder->after_exception && !is_address && packet->type != ETM4_PKT_I_CTXT;
	decoder->after_exception =
		packet->type == ETM4_PKT_I_EXCEPT || (decoder->after_exception && !is_address);
	return OCSD_RESP_CONT;
}

static bool start_screen(struct csdecode *decoder, const struct csinfo_cpu *cpu)
{
	struct csinfo_cpu etm4 = *cpu;

	/* The packets of ETE are those of version 5, which the library shows under this name alone.
	 */
	if (cpu->protocol == CSINFO_ETE)
		etm4.idr1 = (cpu->idr1 & ~UINT32_C(0xff0)) | 0x500;
	decoder->screen = ocsd_create_dcd_tree(OCSD_TRC_SRC_SINGLE, 0);
	return decoder->screen != C_API_INVALID_TREE_HANDLE &&
	       add_etm4(decoder, decoder->screen, OCSD_CREATE_FLG_PACKET_PROC, &etm4) == OCSD_OK &&
	       ocsd_dt_attach_packet_callback(decoder->screen, decoder->id, OCSD_C_API_CB_PKT_SINK,
					      (void *)screen_packet, decoder) == OCSD_OK;
}

static bool start(struct csdecode *decoder, const struct csinfo_cpu *cpu)
{
	decoder->tree = ocsd_create_dcd_tree(OCSD_TRC_SRC_SINGLE, 0);
	if (decoder->tree == C_API_INVALID_TREE_HANDLE)
		return false;
	if (cpu->protocol == CSINFO_ETE
		    ? add_ete(decoder, cpu)
		    : add_etm4(decoder, decoder->tree, OCSD_CREATE_FLG_FULL_DECODER, cpu))
		return false;
	return ocsd_dt_set_gen_elem_outfn(decoder->tree, take, decoder) == OCSD_OK &&
	       add_code(decoder) && start_screen(decoder, cpu);
}

struct csdecode *csdecode_open(const struct csinfo_cpu *cpu, const struct csdecode_user *user)
{
	struct csdecode *decoder = calloc(1, sizeof(*decoder));

	if (!decoder)
		return NULL;
	decoder->user = *user;
	/* A trace that is in no frames tells no id; the library wants one. */
	decoder->id = cpu->id ? cpu->id : 1;
	decoder->context_el2 = cpu->configr & CSINFO_CONTEXT_EL2;
	if (start(decoder, cpu))
		return decoder;
	csdecode_close(decoder);
	return NULL;
}

static ocsd_datapath_resp_t operate(struct csdecode *decoder, ocsd_datapath_op_t what)
{
	return ocsd_dt_process_data(decoder->tree, what, 0, 0, NULL, NULL);
}

/* After an error that ends its work, the decoder begins anew. Returns false if memory is out. */
static bool recover(struct csdecode *decoder, ocsd_datapath_resp_t answer)
{
	if (!OCSD_DATA_RESP_IS_FATAL(answer))
		return !decoder->nomem;
	if (decoder->nomem)
		return false;
	decoder->fatal++;
	(void)operate(decoder, OCSD_OP_RESET);
	return !decoder->nomem;
}

/* It is ahead of the decoder, so it does not begin anew where only that does. */
static void reset_screen(struct csdecode *decoder)
{
	(void)ocsd_dt_process_data(decoder->screen, OCSD_OP_RESET, 0, 0, NULL, NULL);
	decoder->after_exception = false;
}

/* Whether the next byte ends a packet that the decoder must not see. */
static bool refuses(struct csdecode *decoder, const uint8_t *byte)
{
	uint32_t taken;

	decoder->is_refused = false;
	(void)ocsd_dt_process_data(decoder->screen, OCSD_OP_DATA, decoder->at, 1, byte, &taken);
	return decoder->is_refused;
}

static bool put_part(struct csdecode *decoder, const uint8_t *bytes, size_t nr)
{
	while (nr) {
		uint32_t taken = 0;
		const uint32_t part = nr > INT32_MAX ? INT32_MAX : (uint32_t)nr;
		const ocsd_datapath_resp_t answer = ocsd_dt_process_data(
			decoder->tree, OCSD_OP_DATA, decoder->at, part, bytes, &taken);

		if (!recover(decoder, answer))
			return false;
		/* An error comes with no progress where the packet before was to be finished. */
		if (taken == 0 || taken > part)
			taken = OCSD_DATA_RESP_IS_CONT(answer) ? part : 1;
		decoder->at += taken;
		bytes += taken;
		nr -= taken;
	}
	return true;
}

bool csdecode_put(struct csdecode *decoder, const uint8_t *bytes, size_t nr)
{
	size_t first = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!refuses(decoder, &bytes[i]))
			continue;
		if (!put_part(decoder, bytes + first, i - first) ||
		    !recover(decoder, OCSD_RESP_FATAL_INVALID_DATA))
			return false;
		reset_screen(decoder);
		decoder->at++;
		first = i + 1;
	}
	return put_part(decoder, bytes + first, nr - first);
}

bool csdecode_end(struct csdecode *decoder)
{
	if (!recover(decoder, operate(decoder, OCSD_OP_EOT)))
		return false;
	reset_screen(decoder);
	return recover(decoder, operate(decoder, OCSD_OP_RESET));
}

/* The library keeps bytes of code; removing where they come from makes it forget them. */
void csdecode_forget_code(struct csdecode *decoder)
{
	(void)ocsd_dt_remove_mem_acc(decoder->tree, 0, OCSD_MEM_SPACE_ANY);
	decoder->nomem |= !add_code(decoder);
}

uint32_t csdecode_at(const struct csdecode *decoder)
{
	return (uint32_t)decoder->at;
}

struct csdecode_losses csdecode_losses(const struct csdecode *decoder)
{
	struct csdecode_losses losses = {.bad = decoder->fatal};
	ocsd_decode_stats_t *stats;

	if (ocsd_dt_get_decode_stats(decoder->tree, decoder->id, &stats) != OCSD_OK)
		return losses;
	losses.unsynced = stats->channel_unsynced;
	losses.bad += (uint64_t)stats->bad_header_errs + stats->bad_sequence_errs;
	return losses;
}

void csdecode_close(struct csdecode *decoder)
{
	if (decoder && decoder->tree != C_API_INVALID_TREE_HANDLE)
		ocsd_destroy_dcd_tree(decoder->tree);
	if (decoder && decoder->screen != C_API_INVALID_TREE_HANDLE)
		ocsd_destroy_dcd_tree(decoder->screen);
	free(decoder);
}

#else /* without the library, no decoder is ever made */

const char *csdecode_library(char name[32])
{
	name[0] = '\0';
	return NULL;
}

struct csdecode *csdecode_open(const struct csinfo_cpu *cpu, const struct csdecode_user *user)
{
	(void)cpu;
	(void)user;
	return NULL;
}

bool csdecode_put(struct csdecode *decoder, const uint8_t *bytes, size_t nr)
{
	(void)decoder;
	(void)bytes;
	(void)nr;
	return false;
}

bool csdecode_end(struct csdecode *decoder)
{
	(void)decoder;
	return false;
}

void csdecode_forget_code(struct csdecode *decoder)
{
	(void)decoder;
}

uint32_t csdecode_at(const struct csdecode *decoder)
{
	(void)decoder;
	return 0;
}

struct csdecode_losses csdecode_losses(const struct csdecode *decoder)
{
	(void)decoder;
	return (struct csdecode_losses){0};
}

void csdecode_close(struct csdecode *decoder)
{
	(void)decoder;
}

#endif
