#include "util/tree.h"

static void replace_child(struct tree *tree, struct tree_node *parent, struct tree_node *old,
			  struct tree_node *new)
{
	if (!parent)
		tree->root = new;
	else if (parent->left == old)
		parent->left = new;
	else
		parent->right = new;
	if (new)
		new->parent = parent;
}

/*
 *     x                 y
 *    a  y      ->      x  c      and the balances that follow from the heights of a, b and c.
 *      b c            a b
 */
static struct tree_node *rotate_left(struct tree *tree, struct tree_node *x)
{
	struct tree_node *y = x->right;

	replace_child(tree, x->parent, x, y);
	x->right = y->left;
	if (x->right)
		x->right->parent = x;
	y->left = x;
	x->parent = y;
	x->balance -= 1 + (y->balance > 0 ? y->balance : 0);
	y->balance -= 1 - (x->balance < 0 ? x->balance : 0);
	return y;
}

static struct tree_node *rotate_right(struct tree *tree, struct tree_node *x)
{
	struct tree_node *y = x->left;

	replace_child(tree, x->parent, x, y);
	x->left = y->right;
	if (x->left)
		x->left->parent = x;
	y->right = x;
	x->parent = y;
	x->balance += 1 - (y->balance < 0 ? y->balance : 0);
	y->balance += 1 + (x->balance > 0 ? x->balance : 0);
	return y;
}

/* Rebalances @node, whose balance is -2 or 2; returns the new top of its subtree. */
static struct tree_node *rebalance(struct tree *tree, struct tree_node *node)
{
	if (node->balance > 1) {
		if (node->right->balance < 0)
			rotate_right(tree, node->right);
		return rotate_left(tree, node);
	}
	if (node->left->balance > 0)
		rotate_left(tree, node->left);
	return rotate_right(tree, node);
}

static void link_node(struct tree *tree, struct tree_node *node, struct tree_node *parent,
		      struct tree_node **slot)
{
	*node = (struct tree_node){.parent = parent};
	*slot = node;
	tree->last_inserted = node;
	for (struct tree_node *child = node; parent; child = parent, parent = parent->parent) {
		parent->balance += parent->right == child ? 1 : -1;
		if (parent->balance > 1 || parent->balance < -1)
			parent = rebalance(tree, parent);
		if (parent->balance == 0)
			return; /* this subtree's height did not change */
	}
}

/* Inserts @node in the subtree of @top, or as the root if @top is NULL. */
static void insert_below(struct tree *tree, struct tree_node *top, struct tree_node *node,
			 tree_cmp cmp)
{
	struct tree_node *parent = top ? top->parent : NULL;
	struct tree_node **slot = &tree->root;

	while (top) {
		parent = top;
		slot = cmp(node, top) < 0 ? &top->left : &top->right;
		top = *slot;
	}
	link_node(tree, node, parent, slot);
}

void tree_insert(struct tree *tree, struct tree_node *node, tree_cmp cmp)
{
	insert_below(tree, tree->root, node, cmp);
}

/* Returns the lowest node from @from upwards whose subtree contains the place of @node. */
static struct tree_node *climb(struct tree_node *from, const struct tree_node *node, tree_cmp cmp)
{
	bool right = cmp(node, from) >= 0; /* the place is right of @from */
	struct tree_node *top = from, *below = from;

	for (struct tree_node *up = from->parent; up; below = up, up = up->parent) {
		bool up_is_right = up->left == below;

		if (up_is_right != right)
			continue; /* @up is on the other side of @from than the place */
		if ((cmp(node, up) >= 0) != right)
			return top; /* the place is between @from and @up */
		top = up;
	}
	return top;
}

void tree_insert_near(struct tree *tree, struct tree_node *node, tree_cmp cmp)
{
	struct tree_node *from = tree->last_inserted;

	insert_below(tree, from ? climb(from, node, cmp) : tree->root, node, cmp);
}

/* Updates the balances from @parent upwards after its @left or right subtree became lower. */
static void shrink_upwards(struct tree *tree, struct tree_node *parent, bool left)
{
	while (parent) {
		struct tree_node *up;

		parent->balance += left ? 1 : -1;
		if (parent->balance > 1 || parent->balance < -1)
			parent = rebalance(tree, parent);
		if (parent->balance != 0)
			return; /* this subtree's height did not change */
		up = parent->parent;
		left = up && up->left == parent;
		parent = up;
	}
}

/* Puts @heir, the successor of @node and leftmost of its right subtree, in @node's place. */
static void remove_inner(struct tree *tree, struct tree_node *node, struct tree_node *heir)
{
	struct tree_node *parent = heir->parent;
	bool left = parent != node;

	if (left) {
		replace_child(tree, parent, heir, heir->right);
		heir->right = node->right;
		heir->right->parent = heir;
	} else {
		parent = heir;
	}
	replace_child(tree, node->parent, node, heir);
	heir->left = node->left;
	heir->left->parent = heir;
	heir->balance = node->balance;
	shrink_upwards(tree, parent, left);
}

void tree_remove(struct tree *tree, struct tree_node *node)
{
	if (tree->last_inserted == node)
		tree->last_inserted = NULL;
	if (node->left && node->right) {
		remove_inner(tree, node, tree_next(node));
	} else {
		struct tree_node *parent = node->parent;
		bool left = parent && parent->left == node;

		replace_child(tree, parent, node, node->left ? node->left : node->right);
		shrink_upwards(tree, parent, left);
	}
	*node = (struct tree_node){0};
}

static struct tree_node *leftmost(struct tree_node *node)
{
	while (node && node->left)
		node = node->left;
	return node;
}

struct tree_node *tree_first(const struct tree *tree)
{
	return leftmost(tree->root);
}

struct tree_node *tree_next(const struct tree_node *node)
{
	if (node->right)
		return leftmost(node->right);
	while (node->parent && node->parent->right == node)
		node = node->parent;
	return node->parent;
}
