#define EDITION 3
#define EDITION_FAILS 1
#define EDITION_NAME "Edition"
#include "edition.h"
