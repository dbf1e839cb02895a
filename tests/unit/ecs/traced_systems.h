/* Systems that tell in a text when they run, come and go. */
#ifndef CAIRN_TESTS_UNIT_ECS_TRACED_SYSTEMS_H
#define CAIRN_TESTS_UNIT_ECS_TRACED_SYSTEMS_H

#include "ecs_fixture.h"

#include <stdio.h>
#include <string.h>

static char trace[4096];

static int make_traced_world(void **state)
{
    trace[0] = '\0';
    return make_world(state);
}

static void note(const char *sign, const void *name)
{
    snprintf(trace + strlen(trace), sizeof trace - strlen(trace), "%s%s ", sign,
             (const char *)name);
}

static void run(CnSystemContext *context)
{
    note("", context->user);
}

static void on_added(CnWorld *of, void *user)
{
    (void)of;
    note("+", user);
}

static void on_removed(CnWorld *of, void *user)
{
    (void)of;
    note("-", user);
}

static void on_dispose(void *user)
{
    note("~", user);
}

static CnSystemDesc describe(const char *name)
{
    return (CnSystemDesc){
        .name = name,
        .run = run,
        .user = (void *)(uintptr_t)name,
        .stage = CN_STAGE_UPDATE,
        .on_added = on_added,
        .on_removed = on_removed,
        .dispose = on_dispose,
    };
}

#endif
