#include "util/hash.h"

const char hash_anchor = 0;
