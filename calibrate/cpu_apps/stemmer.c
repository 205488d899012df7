/*
 * stemmer.c - stems of English words: Porter, "An algorithm for suffix stripping", Program 14(3),
 * 1980, as printed there: without the two rules that his own program has for -bli and -logi. Words
 * of one or two letters stay as they are, as in that program.
 *
 * A size is a number of words, made of a stem and a few suffixes each; threads divide them. Words
 * are read and stems written once: a working set of 48 bytes a word.
 */
#include "calibrate/cpu/cpu_app.h"

#include <string.h>

enum { LETTERS = 24, GRAIN = 512 };

/* Lower case, filled up with zeros. */
struct word {
    char text[LETTERS];
};

struct state {
    int64_t words;
    struct word *given, *stems;
};

/* --- inputs --- */

static const char *const beginnings[] = {
    "act",     "adopt", "agree",  "allow",  "bowdl", "caress", "cat",     "commun",  "condit",
    "conflat", "cri",   "decis",  "depend", "digit", "effect", "elect",   "fail",    "fall",
    "fizz",    "form",  "gener",  "good",   "happ",  "hesit",  "hiss",    "hop",     "infer",
    "irrit",   "motor", "operat", "plast",  "poni",  "predic", "probat",  "relat",   "replac",
    "reviv",   "roll",  "sens",   "size",   "sky",   "tann",   "triplic", "trouble", "vietnam",
    "vile",    "yield", "oscill", "tr",     "file",
};
static const char *const endings[] = {
    "",        "s",     "es",    "ies",   "ed",      "ing",     "eed",     "y",     "ational",
    "tional",  "enci",  "anci",  "izer",  "abli",    "alli",    "entli",   "eli",   "ousli",
    "ization", "ation", "ator",  "alism", "iveness", "fulness", "ousness", "aliti", "iviti",
    "biliti",  "icate", "ative", "alize", "iciti",   "ical",    "ful",     "ness",  "al",
    "ance",    "ence",  "er",    "ic",    "able",    "ible",    "ant",     "ement", "ment",
    "ent",     "sion",  "tion",  "ou",    "ism",     "ate",     "iti",     "ous",   "ive",
    "ize",     "e",     "ll",    "tt",    "sses",    "ibli",    "logi",
};

static void append(struct word *w, const char *text)
{
    size_t length = strlen(w->text), more = strlen(text);
    if (length + more < LETTERS)
        memcpy(w->text + length, text, more);
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    s->words = size;
    s->given = cal_arena_take(a, (size_t)size, sizeof *s->given);
    s->stems = cal_arena_take(a, (size_t)size, sizeof *s->stems);
    for (int64_t i = 0; i < size; i++) {
        uint64_t bits = cal_cpu_random(seed, (uint64_t)i);
        append(&s->given[i], beginnings[bits % (sizeof beginnings / sizeof *beginnings)]);
        for (uint64_t suffixes = bits >> 62; suffixes > 0; suffixes--) {
            bits = bits >> 12;
            append(&s->given[i], endings[bits % (sizeof endings / sizeof *endings)]);
        }
    }
    return s;
}

/* --- the algorithm, on text[0..length) --- */

/* y is a consonant at the beginning and behind a vowel. */
static bool is_consonant(const char *text, int i)
{
    switch (text[i]) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        return false;
    case 'y':
        return i == 0 || !is_consonant(text, i - 1);
    default:
        return true;
    }
}

/* m of [C](VC)^m[V], the form of the first length letters. */
static int measure_of(const char *text, int length)
{
    int m = 0, i = 0;
    while (i < length && is_consonant(text, i))
        i++;
    while (i < length) {
        while (i < length && !is_consonant(text, i))
            i++;
        if (i == length)
            break;
        m++;
        while (i < length && is_consonant(text, i))
            i++;
    }
    return m;
}

static bool has_vowel(const char *text, int length)
{
    for (int i = 0; i < length; i++)
        if (!is_consonant(text, i))
            return true;
    return false;
}

/* *d */
static bool ends_double(const char *text, int length)
{
    return length >= 2 && text[length - 1] == text[length - 2] && is_consonant(text, length - 1);
}

/* *o: consonant, vowel, consonant that is not w, x or y */
static bool ends_cvc(const char *text, int length)
{
    if (length < 3 || !is_consonant(text, length - 1) || is_consonant(text, length - 2) ||
        !is_consonant(text, length - 3))
        return false;
    char last = text[length - 1];
    return last != 'w' && last != 'x' && last != 'y';
}

/* The letters before the suffix, or -1 if text does not end in it. */
static int before(const char *text, int length, const char *suffix)
{
    int stem = length - (int)strlen(suffix);
    return stem >= 0 && memcmp(text + stem, suffix, (size_t)(length - stem)) == 0 ? stem : -1;
}

