/*
 * test_options_mutations.c - the config reader under 20 000 mutations of the fuzzer's seeds.
 *
 * Pins: whatever the bytes, the reader refuses with a reason or reads values whose canonical form
 * reads back the same (options_case.h has the list). Built with sanitizers, it pins memory as well.
 * Does not pin: which texts are refused and why; that is tests/unit/options/test_options.c.
 *
 * The generator is seeded with a constant, so a failure comes again; the failing text is printed.
 */
#include "tests/fuzz/options_case.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { MUTATIONS = 20000, SEEDS_MAX = 32, TEXT_MAX = 8192 };

struct text {
    char bytes[TEXT_MAX];
    size_t size;
};

/* xorshift64* (Vigna 2016), good enough to pick places in a text. */
static uint64_t state = 0x9e3779b97f4a7c15;

static size_t below(size_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 0x2545f4914f6cdd1d) >> 33) % n;
}

static struct text seeds[SEEDS_MAX];
static size_t seeds_count;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the order of their names: a folder has none of its own. */
static int load_seeds(void **unused)
{
    static const char folder[] = DCS_SOURCE_DIR "/tests/fuzz/seeds/options";
    char *names[SEEDS_MAX], path[1024];
    size_t count = 0;
    DIR *dir = opendir(folder);
    (void)unused;
    if (!dir)
        return -1;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL && count < SEEDS_MAX;)
        if (entry->d_name[0] != '.')
            names[count++] = strdup(entry->d_name);
    closedir(dir);
    qsort(names, count, sizeof names[0], compare_names);
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        free(names[i]);
        FILE *file = fopen(path, "rb");
        if (!file)
            return -1;
        seeds[seeds_count].size = fread(seeds[seeds_count].bytes, 1, TEXT_MAX / 2, file);
        seeds_count++;
        fclose(file);
    }
    return seeds_count > 0 ? 0 : -1;
}

/* Puts `size` bytes in place of `old` bytes at `at`, if there is room. */
static void splice(struct text *t, size_t at, size_t old, const char *bytes, size_t size)
{
    char copy[TEXT_MAX];
    if (at + old > t->size || t->size - old + size > TEXT_MAX)
        return;
    memcpy(copy, bytes, size); /* bytes may lie in t */
    memmove(t->bytes + at + size, t->bytes + at + old, t->size - at - old);
    memcpy(t->bytes + at, copy, size);
    t->size = t->size - old + size;
}

static void nest(struct text *t)
{
    size_t at = below(t->size + 1), depth = 1 + below(1200), i;
    char brackets[1200];
    for (i = 0; i < depth; i++)
        brackets[i] = '[';
    splice(t, at, 0, brackets, depth);
    if (below(2) == 0) {
        memset(brackets, ']', depth);
        splice(t, t->size - below(t->size + 1), 0, brackets, depth);
    }
}

static void mutate(struct text *t)
{
    static const char *const words[] = {
        "null",
        "true",
        "-",
        "1e999",
        "1e-999",
        "0.5",
        "99999999999999999999",
        "\\u0000",
        "\\ud800",
        "{}",
        "[]",
        "\"\"",
        ",",
        ":",
        "\"items\":",
        "\"_\":0,",
        "\xff",
        "\xc3\xa9",
        "\x1e",
        "seed=2",
        "/*",
        "\n\n",
        "\xef\xbb\xbf",
        "NaN",
    };
    size_t at = below(t->size + 1), length = below(t->size - at + 1);
    const char *word = words[below(sizeof words / sizeof words[0])];
    switch (below(8)) {
    case 0: /* truncate */
        t->size = at;
        break;
    case 1: /* flip one bit */
        if (at < t->size)
            t->bytes[at] = (char)(t->bytes[at] ^ (1 << below(8)));
        break;
    case 2: /* duplicate a stretch */
        splice(t, below(t->size + 1), 0, t->bytes + at, length);
        break;
    case 3: /* cut a stretch */
        splice(t, at, length < 20 ? length : below(20), "", 0);
        break;
    case 4: /* any byte */
        if (at < t->size)
            t->bytes[at] = (char)below(256);
        break;
    case 5: /* a digit, which most often leaves a document */
        for (; at < t->size; at++) {
            if (t->bytes[at] >= '0' && t->bytes[at] <= '9') {
                t->bytes[at] = "0123456789.e-"[below(13)];
                break;
            }
        }
        break;
    case 6:
        splice(t, at, 0, word, strlen(word));
        break;
    default:
        if (below(20) == 0)
            nest(t);
        else
            splice(t, at, below(2) && at < t->size, word, strlen(word));
        break;
    }
}

static void mutations_are_refused_or_read_back(void **unused)
{
    static struct text t;
    size_t accepted_count = 0;
    (void)unused;
    for (int i = 0; i < MUTATIONS; i++) {
        bool accepted;
        t = seeds[below(seeds_count)];
        for (size_t n = below(4); n > 0; n--)
            mutate(&t);
        char *exact = malloc(t.size + 1); /* so that a sanitizer sees a read past the end */
        memcpy(exact, t.bytes, t.size);
        const char *wrong = case_check(exact, t.size, &accepted);
        free(exact);
        accepted_count += accepted;
        if (wrong)
            fail_msg("mutation %d: %s:\n%.*s", i, wrong, (int)t.size, t.bytes);
    }
    /* Neither way may be rare, or half of what is said above goes untested. */
    assert_true(accepted_count > MUTATIONS / 20);
    assert_true(accepted_count < MUTATIONS - MUTATIONS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutations_are_refused_or_read_back)};
    return cmocka_run_group_tests(tests, load_seeds, NULL);
}
