/*
 * The mod.json of a mod, which a stranger wrote: whatever it contains, an error is reported with
 * the file, or every text is terminated and plain, and every name and range is valid.
 */
#include "fuzz_surface.h"

#include <crafty/mods/mod_manifest.h>

#include <string.h>

static const char *const words[] = {"\"name\":",
                                    "\"version\":",
                                    "\"title\":",
                                    "\"description\":",
                                    "\"authors\":",
                                    "\"license\":",
                                    "\"game\":",
                                    "\"dependencies\":",
                                    "\"optional_dependencies\":",
                                    "\"conflicts\":",
                                    "\"permissions\":",
                                    "\"blocks\"",
                                    "\"chat\"",
                                    "\"^1.2\"",
                                    "\"1.0.0\"",
                                    "\\u001b",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "{\"name\": \"castle\", \"version\": \"1.0.0\"}");
    fuzz_add_text(seeds,
                  "{\"name\": \"castle\", \"title\": \"Castle\", \"version\": \"1.2.3-beta.1+b\", "
                  "\"description\": \"Walls.\", \"authors\": [\"Ada\", \"Grace\"], \"license\": "
                  "\"MIT\", \"game\": \"^1.0\", \"dependencies\": {\"stones\": \"~2.1 || 3.x\"}, "
                  "\"optional_dependencies\": {\"bees\": \"*\"}, \"conflicts\": {\"fort\": "
                  "\">=1.0 <3\"}, \"permissions\": [\"chat\", \"blocks\"]}");
}

static void check_text(const char *text, size_t capacity)
{
    char escaped[2 * CRAFTY_MOD_DESCRIPTION_BYTES];
    FUZZ_CHECK(strnlen(text, capacity) < capacity);
    FUZZ_CHECK(strcmp(cn_text_escape(cn_text(text), escaped, sizeof escaped), text) == 0);
}

static void check_range(const CraftyVersionRange *range, const CraftyVersion *version)
{
    CraftyVersionRange again;
    FUZZ_CHECK(crafty_range_parse(&again, cn_text(range->text), NULL));
    crafty_range_contains(range, version);
}

static bool run(const uint8_t *bytes, size_t size)
{
    static CraftyModManifest manifest;
    CnError error = {0};
    if (!crafty_mod_manifest_read(&manifest, "file", (CnText){(const char *)bytes, size}, &error)) {
        FUZZ_CHECK(strcmp(error.file, "file") == 0 && error.line > 0 && error.message[0]);
        return false;
    }
    FUZZ_CHECK(crafty_mod_name_valid(cn_text(manifest.name)));
    check_text(manifest.title, sizeof manifest.title);
    check_text(manifest.description, sizeof manifest.description);
    check_text(manifest.authors, sizeof manifest.authors);
    check_text(manifest.license, sizeof manifest.license);
    check_range(&manifest.game, &manifest.version);
    FUZZ_CHECK(manifest.permissions < 1u << CRAFTY_MOD_PERMISSION_COUNT);
    FUZZ_CHECK(manifest.relation_count <= CRAFTY_MOD_MAX_RELATIONS);
    for (uint32_t i = 0; i < manifest.relation_count; i++) {
        const CraftyModRelation *relation = &manifest.relations[i];
        FUZZ_CHECK(crafty_mod_name_valid(cn_text(relation->name)));
        FUZZ_CHECK(strcmp(relation->name, manifest.name) != 0);
        FUZZ_CHECK(i == 0 || strcmp(relation[-1].name, relation->name) < 0);
        check_range(&relation->range, &manifest.version);
    }
    return true;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 2048, .words = words, .add_seeds = add_seeds, .run = run};
