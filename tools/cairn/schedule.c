#include "commands.h"
#include "session.h"

#include <cairn/base/console.h>

#include <stdio.h>
#include <stdlib.h>

static void print_piece(const char *text, void *user)
{
    (void)user;
    fputs(text, stdout);
}

static bool print_stage(CnWorld *world, CnStage stage)
{
    CnError error = {0};
    uint32_t count = 0;
    if (!cn_stage_systems(world, stage, NULL, 0, &count, &error))
        return report(&error);
    if (!count)
        return true;
    CnScheduled *systems = calloc(count, sizeof *systems);
    if (!systems)
        return false;
    cn_stage_systems(world, stage, systems, count, &count, &error);
    cn_print("%s", cn_stage_name(stage));
    for (uint32_t i = 0; i < count; i++)
        cn_print("  wave %-3u %s%s%s", systems[i].wave, systems[i].name,
                 systems[i].alone ? " (alone)" : "", systems[i].enabled ? "" : " (off)");
    free(systems);
    return true;
}

static bool print_schedule(CnWorld *world, bool dot, bool ambiguities)
{
    CnError error = {0};
    bool done = true;
    if (ambiguities)
        return cn_schedule_ambiguities(world, print_piece, NULL, &error) || report(&error);
    if (dot)
        return cn_schedule_dot(world, print_piece, NULL, &error) || report(&error);
    for (CnStage stage = 0; stage < CN_STAGE_COUNT && done; stage++)
        done = print_stage(world, stage);
    return done;
}

int command_schedule(int count, char **arguments)
{
    SessionDesc desc = SESSION_DEFAULTS;
    OptionList scene = {0};
    bool dot = false, ambiguities = false;
    const Option table[] = {
        {"--demo", "NAME", "a built-in world: swarm, boxes, fair or empty (swarm)", OPTION_TEXT,
         &desc.demo, 0, 0},
        {"--plugin", "FILE", "load a shared library or a Lua file with systems; may be repeated",
         OPTION_LIST, &desc.plugins, 0, 0},
        {"--dot", NULL, "print a graph for Graphviz: cairn schedule --dot | dot -Tsvg", OPTION_FLAG,
         &dot, 0, 0},
        {"--ambiguities", NULL, "print only systems that conflict without a declared order",
         OPTION_FLAG, &ambiguities, 0, 0},
        {0},
    };
    const Usage usage = {"schedule",
                         "[SCENE | --demo NAME] [--dot | --ambiguities]",
                         "Prints the systems of each stage in order. Systems of the same wave may "
                         "run in parallel.",
                         table,
                         &scene,
                         1};
    ParseResult parsed = parse_options(&usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    desc.scene = scene.count ? scene.items[0] : NULL;
    if (desc.scene && desc.demo) {
        fprintf(stderr, "cairn schedule: give a scene file or a demo, not both\n");
        return 2;
    }
    if (dot && ambiguities) {
        fprintf(stderr, "cairn schedule: give --dot or --ambiguities, not both\n");
        return 2;
    }
    if (!session_check_demo("schedule", desc.demo))
        return 2;
    desc.demo = desc.scene || desc.demo ? desc.demo : "swarm";
    desc.entities = 100;
    Session session;
    bool done = session_begin(&session, &desc) &&
                print_schedule(cn_sim_world(session.sim), dot, ambiguities);
    session_end(&session);
    return done ? 0 : 1;
}
