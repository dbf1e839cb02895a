#include <cairn/base/text.h>

#define NAME_BYTES 64

/* Returns the Levenshtein distance of two names, both shorter than NAME_BYTES. */
static uint32_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    uint32_t row[NAME_BYTES];
    for (uint32_t j = 0; j <= b_size; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= a_size; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_size; j++) {
            uint32_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            uint32_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = replaced < other ? replaced : other;
        }
    }
    return row[b_size];
}

const char *cn_text_most_similar(const char *name, const char *(*next)(void *user), void *user)
{
    size_t size = strlen(name);
    const char *best = NULL, *other;
    uint32_t best_distance = (uint32_t)(size < 4 ? 1 : size < 9 ? 2 : 3) + 1;
    while (size < NAME_BYTES && (other = next(user))) {
        size_t other_size = strlen(other);
        if (other_size >= NAME_BYTES)
            continue;
        uint32_t d = distance(name, size, other, other_size);
        if (d < best_distance) {
            best = other;
            best_distance = d;
        }
    }
    return best;
}