static int step_1a(const char *text, int length)
{
    if (text[length - 1] != 's')
        return length;
    if (before(text, length, "sses") >= 0 || before(text, length, "ies") >= 0)
        return length - 2;
    return text[length - 2] == 's' ? length : length - 1;
}

static int step_1b(char *text, int length)
{
    int stem = before(text, length, "eed");
    if (stem >= 0)
        return measure_of(text, stem) > 0 ? length - 1 : length;
    stem = before(text, length, "ed");
    stem = stem >= 0 ? stem : before(text, length, "ing");
    if (stem < 0 || !has_vowel(text, stem))
        return length;
    if (before(text, stem, "at") >= 0 || before(text, stem, "bl") >= 0 ||
        before(text, stem, "iz") >= 0) {
        text[stem] = 'e';
        return stem + 1;
    }
    char last = text[stem - 1];
    if (ends_double(text, stem) && last != 'l' && last != 's' && last != 'z')
        return stem - 1;
    if (measure_of(text, stem) == 1 && ends_cvc(text, stem)) {
        text[stem] = 'e';
        return stem + 1;
    }
    return stem;
}

struct rule {
    const char *suffix, *instead;
};

/* Ordered as in the paper, by the letter before the last: a suffix that ends in another of its
 * group comes before it. */
static const struct rule rules_2[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
    {"abli", "able"},   {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
    {NULL, NULL},
};
static const struct rule rules_3[] = {
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
    {"ical", "ic"},  {"ful", ""},   {"ness", ""},    {NULL, NULL},
};
static const struct rule rules_4[] = {
    {"al", ""},  {"ance", ""},  {"ence", ""}, {"er", ""},  {"ic", ""},  {"able", ""}, {"ible", ""},
    {"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ion", ""}, {"ou", ""},   {"ism", ""},
    {"ate", ""}, {"iti", ""},   {"ous", ""},  {"ive", ""}, {"ize", ""}, {NULL, NULL},
};

/* The first rule whose suffix is there decides, whether what is before it measures enough or not.
 */
static int replace(char *text, int length, const struct rule *rules, int above)
{
    for (; rules->suffix != NULL; rules++) {
        int stem = before(text, length, rules->suffix);
        if (stem < 0)
            continue;
        bool ion = strcmp(rules->suffix, "ion") == 0;
        if (measure_of(text, stem) <= above ||
            (ion && text[stem - 1] != 's' && text[stem - 1] != 't'))
            return length;
        int more = (int)strlen(rules->instead);
        memcpy(text + stem, rules->instead, (size_t)more);
        return stem + more;
    }
    return length;
}

static int step_5(const char *text, int length)
{
    if (text[length - 1] == 'e') {
        int m = measure_of(text, length - 1);
        if (m > 1 || (m == 1 && !ends_cvc(text, length - 1)))
            length--;
    }
    if (text[length - 1] == 'l' && ends_double(text, length) && measure_of(text, length) > 1)
        length--;
    return length;
}

static int stem_of(char *text, int length)
{
    if (length <= 2)
        return length;
    length = step_1a(text, length);
    length = step_1b(text, length);
    if (text[length - 1] == 'y' && has_vowel(text, length - 1))
        text[length - 1] = 'i';
    length = replace(text, length, rules_2, 0);
    length = replace(text, length, rules_3, 0);
    length = replace(text, length, rules_4, 1);
    return step_5(text, length);
}

static void stem_words(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++) {
        struct word w = s->given[i];
        int length = stem_of(w.text, (int)strnlen(w.text, LETTERS));
        memset(w.text + length, 0, (size_t)(LETTERS - length));
        s->stems[i] = w;
    }
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    cal_team_for(t, s->words, GRAIN, stem_words, s);
}

/* --- the reference: the paper's table of rules, and forms of words spelled out --- */

struct law {
    int step;                                 /* 10: 1a, 11: 1b, 12: 1c, .. 50: 5a, 51: 5b */
    const char *condition, *suffix, *instead; /* of the paper, * as it writes them */
};

