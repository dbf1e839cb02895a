/*
 * Versions and ranges of mods: the first line is a range, the others are versions. Versions are
 * read again as they are written, their order is consistent, and a range contains the same versions
 * each time it is asked.
 */
#include "fuzz_surface.h"

#include <crafty/mods/version.h>

#include <string.h>

#define VERSIONS 4u

static const char *const words[] = {"^",   "~",     ">=",   "<=",      "<",         ">", "=",  "||",
                                    " ",   ".",     "x",    "*",       "-",         "+", "\n", "0",
                                    "1.2", "1.2.3", "beta", "-beta.1", "999999999", NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "^1.2.3-beta.1 || >=2.0 <3.x\n1.2.3\n1.2.3-beta.2\n2.5.0+build\n3.0.0-rc");
    fuzz_add_text(seeds, "~0.2 *\n0.2.0\n0.0.1-a.1.b\n");
}

static void check_order(const CraftyVersion *a, const CraftyVersion *b, const CraftyVersion *c)
{
    int ab = crafty_version_compare(a, b), bc = crafty_version_compare(b, c);
    FUZZ_CHECK(crafty_version_compare(a, a) == 0);
    FUZZ_CHECK((ab > 0) == (crafty_version_compare(b, a) < 0));
    FUZZ_CHECK(ab > 0 || bc > 0 || crafty_version_compare(a, c) <= 0);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnText rest = {(const char *)bytes, size}, line;
    CraftyVersionRange range;
    CraftyVersion versions[VERSIONS];
    uint32_t count = 0;
    CnError error = {0};
    bool good = cn_text_split(&rest, '\n', &line) && crafty_range_parse(&range, line, &error);
    FUZZ_CHECK(good || size == 0 || error.message[0]);
    while (count < VERSIONS && cn_text_split(&rest, '\n', &line)) {
        char text[CRAFTY_VERSION_BYTES];
        CraftyVersion *version = &versions[count], again;
        if (!crafty_version_parse(version, line, &error))
            continue;
        crafty_version_to_text(version, text);
        FUZZ_CHECK(cn_text_equal(cn_text(text), line));
        FUZZ_CHECK(crafty_version_parse(&again, cn_text(text), NULL));
        FUZZ_CHECK(crafty_version_compare(version, &again) == 0);
        if (good)
            FUZZ_CHECK(crafty_range_contains(&range, version) ==
                       crafty_range_contains(&range, &again));
        count++;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            for (uint32_t k = 0; k < count; k++)
                check_order(&versions[i], &versions[j], &versions[k]);
    return good && count > 0;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 512, .words = words, .add_seeds = add_seeds, .run = run};
