#include "commands.h"
#include "session.h"

#include <cairn/base/console.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* TICK:COMPONENT:ENTITY:BIT, to test that --verify finds a difference. */
typedef struct Fault {
    uint64_t tick;
    char component[CN_MAX_NAME_BYTES];
    uint32_t entity, bit;
} Fault;

typedef struct ReplayOptions {
    SessionDesc session;
    OptionList files;
    const char *file;
    uint64_t to, seek;
    const char *fault_text, *save;
    Fault fault;
    bool verify, hash, info, make_folders;
} ReplayOptions;

static void print_info(const CnReplayInfo *info)
{
    cn_print("recorded by %s", info->build);
    cn_print("settings: %s", info->settings);
    cn_print("seed %" PRIu64 ", %u ticks per second", info->seed, info->tick_hz);
    cn_print("ticks %" PRIu64 " to %" PRIu64 ", %u keyframes%s", info->first_tick,
             info->first_tick + info->tick_count, info->keyframe_count,
             info->cut_off ? ", truncated" : "");
}

static bool parse_fault(const char *text, Fault *fault)
{
    int length = 0;
    int parts = sscanf(text, "%" SCNu64 ":%63[^:]:%" SCNu32 ":%" SCNu32 "%n", &fault->tick,
                       fault->component, &fault->entity, &fault->bit, &length);
    return parts == 4 && !text[length];
}

/* Flips a bit of the n-th entity that has the component, in order of entity numbers. */
static bool flip_bit(CnWorld *world, const Fault *fault)
{
    CnComponent component = cn_component_find(world, fault->component);
    CnComponentInfo info;
    if (!cn_component_info(world, component, &info) || fault->bit >= info.size * 8)
        return false;
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes_id(component)}}, NULL);
    uint32_t count = query ? cn_query_count(query) : 0;
    CnEntity *entities = calloc(count ? count : 1, sizeof *entities);
    bool done = false;
    if (entities && fault->entity < count) {
        cn_query_entities(query, entities, count);
        CnEntity entity = entities[fault->entity];
        uint8_t *value = cn_get_component_mut(world, entity, component);
        value[fault->bit / 8] ^= (uint8_t)(1u << fault->bit % 8);
        cn_print("planted: bit %u of %s of entity %u:%u before tick %" PRIu64 "", fault->bit,
                 fault->component, cn_entity_index(entity), cn_entity_generation(entity),
                 fault->tick);
        done = true;
    }
    free(entities);
    cn_query_release(query);
    return done;
}

/* Plays up to the tick and flips the bit. */
static bool play_and_plant(CnReplay *replay, Session *session, const Fault *fault, uint64_t end,
                           CnReplayDifference *difference)
{
    CnError error = {0};
    if (fault->tick < cn_sim_tick(session->sim) || fault->tick >= end) {
        fprintf(stderr,
                "cairn replay: --flip-bit needs a tick from %" PRIu64 " up to %" PRIu64 "\n",
                cn_sim_tick(session->sim), end);
        return false;
    }
    if (!cn_replay_run(replay, session->sim, fault->tick, difference, &error))
        return report(&error);
    if ((difference && difference->found) || flip_bit(cn_sim_world(session->sim), fault))
        return true;
    cn_print_error("cairn replay: bit %u of %s of entity number %u does not exist", fault->bit,
                   fault->component, fault->entity);
    return false;
}

static void print_hash(const Session *session, const ReplayOptions *options)
{
    if (options->hash)
        printf("tick %" PRIu64 " hash %016" PRIx64 "\n", cn_sim_tick(session->sim),
               cn_sim_hash(session->sim));
}

static bool play(CnReplay *replay, Session *session, const ReplayOptions *options)
{
    CnError error = {0};
    CnReplayDifference difference = {0};
    CnReplayDifference *verify = options->verify ? &difference : NULL;
    const CnReplayInfo *info = cn_replay_info(replay);
    const uint64_t last = info->first_tick + info->tick_count;
    const uint64_t end = options->to < last ? options->to : last;
    if (info->first_tick != cn_sim_tick(session->sim) &&
        !cn_replay_seek(replay, session->sim, info->first_tick, &error))
        return report(&error);
    if (options->fault_text && !play_and_plant(replay, session, &options->fault, end, verify))
        return false;
    if (!difference.found && !cn_replay_run(replay, session->sim, end, verify, &error))
        return report(&error);
    if (difference.found) {
        cn_print("%s", difference.text);
        return false;
    }
    printf(options->verify ? "verified: %" PRIu64 " ticks match the recording\n"
                           : "played %" PRIu64 " ticks\n",
           cn_sim_tick(session->sim) - info->first_tick);
    if (info->cut_off && end == last)
        printf("the recording is truncated there\n");
    print_hash(session, options);
    return true;
}

