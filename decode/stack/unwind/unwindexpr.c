#include "decode/stack/unwind/unwindexpr.h"

#include "util/leb.h"

#include <dwarf.h>

enum { MAX_DEPTH = 64, MAX_STEPS = 1000 };

struct expr {
	struct span all, s;
	const struct unwind_regs *regs;
	const struct unwind_stack *stack;
	uint64_t values[MAX_DEPTH];
	unsigned depth;
	enum unwind_expr_end end;
};

static void fail(struct expr *e)
{
	e->end = UNWIND_EXPR_BAD;
}

static void push(struct expr *e, uint64_t value)
{
	if (e->depth == MAX_DEPTH)
		fail(e);
	else
		e->values[e->depth++] = e->stack->word == 4 ? (uint32_t)value : value;
}

static uint64_t pop(struct expr *e)
{
	if (e->depth == 0) {
		fail(e);
		return 0;
	}
	return e->values[--e->depth];
}

/* The value @at places below the top. */
static uint64_t peek(struct expr *e, unsigned at)
{
	if (at >= e->depth) {
		fail(e);
		return 0;
	}
	return e->values[e->depth - 1 - at];
}

static void push_register(struct expr *e, uint64_t reg, int64_t offset)
{
	/* A stub of x86-64 asks for the PC, which is the return address column. */
	if (reg >= CFI_NR_REGS || !e->regs->known[reg])
		fail(e);
	else
		push(e, e->regs->values[reg] + (uint64_t)offset);
}

static uint64_t read_number(struct span *s, unsigned size)
{
	switch (size) {
	case 1:
		return span_u8(s);
	case 2:
		return span_u16(s);
	case 4:
		return span_u32(s);
	default:
		return span_u64(s);
	}
}

static void dereference(struct expr *e, unsigned size)
{
	const struct unwind_stack *stack = e->stack;
	struct span s = span_make(stack->bytes, (size_t)stack->size, stack->swap);
	const uint64_t addr = pop(e);
	uint64_t value;

	if (size == 0 || size > stack->word || (size & (size - 1)))
		fail(e);
	if (e->end != UNWIND_EXPR_VALUE)
		return;
	span_skip(&s, addr - stack->base);
	value = read_number(&s, size);
	if (s.failed)
		e->end = addr >= stack->base ? UNWIND_EXPR_CUT : UNWIND_EXPR_BAD;
	else
		push(e, value);
}

/* Constants; false if @op is none. */
static bool run_constant(struct expr *e, uint8_t op)
{
	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(e, (uint64_t)(op - DW_OP_lit0));
		return true;
	}
	switch (op) {
	case DW_OP_addr:
		push(e, e->stack->word == 8 ? span_u64(&e->s) : span_u32(&e->s));
		return true;
	case DW_OP_const1u:
		push(e, span_u8(&e->s));
		return true;
	case DW_OP_const1s:
		push(e, (uint64_t)(int8_t)span_u8(&e->s));
		return true;
	case DW_OP_const2u:
		push(e, span_u16(&e->s));
		return true;
	case DW_OP_const2s:
		push(e, (uint64_t)(int16_t)span_u16(&e->s));
		return true;
	case DW_OP_const4u:
		push(e, span_u32(&e->s));
		return true;
	case DW_OP_const4s:
		push(e, (uint64_t)(int32_t)span_u32(&e->s));
		return true;
	case DW_OP_const8u:
	case DW_OP_const8s:
		push(e, span_u64(&e->s));
		return true;
	case DW_OP_constu:
		push(e, span_uleb(&e->s));
		return true;
	case DW_OP_consts:
		push(e, (uint64_t)span_sleb(&e->s));
		return true;
	default:
		return false;
	}
}

/* Registers, memory and the order of the stack; false if @op is none of these. */
static bool run_move(struct expr *e, uint8_t op)
{
	uint64_t a, b, c;

	if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(e, (uint64_t)(op - DW_OP_breg0), span_sleb(&e->s));
		return true;
	}
	switch (op) {
	case DW_OP_bregx:
		a = span_uleb(&e->s);
		push_register(e, a, span_sleb(&e->s));
		return true;
	case DW_OP_deref:
		dereference(e, e->stack->word);
		return true;
	case DW_OP_deref_size:
		dereference(e, span_u8(&e->s));
		return true;
	case DW_OP_dup:
		push(e, peek(e, 0));
		return true;
	case DW_OP_drop:
		(void)pop(e);
		return true;
	case DW_OP_over:
		push(e, peek(e, 1));
		return true;
	case DW_OP_pick:
		push(e, peek(e, span_u8(&e->s)));
		return true;
	case DW_OP_swap:
		a = pop(e), b = pop(e);
		push(e, a), push(e, b);
		return true;
	case DW_OP_rot:
		a = pop(e), b = pop(e), c = pop(e);
		push(e, a), push(e, c), push(e, b);
		return true;
	default:
		return false;
	}
}

