/* The parts of check_world. Each returns false after describing the error. */
#ifndef CAIRN_TESTS_SUPPORT_ECS_CHECK_WORLD_PARTS_H
#define CAIRN_TESTS_SUPPORT_ECS_CHECK_WORLD_PARTS_H

#include "ecs/command/command_buffer.h"

/* Stores the description of an error and returns false. */
bool report_problem(const char *format, ...) CN_PRINTF_LIKE(1, 2);

#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return report_problem(__VA_ARGS__);                                                    \
    } while (0)

bool check_slots(const CnWorld *world);
bool check_archetypes(const CnWorld *world);
bool check_edges(const CnWorld *world);
bool check_chunks(const CnWorld *world);
bool check_components(const CnWorld *world);
bool check_pairs(const CnWorld *world);
bool check_queries(const CnWorld *world);
bool check_tree(const CnWorld *world);
bool check_commands(const CnWorld *world);

#endif
