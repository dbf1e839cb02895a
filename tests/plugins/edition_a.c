#define EDITION 1
#define EDITION_FAILS 0
#define EDITION_NAME "Edition"
#include "edition.h"
