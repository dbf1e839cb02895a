#define EDITION 4
#define EDITION_FAILS 0
#define EDITION_NAME "Other"
#include "edition.h"
