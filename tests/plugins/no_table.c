#include "constructor.h"

extern int nothing;
__attribute__((visibility("default"))) int nothing = 1;