/* Goes to a tick, from the nearest keyframe instead of the start. */
static bool seek(CnReplay *replay, Session *session, const ReplayOptions *options)
{
    CnError error = {0};
    if (!cn_replay_seek(replay, session->sim, options->seek, &error))
        return report(&error);
    printf("the state before tick %" PRIu64 "\n", cn_sim_tick(session->sim));
    print_hash(session, options);
    return true;
}

static bool play_session(CnReplay *replay, ReplayOptions *options)
{
    const CnReplayInfo *info = cn_replay_info(replay);
    Session session;
    if (options->session.demo)
        options->session.seed = info->seed; /* that of a scene is derived from the settings */
    options->session.tick_hz = info->tick_hz;
    bool done = session_begin(&session, &options->session) &&
                (options->seek < UINT64_MAX ? seek(replay, &session, options)
                                            : play(replay, &session, options)) &&
                (!options->save || session_save(&session, options->save));
    session_end(&session);
    return done;
}

static bool replay_file(ReplayOptions *options)
{
    CnError error = {0};
    CnReplay *replay = cn_replay_open(cn_native_files(), options->file, NULL, &error);
    if (!replay)
        return report(&error);
    const CnReplayInfo *info = cn_replay_info(replay);
    static RecordedSettings settings;
    bool done = true;
    if (options->info) {
        print_info(info);
    } else if (!recorded_settings_read(&settings, info->settings)) {
        cn_print_error("cairn: %s was recorded by another program: %s", options->file,
                       info->settings);
        done = false;
    } else if (!session_from_settings(&options->session, &settings, &error)) {
        cn_print_error("cairn: %s: %s", options->file, error.message);
        done = false;
    } else {
        done = play_session(replay, options);
    }
    cn_replay_close(replay);
    return done;
}

int command_replay(int count, char **arguments)
{
    ReplayOptions options = {.session = SESSION_DEFAULTS, .to = UINT64_MAX, .seek = UINT64_MAX};
    const Option table[] = {
        {"--verify", NULL, "compare the state after each tick with the recording", OPTION_FLAG,
         &options.verify, 0, 0},
        {"--to", "TICK", "stop before this tick", OPTION_U64, &options.to, 0, 0},
        {"--seek", "TICK", "go to the state before this tick, from the nearest keyframe",
         OPTION_U64, &options.seek, 0, 0},
        {"--save", "FILE", "save the state at the end", OPTION_TEXT, &options.save, 0, 0},
        MAKE_FOLDERS_OPTION(options.make_folders),
        {"--scene", "FILE", "the scene file, if it was moved since the recording", OPTION_TEXT,
         &options.session.scene, 0, 0},
        {"--also", "SCENE", "another scene that scripts may switch to; may be repeated",
         OPTION_LIST, &options.session.also, 0, 0},
        {"--trust-scripts", NULL,
         "allow a recording of trusted scripts: with the full Lua library, without limits",
         OPTION_FLAG, &options.session.trust_scripts, 0, 0},
        {"--entities", "N", "allow a recorded demo with up to N entities (100,000)", OPTION_U32,
         &options.session.entities, 1, 4000000},
        {"--threads", "N", "number of threads; 0: one per core (1)", OPTION_U32,
         &options.session.threads, 0, 256},
        {"--plugin", "FILE", "load a shared library or a Lua file with systems; may be repeated",
         OPTION_LIST, &options.session.plugins, 0, 0},
        {"--flip-bit", "T:C:E:B", "flip bit B of component C of the E-th entity before tick T",
         OPTION_TEXT, &options.fault_text, 0, 0},
        {"--hash", NULL, "print the hash of the state at the end", OPTION_FLAG, &options.hash, 0,
         0},
        {"--info", NULL, "only print information about the recording", OPTION_FLAG, &options.info,
         0, 0},
        {0},
    };
    const Usage usage = {
        "replay",
        "FILE [--verify] [options]",
        "Plays a recording without a window. With --verify, prints the first tick, "
        "component and\nentity that differ, and exits with status 1.",
        table,
        &options.files,
        1};
    ParseResult parsed = parse_options(&usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    options.file = options.files.count ? options.files.items[0] : NULL;
    if (!options.file) {
        fprintf(stderr, "cairn replay: no file given (try cairn replay --help)\n");
        return 2;
    }
    if (options.fault_text && !parse_fault(options.fault_text, &options.fault)) {
        cn_print_error("cairn replay: --flip-bit needs TICK:COMPONENT:ENTITY:BIT, not \"%s\"",
                       options.fault_text);
        return 2;
    }
    return prepare_output(options.save, options.make_folders) && replay_file(&options) ? 0 : 1;
}