/* Values have as many bits as an address. */
static int64_t signed_value(const struct expr *e, uint64_t value)
{
	return e->stack->word == 4 ? (int32_t)value : (int64_t)value;
}

static uint64_t divide(struct expr *e, int64_t x, int64_t y)
{
	if (y == 0 || (x == INT64_MIN && y == -1)) {
		fail(e);
		return 0;
	}
	return (uint64_t)(x / y);
}

static uint64_t shift(uint8_t op, uint64_t a, uint64_t by)
{
	if (by > 63)
		return 0;
	return op == DW_OP_shl ? a << by : a >> by;
}

/* @a below @b; false if @op does not take two values. */
static bool compute(struct expr *e, uint8_t op, uint64_t a, uint64_t b, uint64_t *result)
{
	const int64_t x = signed_value(e, a), y = signed_value(e, b);

	switch (op) {
	case DW_OP_and:
		*result = a & b;
		return true;
	case DW_OP_or:
		*result = a | b;
		return true;
	case DW_OP_xor:
		*result = a ^ b;
		return true;
	case DW_OP_plus:
		*result = a + b;
		return true;
	case DW_OP_minus:
		*result = a - b;
		return true;
	case DW_OP_mul:
		*result = a * b;
		return true;
	case DW_OP_div:
		*result = divide(e, x, y);
		return true;
	case DW_OP_mod:
		*result = b ? a % b : 0;
		e->end = b ? e->end : UNWIND_EXPR_BAD;
		return true;
	case DW_OP_shl:
	case DW_OP_shr:
		*result = shift(op, a, b);
		return true;
	case DW_OP_shra:
		*result = (uint64_t)(x >> (b < 63 ? b : 63));
		return true;
	case DW_OP_eq:
		*result = x == y;
		return true;
	case DW_OP_ge:
		*result = x >= y;
		return true;
	case DW_OP_gt:
		*result = x > y;
		return true;
	case DW_OP_le:
		*result = x <= y;
		return true;
	case DW_OP_lt:
		*result = x < y;
		return true;
	case DW_OP_ne:
		*result = x != y;
		return true;
	default:
		return false;
	}
}

static bool run_binary(struct expr *e, uint8_t op)
{
	uint64_t result;

	if (e->depth < 2 || !compute(e, op, peek(e, 1), peek(e, 0), &result))
		return false;
	e->depth -= 2;
	push(e, result);
	return true;
}

static void jump(struct expr *e, int16_t by)
{
	const uint64_t at = (uint64_t)(e->s.pos - e->all.pos) + (uint64_t)by;

	if (e->s.failed) /* what says how far is cut off */
		return;
	e->s = e->all;
	span_skip(&e->s, at);
}

static void run_rest(struct expr *e, uint8_t op)
{
	int16_t by;
	uint64_t value;

	switch (op) {
	case DW_OP_nop:
		break;
	case DW_OP_abs:
		value = pop(e);
		push(e, signed_value(e, value) < 0 ? -value : value);
		break;
	case DW_OP_neg:
		push(e, -pop(e));
		break;
	case DW_OP_not:
		push(e, ~pop(e));
		break;
	case DW_OP_plus_uconst:
		value = span_uleb(&e->s);
		push(e, pop(e) + value);
		break;
	case DW_OP_skip:
		jump(e, (int16_t)span_u16(&e->s));
		break;
	case DW_OP_bra:
		by = (int16_t)span_u16(&e->s);
		if (pop(e) != 0)
			jump(e, by);
		break;
	default:
		fail(e);
	}
}

enum unwind_expr_end unwind_expr(struct span expr, const struct unwind_regs *regs,
				 const struct unwind_stack *stack, const uint64_t *first,
				 uint64_t *value)
{
	struct expr e = {.all = expr, .s = expr, .regs = regs, .stack = stack};
	unsigned steps = 0;

	if (first)
		push(&e, *first);
	while (span_left(&e.s) > 0 && e.end == UNWIND_EXPR_VALUE) {
		const uint8_t op = span_u8(&e.s);

		if (!run_constant(&e, op) && !run_move(&e, op) && !run_binary(&e, op))
			run_rest(&e, op);
		if (e.s.failed || ++steps > MAX_STEPS)
			fail(&e);
	}
	if (e.end != UNWIND_EXPR_VALUE)
		return e.end;
	*value = pop(&e);
	return e.end;
}
