/*
 * Semantic versions (2.0) and ranges of them, as mod.json contains them.
 *
 *     CraftyVersion version;
 *     CraftyVersionRange range;
 *     if (crafty_version_parse(&version, cn_text("1.4.2"), &error) &&
 *         crafty_range_parse(&range, cn_text("^1.2"), &error))
 *         fits = crafty_range_contains(&range, &version);
 *
 * A range is one or more alternatives separated by "||"; an alternative is a list of conditions
 * separated by blanks, all of which must hold:
 *
 *     1.2.3 or =1.2.3    this version          1.2 or 1.2.x or 1.2.*   from 1.2.0, below 1.3.0
 *     ^1.2.3             from 1.2.3, below 2.0.0; ^0.2.3 is below 0.3.0, and ^0.0.3 below 0.0.4
 *     ~1.2.3 or ~1.2     from there, below 1.3.0; ~1 is below 2.0.0
 *     >1.2  >=1.2  <1.2  <=1.2    comparisons; parts that are missing or x stand for all values
 *     *                  every version that is not a pre-release
 *
 * A pre-release such as 1.3.0-beta.1 is contained only if a condition of the alternative names a
 * pre-release of the same major.minor.patch, as with npm: nobody gets one without asking for it.
 */
#ifndef CRAFTY_MODS_VERSION_H
#define CRAFTY_MODS_VERSION_H

#include <cairn/base/error.h>
#include <cairn/base/text.h>

#define CRAFTY_VERSION_BYTES 64u      /* of its text, with terminator */
#define CRAFTY_RANGE_BYTES 128u       /* of its text, with terminator */
#define CRAFTY_VERSION_MAX 999999999u /* of each number */

typedef struct CraftyVersion {
    uint32_t major, minor, patch;
    char prerelease[CRAFTY_VERSION_BYTES]; /* without the dash; empty: none */
    char build[CRAFTY_VERSION_BYTES];      /* without the plus; never compared */
} CraftyVersion;

/* A range that was checked. */
typedef struct CraftyVersionRange {
    char text[CRAFTY_RANGE_BYTES];
} CraftyVersionRange;

/* Return false and an error that says what is expected; nothing is written then. */
bool crafty_version_parse(CraftyVersion *version, CnText text, CnError *error);
bool crafty_range_parse(CraftyVersionRange *range, CnText text, CnError *error);

/* Writes major.minor.patch, pre-release and build. */
void crafty_version_to_text(const CraftyVersion *version, char text[CRAFTY_VERSION_BYTES]);
/* Returns a negative number, 0 or a positive one. Builds are not compared. */
int crafty_version_compare(const CraftyVersion *a, const CraftyVersion *b);
bool crafty_range_contains(const CraftyVersionRange *range, const CraftyVersion *version);

#endif