static const struct law laws[] = {
    {10, "", "sses", "ss"},
    {10, "", "ies", "i"},
    {10, "", "ss", "ss"},
    {10, "", "s", ""},
    {11, "m>0", "eed", "ee"},
    {11, "*v*", "ed", ""},
    {11, "*v*", "ing", ""},
    {12, "*v*", "y", "i"},
    {20, "m>0", "abli", "able"},
    {20, "m>0", "alism", "al"},
    {20, "m>0", "aliti", "al"},
    {20, "m>0", "alli", "al"},
    {20, "m>0", "anci", "ance"},
    {20, "m>0", "ation", "ate"},
    {20, "m>0", "ational", "ate"},
    {20, "m>0", "ator", "ate"},
    {20, "m>0", "biliti", "ble"},
    {20, "m>0", "eli", "e"},
    {20, "m>0", "enci", "ence"},
    {20, "m>0", "entli", "ent"},
    {20, "m>0", "fulness", "ful"},
    {20, "m>0", "iveness", "ive"},
    {20, "m>0", "iviti", "ive"},
    {20, "m>0", "ization", "ize"},
    {20, "m>0", "izer", "ize"},
    {20, "m>0", "ousli", "ous"},
    {20, "m>0", "ousness", "ous"},
    {20, "m>0", "tional", "tion"},
    {30, "m>0", "alize", "al"},
    {30, "m>0", "ative", ""},
    {30, "m>0", "ful", ""},
    {30, "m>0", "ical", "ic"},
    {30, "m>0", "icate", "ic"},
    {30, "m>0", "iciti", "ic"},
    {30, "m>0", "ness", ""},
    {40, "m>1", "able", ""},
    {40, "m>1", "al", ""},
    {40, "m>1", "ance", ""},
    {40, "m>1", "ant", ""},
    {40, "m>1", "ate", ""},
    {40, "m>1", "ement", ""},
    {40, "m>1", "ence", ""},
    {40, "m>1", "ent", ""},
    {40, "m>1", "er", ""},
    {40, "m>1", "ible", ""},
    {40, "m>1", "ic", ""},
    {40, "m>1 *st", "ion", ""},
    {40, "m>1", "ism", ""},
    {40, "m>1", "iti", ""},
    {40, "m>1", "ive", ""},
    {40, "m>1", "ize", ""},
    {40, "m>1", "ment", ""},
    {40, "m>1", "ou", ""},
    {40, "m>1", "ous", ""},
    {50, "m>1 or m=1 no*o", "e", ""},
    {51, "m>1 *l", "l", ""},
};

/* "VCCV.." of the first length letters. */
static void spell_form(const char *text, size_t length, char form[LETTERS + 1])
{
    for (size_t i = 0; i < length; i++) {
        bool vowel = strchr("aeiou", text[i]) != NULL;
        form[i] = vowel || (text[i] == 'y' && i > 0 && form[i - 1] == 'C') ? 'V' : 'C';
    }
    form[length] = '\0';
}

static bool holds(const char *condition, const char *stem, size_t length)
{
    char form[LETTERS + 1];
    spell_form(stem, length, form);
    int m = 0;
    for (size_t i = 1; i < length; i++)
        m += form[i - 1] == 'V' && form[i] == 'C';
    char last = length > 0 ? stem[length - 1] : '\0';
    bool o = length >= 3 && strcmp(form + length - 3, "CVC") == 0 && strchr("wxy", last) == NULL;
    if (strcmp(condition, "m>0") == 0)
        return m > 0;
    if (strcmp(condition, "m>1") == 0)
        return m > 1;
    if (strcmp(condition, "m>1 *st") == 0)
        return m > 1 && (last == 's' || last == 't');
    if (strcmp(condition, "m>1 *l") == 0)
        return m > 1 && last == 'l';
    if (strcmp(condition, "m>1 or m=1 no*o") == 0)
        return m > 1 || (m == 1 && !o);
    if (strcmp(condition, "m=1 *o") == 0)
        return m == 1 && o;
    if (strcmp(condition, "*v*") == 0)
        return strchr(form, 'V') != NULL;
    return true;
}

/* What step 1b does where it has taken -ed or -ing. */
static void mend(char *text)
{
    size_t length = strlen(text);
    char form[LETTERS + 1];
    spell_form(text, length, form);
    const char *end = length >= 2 ? text + length - 2 : "";
    if (strcmp(end, "at") == 0 || strcmp(end, "bl") == 0 || strcmp(end, "iz") == 0)
        strcat(text, "e");
    else if (length >= 2 && end[0] == end[1] && form[length - 1] == 'C' &&
             strchr("lsz", end[1]) == NULL)
        text[length - 1] = '\0';
    else if (holds("m=1 *o", text, length))
        strcat(text, "e");
}

