/* The settings of recordings of the program cairn: no recording makes its scripts trusted. */
#include "fuzz_surface.h"

#include "session.h"

#include <string.h>

static const char *const words[] = {
    "demo=",   "swarm",   " entities=", " hand=",  "seed=",
    " trust=", " scene=", "trust=1",    "4000001", "18446744073709551616",
    "..",      "/",       "0",          "9",       NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "demo=swarm entities=10000 hand=1");
    fuzz_add_text(seeds, "seed=18446744073709551615 trust=1 scene=/a/b c.json");
    fuzz_add_text(seeds, "seed=1 trust=0 scene=a.json");
}

static bool run(const uint8_t *bytes, size_t size)
{
    static RecordedSettings settings;
    char *text = cn_alloc_zeroed(NULL, size + 1);
    FUZZ_CHECK(text);
    if (size)
        memcpy(text, bytes, size);
    bool accepted = recorded_settings_read(&settings, text);
    if (accepted && settings.is_demo)
        FUZZ_CHECK(settings.entities > 0 && settings.entities <= 4000000);
    if (accepted && !settings.is_demo) {
        SessionDesc desc = SESSION_DEFAULTS;
        CnError error = {0};
        unsigned long trust = strtoul(strchr(text, ' ') + strlen(" trust="), NULL, 10);
        FUZZ_CHECK(trust == settings.has_trusted_scripts);
        FUZZ_CHECK(session_from_settings(&desc, &settings, &error) != settings.has_trusted_scripts);
        FUZZ_CHECK(!desc.trust_scripts);
    }
    cn_free(NULL, text, size + 1);
    return accepted;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 256, .words = words, .add_seeds = add_seeds, .run = run};
