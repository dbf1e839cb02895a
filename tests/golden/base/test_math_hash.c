/* The bits of a million results of every function of cairn/base/math.h, with every compiler and at
 * every level of optimization. When a value here changes, so does every recorded replay that used
 * the function: say so, and why. */
#include "cmocka_tests.h"
#include "math_functions.h"

#include <string.h>

#define ARGUMENTS 1000000u

/* clang-format off */
static const struct {
    const char *name;
    uint64_t hash;
} golden[] = {
    {"sinf", 0x337694edce0eef4du},
    {"cosf", 0xa1974073cc57ef69u},
    {"tanf", 0xbb543c5d113655deu},
    {"asinf", 0x70d723e0e5f39ef8u},
    {"acosf", 0x36d26c1a4fa9ef22u},
    {"atanf", 0x4759231588ab6c3fu},
    {"expf", 0x92d42570d0cff9f3u},
    {"exp2f", 0x30037bdcb4019709u},
    {"logf", 0x1e38f62762b79c07u},
    {"log2f", 0xb3c28ca644effe0cu},
    {"sqrtf", 0x8422e4d50ab07b58u},
    {"floorf", 0x3c07a19fc8ff4434u},
    {"ceilf", 0x1504e66739bad5fdu},
    {"truncf", 0x7025e96e83c99f6fu},
    {"roundf", 0x7d7cc23fd9c08443u},
    {"atan2f", 0x29ece874b8a09facu},
    {"powf", 0x793ae3e8f39d4bedu},
    {"hypotf", 0xb1ba722922345417u},
    {"fmodf", 0xcbbd8d2dc2f9b4b3u},
    {"sin", 0x59a7616da0b40aa4u},
    {"cos", 0x305010b8093be73bu},
    {"tan", 0x9e2aa0f21c4ff4ecu},
    {"asin", 0xd1b384dc9d7afae2u},
    {"acos", 0x1bf33646f9ebd34au},
    {"atan", 0x3a55c8e58bb0bdc0u},
    {"exp", 0x7d19dec3f31467c3u},
    {"exp2", 0xc54d066660a31ff0u},
    {"log", 0x349d565448f0f1e8u},
    {"log2", 0x165363dd7dce0c91u},
    {"sqrt", 0xd4dd344dc42c8aa9u},
    {"floor", 0x9d10de99f69f8d1eu},
    {"ceil", 0x3399e687b0bd8210u},
    {"trunc", 0xdc85bbc8bdc15f58u},
    {"round", 0x4d05192f181501eeu},
    {"atan2", 0x659e8021235d31a3u},
    {"pow", 0xe0064aa0184d5dd4u},
    {"hypot", 0x334965d18d68b3a6u},
    {"fmod", 0x48f12542443ffb4fu},
    {"sincosf_many", 0xe06f43a1af752ae1u},
};
/* clang-format on */

typedef struct Comparison {
    uint32_t next, wrong;
} Comparison;

static void compare(const char *name, uint64_t hash, void *user)
{
    Comparison *comparison = user;
    assert_true(comparison->next < sizeof golden / sizeof golden[0]);
    assert_string_equal(name, golden[comparison->next].name);
    if (hash != golden[comparison->next].hash) {
        print_message("    {\"%s\", 0x%016llxu},\n", name, (unsigned long long)hash);
        comparison->wrong++;
    }
    comparison->next++;
}

static void every_function_has_its_hash(void **state)
{
    (void)state;
    Comparison comparison = {0};
    math_hash_all(ARGUMENTS, compare, &comparison);
    assert_int_equal(comparison.next, sizeof golden / sizeof golden[0]);
    assert_int_equal(comparison.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_has_its_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