/* Of each step the rule with the longest suffix that is there, if its condition holds. */
static void stem_by_laws(char text[LETTERS + 1])
{
    static const int steps[] = {10, 11, 12, 20, 30, 40, 50, 51};
    if (strlen(text) <= 2)
        return;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const struct law *longest = NULL;
        for (const struct law *l = laws; l < laws + sizeof laws / sizeof *laws; l++) {
            size_t length = strlen(text), suffix = strlen(l->suffix);
            if (l->step == steps[i] && suffix <= length &&
                strcmp(text + length - suffix, l->suffix) == 0 &&
                (longest == NULL || suffix > strlen(longest->suffix)))
                longest = l;
        }
        size_t stem = longest == NULL ? 0 : strlen(text) - strlen(longest->suffix);
        if (longest == NULL || !holds(longest->condition, text, stem))
            continue;
        strcpy(text + stem, longest->instead);
        if (longest->step == 11 && longest->condition[0] == '*')
            mend(text);
    }
}

/* Words that the paper gives, with what all steps together make of them. */
static const char *const published[][2] = {
    {"caresses", "caress"},
    {"ponies", "poni"},
    {"ties", "ti"},
    {"caress", "caress"},
    {"cats", "cat"},
    {"feed", "feed"},
    {"plastered", "plaster"},
    {"bled", "bled"},
    {"motoring", "motor"},
    {"sing", "sing"},
    {"hopping", "hop"},
    {"tanned", "tan"},
    {"falling", "fall"},
    {"hissing", "hiss"},
    {"fizzed", "fizz"},
    {"failing", "fail"},
    {"filing", "file"},
    {"happy", "happi"},
    {"sky", "sky"},
    {"relational", "relat"},
    {"conditional", "condit"},
    {"rational", "ration"},
    {"digitizer", "digit"},
    {"vietnamization", "vietnam"},
    {"predication", "predic"},
    {"operator", "oper"},
    {"feudalism", "feudal"},
    {"decisiveness", "decis"},
    {"hopefulness", "hope"},
    {"callousness", "callous"},
    {"triplicate", "triplic"},
    {"formative", "form"},
    {"formalize", "formal"},
    {"electrical", "electr"},
    {"hopeful", "hope"},
    {"goodness", "good"},
    {"revival", "reviv"},
    {"allowance", "allow"},
    {"inference", "infer"},
    {"airliner", "airlin"},
    {"gyroscopic", "gyroscop"},
    {"adjustable", "adjust"},
    {"defensible", "defens"},
    {"irritant", "irrit"},
    {"replacement", "replac"},
    {"adjustment", "adjust"},
    {"dependent", "depend"},
    {"adoption", "adopt"},
    {"communism", "commun"},
    {"activate", "activ"},
    {"homologous", "homolog"},
    {"effective", "effect"},
    {"bowdlerize", "bowdler"},
    {"probate", "probat"},
    {"rate", "rate"},
    {"cease", "ceas"},
    {"controll", "control"},
    {"roll", "roll"},
    {"connected", "connect"},
    {"connecting", "connect"},
    {"connection", "connect"},
    {"connections", "connect"},
    {"generalizations", "gener"},
    {"oscillators", "oscil"},
};

static int check_published(struct dcs_err *err)
{
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const char *word = published[i][0], *want = published[i][1];
        char text[LETTERS + 1] = {0}, again[LETTERS + 1] = {0};
        memcpy(text, word, strlen(word));
        memcpy(again, word, strlen(word));
        text[stem_of(text, (int)strlen(word))] = '\0';
        stem_by_laws(again);
        if (strcmp(text, want) != 0 || strcmp(again, want) != 0)
            return dcs_err_set(err, "%s: stem %s, by the reference %s, not %s as published", word,
                               text, again, want);
    }
    return 0;
}

static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    for (int64_t i = 0; i < s->words; i++) {
        char want[LETTERS + 1] = {0};
        memcpy(want, s->given[i].text, LETTERS);
        stem_by_laws(want);
        size_t length = strlen(want);
        memset(want + length, 0, LETTERS - length);
        if (memcmp(want, s->stems[i].text, LETTERS) != 0)
            return dcs_err_set(err, "word %lld, %.24s: stem %.24s, not %s", (long long)i,
                               s->given[i].text, s->stems[i].text, want);
    }
    return check_published(err);
}

static void *results(void *state, size_t *words)
{
    struct state *s = state;
    *words = (size_t)s->words * (LETTERS / 4);
    return s->stems;
}

/* An operation is a suffix that is tried, and each is: fewer where one is there. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    *operations = (double)s->words * (double)(sizeof laws / sizeof *laws);
    *bytes = (double)s->words * 2 * LETTERS;
}

const struct cal_cpu_app cal_cpu_app_stemmer = {
    .name = "stem",
    .role = CAL_CPU_SERVICE,
    .papers = "EMU table 5-2: stemmer of Sirius",
    .algorithm = "Porter 1980",
    .size_unit = "words",
    .size_min = 16384,
    .size_max = 1048576,
    .size_default = 131072,
    .size_check = 1500,
    .size_step = 1,
    .sla_ns = 150000000,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
