/* The samples of every sound have the bits that they had when tests/golden/sounds/samples.txt was
 * written, with every compiler and on every CPU. After a sound was changed on purpose:
 * cut -f1,2,13 build/release/generated/sounds/sounds.tsv | grep -v '^#' > that file. */
#include "cmocka_tests.h"

#include <stdio.h>
#include <string.h>

static void samples_are_the_golden_ones(void **state)
{
    FILE *made = fopen(CRAFTY_SOUNDS "/sounds.tsv", "r");
    FILE *golden = fopen("tests/golden/sounds/samples.txt", "r");
    char line[512], want[128];
    uint32_t count = 0;
    (void)state;
    assert_non_null(made);
    assert_non_null(golden);
    while (fgets(line, sizeof line, made)) {
        char name[48], variant[8], hash[20], have[128];
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%47s %7s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %19s", name,
                                variant, hash),
                         3);
        snprintf(have, sizeof have, "%s\t%s\t%s\n", name, variant, hash);
        assert_non_null(fgets(want, sizeof want, golden));
        assert_string_equal(have, want);
        count++;
    }
    assert_null(fgets(want, sizeof want, golden));
    assert_true(count > 200);
    fclose(made);
    fclose(golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_are_the_golden_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
