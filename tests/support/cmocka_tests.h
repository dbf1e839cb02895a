/* cmocka, and what it wants to be included before it. */
#ifndef CAIRN_TESTS_CMOCKA_TESTS_H
#define CAIRN_TESTS_CMOCKA_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
