/* Code of a library that runs while it is loaded, before the program can call anything. */
#ifndef CAIRN_TESTS_PLUGINS_CONSTRUCTOR_H
#define CAIRN_TESTS_PLUGINS_CONSTRUCTOR_H

#include <stdlib.h>

__attribute__((constructor)) static void run_while_loading(void)
{
    setenv("CAIRN_TEST_CONSTRUCTOR", "has run", 1);
}

#endif
