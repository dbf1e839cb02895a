#include "verify.h"

#include "crafty/mods/session_mods.h"

#include <cairn/base/console.h>

#include <inttypes.h>
#include <stdio.h>

static int fail(const char *program, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_print_error("%s: %s", program, cn_error_text(error, text, sizeof text));
    return 1;
}

int crafty_print_hashes(const char *program, CraftySession *session)
{
    const CnSim *sim = crafty_session_sim(session);
    printf("tick %" PRIu64 " state %016" PRIx64 " blocks %016" PRIx64 "\n", cn_sim_tick(sim),
           cn_sim_hash(sim), cn_voxels_hash(crafty_world_voxels(crafty_session_world(session))));
    if (!fflush(stdout))
        return 0;
    fprintf(stderr, "%s: cannot write the hashes\n", program);
    return 1;
}

static int play(const CraftyVerifyDesc *desc, CnReplay *replay, CraftySession *session)
{
    CnError error = {0};
    CnReplayDifference difference = {0};
    const CnReplayInfo *info = cn_replay_info(replay);
    uint64_t end = info->first_tick +
                   (desc->ticks && desc->ticks < info->tick_count ? desc->ticks : info->tick_count);
    if (!cn_replay_run(replay, crafty_session_sim(session), end, &difference, &error))
        return fail(desc->program, &error);
    if (difference.found) {
        cn_print_error("%s: %s The state hash is %016" PRIx64 ", recorded %016" PRIx64 ".",
                       desc->program, difference.text, difference.hash, difference.recorded_hash);
        return 1;
    }
    if (info->cut_off)
        fprintf(stderr, "%s: the recording was cut off; it is complete up to tick %" PRIu64 "\n",
                desc->program, info->first_tick + info->tick_count);
    return crafty_print_hashes(desc->program, session);
}

int crafty_verify(const CraftyVerifyDesc *desc)
{
    CnError error = {0};
    CraftyWorldReplay *replay = crafty_world_replay_open(cn_native_files(), desc->path, &error);
    if (!replay)
        return fail(desc->program, &error);
    CraftySessionMods *mods = crafty_session_mods_create(
        &(CraftySessionModsDesc){.extra = desc->mods,
                                 .without = desc->no_mods,
                                 .recorded = crafty_world_replay_mods(replay)},
        &error);
    CraftySession *session =
        mods ? crafty_session_create(&(CraftySessionDesc){.replay = replay,
                                                          .threads = desc->threads,
                                                          .mods = crafty_session_mods_code(mods)},
                                     &error)
             : NULL;
    int status =
        session ? play(desc, crafty_world_replay_cn(replay), session) : fail(desc->program, &error);
    crafty_session_destroy(session);
    crafty_session_mods_destroy(mods);
    crafty_world_replay_close(replay);
    return status;
}
