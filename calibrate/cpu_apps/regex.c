/*
 * regex.c - which of a set of regular expressions sentences match, and where the first match ends:
 * the automaton of Glushkov, "The abstract theory of automata", Russian Mathematical Surveys 16(5),
 * 1961, which has a state for each letter of an expression and no empty moves, simulated with all
 * its states at once as by Thompson, "Regular expression search algorithm", CACM 11(6), 1968. The
 * states are the bits of a word: an expression has 64 letters at most.
 *
 * A size is a number of sentences (questions in lower case), which are divided among threads. Each
 * is tried with all expressions: 65 KB of automata stay in the caches, the text goes by.
 */
#include "calibrate/cpu/cpu_app.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 64, CODES = 128, LONGEST = 160, GRAIN = 8 };

/* Extended, as in POSIX: () | * + ? . [] \ and ^ at the beginning. */
static const char *const expressions[] = {
    "^(who|what|when|where|why|how) ",
    "^(is|are|was|were|do|does|did|can|could|will) ",
    "(january|february|march|april|may|june|july)",
    "(august|september|october|november|december)",
    "(mon|tues|wednes|thurs|fri|satur|sun)day",
    "[0-9]+\\.[0-9]+",
    "[0-9][0-9]?:[0-9][0-9]( ?[ap]m)?",
    "\\$[0-9]+(,[0-9][0-9][0-9])*(\\.[0-9][0-9])?",
    "(19|20)[0-9][0-9]",
    "[0-9]+(st|nd|rd|th)",
    "[0-9]+ (miles|feet|meters|pounds|years)",
    "(capital|president|population|author|inventor) of",
    "how (many|much|long|far|old|tall)",
    "(wrote|written by|author of)",
    "(born|died) (in|on|at)",
    "(the )?(first|second|third|last) [a-z]+",
    "[a-z]+(ing|ed|ly) ",
    "[a-z]+ [a-z]+ [a-z]+\\?",
    "(near|next to|close to) (me|here|the)",
    "\\(?[0-9][0-9][0-9]\\)?[- ][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9]",
    "[a-z0-9_.]+@[a-z0-9]+\\.(com|org|net|edu)",
    "(https?://)?www\\.[a-z0-9]+\\.[a-z]+",
    "(united states|new york|los angeles)",
    "(highest|largest|longest|tallest|deepest) (mountain|city|river|building)",
    "colou?r|gr[ae]y",
    "[^aeiou ][^aeiou ][^aeiou ][^aeiou ]",
    "[a-z]+ness",
    "(.a.e|.e.a) ",
    "qu[ei][a-z]*k",
    "(un|in|im|dis)[a-z]+(able|ible)",
    "[bcdf]+[aeiou]+[gt]+",
    "(one|two|three|four|five|six|seven|eight|nine|ten)",
    "(mr|mrs|ms|dr)\\.? [a-z]+",
    "what('s| is) the",
    "(play|call|text|set|show|remind) (me|my|the|a)",
    "alarm (at|for) [0-9]+",
    "[a-z](tt|ll|ss|ee|oo)[a-z]* [a-z]*(tt|ll|ss|ee|oo)",
    "(to|from) [a-z]+ (to|from) [a-z]+",
    "weather( in| for)? [a-z]+",
    "((a|e|i|o|u)[a-z])*( |\\?)((a|e|i|o|u)[a-z])+\\?",
};
enum { EXPRESSIONS = sizeof expressions / sizeof *expressions };

/* What sentences are made of; 0 is a digit. */
static const char *const words[] = {
    "who",
    "what",
    "when",
    "where",
    "why",
    "how",
    "is",
    "are",
    "was",
    "did",
    "can",
    "will",
    "the",
    "a",
    "of",
    "in",
    "on",
    "at",
    "to",
    "from",
    "for",
    "by",
    "me",
    "my",
    "here",
    "near",
    "next to",
    "january",
    "may",
    "july",
    "september",
    "december",
    "monday",
    "friday",
    "sunday",
    "capital of",
    "president of",
    "population of",
    "author",
    "many",
    "much",
    "old",
    "wrote",
    "written by",
    "born",
    "died",
    "first",
    "second",
    "last",
    "united states",
    "new york",
    "highest",
    "longest",
    "mountain",
    "river",
    "city",
    "color",
    "colour",
    "gray",
    "darkness",
    "kindness",
    "quick",
    "question",
    "unbelievable",
    "impossible",
    "bag",
    "cat",
    "feet",
    "three",
    "seven",
    "dr. smith",
    "mrs jones",
    "what's the",
    "play",
    "call",
    "set",
    "remind",
    "alarm at 0",
    "weather in",
    "restaurant",
    "running",
    "opened",
    "slowly",
    "little",
    "book",
    "000",
    "00.0",
    "0:00 pm",
    "00:00",
    "$0,000.00",
    "1900",
    "2000",
    "10th",
    "0 miles",
    "00 years",
    "(000) 000-0000",
    "000-000-0000",
    "joe_0@site.com",
    "www.place0.org",
    "http://www.news.net",
    "rhythm",
    "strengths",
    "lane",
    "idea",
    "mesa",
};
enum { WORDS = sizeof words / sizeof *words };

struct automaton {
    bool anchored, empty; /* empty: it matches nothing at all, too */
    uint64_t first, last;
    uint64_t follow[STATES];
    uint64_t letters[CODES]; /* states that a letter may lead to */
};

struct state {
    int64_t sentences;
    int64_t *begin; /* of each sentence in text, and the end of the last */
    char *text;
    struct automaton *automata;
    int32_t *ends; /* [sentence][expression]: letters up to the end of the first
                      match, -1: none */
};

/* --- from an expression to its automaton --- */

struct part {
    bool empty;
    uint64_t first, last;
};

struct parser {
    const char *at;
    struct automaton *to;
    int states;
};

static struct part parse_choice(struct parser *p);

static void link_states(struct automaton *a, uint64_t from, uint64_t to)
{
    for (int i = 0; i < STATES; i++)
        if (from >> i & 1)
            a->follow[i] |= to;
}

/* A new state for the letters for which accepted is true. */
static struct part add_state(struct parser *p, const bool accepted[CODES])
{
    DCS_ASSERT(p->states < STATES);
    uint64_t bit = UINT64_C(1) << p->states++;
    for (int c = 0; c < CODES; c++)
        p->to->letters[c] |= accepted[c] ? bit : 0;
    return (struct part){false, bit, bit};
}

static struct part parse_set(struct parser *p)
{
    bool accepted[CODES] = {false}, inverted = *p->at == '^';
    p->at += inverted;
    for (; *p->at != ']'; p->at++) {
        int low = *p->at, high = low;
        if (p->at[1] == '-' && p->at[2] != ']')
            high = *(p->at += 2);
        for (int c = low; c <= high; c++)
            accepted[c] = true;
    }
    p->at++;
    for (int c = 1; c < CODES; c++)
        accepted[c] ^= inverted;
    return add_state(p, accepted);
}

static struct part parse_atom(struct parser *p)
{
    char c = *p->at++;
    if (c == '(') {
        struct part inner = parse_choice(p);
        DCS_ASSERT(*p->at == ')');
        p->at++;
        return inner;
    }
    if (c == '[')
        return parse_set(p);
    bool accepted[CODES] = {false};
    if (c == '\\')
        c = *p->at++;
    else if (c == '.')
        memset(accepted + 1, true, CODES - 1);
    accepted[(int)c] = true;
    return add_state(p, accepted);
}

static struct part parse_repeated(struct parser *p)
{
    struct part x = parse_atom(p);
    for (; *p->at != '\0' && strchr("*+?", *p->at) != NULL; p->at++) {
        if (*p->at != '?')
            link_states(p->to, x.last, x.first);
        x.empty |= *p->at != '+';
    }
    return x;
}

static struct part parse_sequence(struct parser *p)
{
    struct part all = {true, 0, 0};
    while (*p->at != '\0' && *p->at != '|' && *p->at != ')') {
        struct part next = parse_repeated(p);
        link_states(p->to, all.last, next.first);
        all.first |= all.empty ? next.first : 0;
        all.last = next.last | (next.empty ? all.last : 0);
        all.empty &= next.empty;
    }
    return all;
}

static struct part parse_choice(struct parser *p)
{
    struct part all = parse_sequence(p);
    while (*p->at == '|') {
        p->at++;
        struct part other = parse_sequence(p);
        all.first |= other.first;
        all.last |= other.last;
        all.empty |= other.empty;
    }
    return all;
}

static void compile(const char *expression, struct automaton *a)
{
    a->anchored = *expression == '^';
    struct parser p = {expression + a->anchored, a, 0};
    struct part all = parse_choice(&p);
    DCS_ASSERT(*p.at == '\0');
    a->first = all.first;
    a->last = all.last;
    a->empty = all.empty;
}

/* --- sentences --- */

static int write_sentence(uint64_t seed, int64_t number, char *to)
{
    uint64_t i = (uint64_t)number * LONGEST, count = 5 + cal_cpu_random(seed, i) % 10;
    int length = 0;
    for (uint64_t w = 1; w <= count; w++) {
        uint64_t bits = cal_cpu_random(seed, i + w);
        const char *word = words[bits % WORDS];
        if (length + (int)strlen(word) + 2 >= LONGEST)
            break;
        for (; *word != '\0'; word++, bits = bits >> 4 | bits << 60)
            to[length++] = *word == '0' ? (char)('0' + (bits >> 32) % 10) : *word;
        to[length++] = w == count ? '?' : ' ';
    }
    return length;
}

static void *create(int64_t size, uint64_t seed, struct cal_arena *a, struct dcs_err *err)
{
    (void)err;
    struct state *s = cal_arena_take(a, 1, sizeof *s);
    s->sentences = size;
    s->begin = cal_arena_take(a, (size_t)size + 1, sizeof *s->begin);
    char sentence[LONGEST];
    for (int64_t i = 0; i < size; i++)
        s->begin[i + 1] = s->begin[i] + write_sentence(seed, i, sentence);
    s->text = cal_arena_take(a, (size_t)s->begin[size], 1);
    for (int64_t i = 0; i < size; i++) {
        int length = write_sentence(seed, i, sentence);
        memcpy(s->text + s->begin[i], sentence, (size_t)length);
    }
    s->automata = cal_arena_take(a, EXPRESSIONS, sizeof *s->automata);
    for (int e = 0; e < EXPRESSIONS; e++)
        compile(expressions[e], &s->automata[e]);
    s->ends = cal_arena_take(a, (size_t)size * EXPRESSIONS, sizeof *s->ends);
    return s;
}

/* --- a request --- */

static int32_t first_end(const struct automaton *a, const char *text, int32_t length)
{
    uint64_t active = 0, start = a->first;
    if (a->empty)
        return 0;
    for (int32_t i = 0; i < length; i++) {
        uint64_t reached = start;
        for (; active != 0; active &= active - 1)
            reached |= a->follow[__builtin_ctzll(active)];
        active = reached & a->letters[(unsigned char)text[i]];
        if (active & a->last)
            return i + 1;
        start = a->anchored ? 0 : a->first;
    }
    return -1;
}

static void search(void *context, int64_t begin, int64_t end, uint32_t thread)
{
    (void)thread;
    const struct state *s = context;
    for (int64_t i = begin; i < end; i++)
        for (int e = 0; e < EXPRESSIONS; e++)
            s->ends[i * EXPRESSIONS + e] = first_end(&s->automata[e], s->text + s->begin[i],
                                                     (int32_t)(s->begin[i + 1] - s->begin[i]));
}

static void run_request(void *state, struct cal_team *t)
{
    struct state *s = state;
    cal_team_for(t, s->sentences, GRAIN, search, s);
}

/* --- the reference: POSIX's regexec --- */

static bool matches(const regex_t *r, const char *text, int32_t length)
{
    char line[LONGEST];
    memcpy(line, text, (size_t)length);
    line[length] = '\0';
    return regexec(r, line, 0, NULL, 0) == 0;
}

/* The shortest beginning of the text that has a match in it; any longer one has it, too. */
static int32_t first_end_by_posix(const regex_t *r, const char *text, int32_t length)
{
    if (!matches(r, text, length))
        return -1;
    int32_t low = -1, high = length;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (matches(r, text, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static int check_results(const void *state, struct dcs_err *err)
{
    const struct state *s = state;
    int wrong = 0;
    for (int e = 0; e < EXPRESSIONS && !wrong; e++) {
        regex_t r;
        if (regcomp(&r, expressions[e], REG_EXTENDED | REG_NOSUB) != 0)
            return dcs_err_set(err, "the system does not know the expression %s", expressions[e]);
        for (int64_t i = 0; i < s->sentences && !wrong; i++) {
            const char *text = s->text + s->begin[i];
            int32_t length = (int32_t)(s->begin[i + 1] - s->begin[i]);
            int32_t got = s->ends[i * EXPRESSIONS + e], want = first_end_by_posix(&r, text, length);
            if (got != want)
                wrong = dcs_err_set(err, "%s in \"%.*s\": first match ends at %d, not %d",
                                    expressions[e], length, text, got, want);
        }
        regfree(&r);
    }
    return wrong;
}

static void *results(void *state, size_t *words_count)
{
    struct state *s = state;
    *words_count = (size_t)s->sentences * EXPRESSIONS;
    return s->ends;
}

/* An operation is a step of an automaton: one letter. */
static void count(const void *state, double *operations, double *bytes)
{
    const struct state *s = state;
    *operations = 0;
    for (int64_t i = 0; i < s->sentences; i++)
        for (int e = 0; e < EXPRESSIONS; e++) {
            int32_t end = s->ends[i * EXPRESSIONS + e];
            *operations += (double)(end >= 0 ? end : s->begin[i + 1] - s->begin[i]);
        }
    *bytes = (double)s->begin[s->sentences] + EXPRESSIONS * sizeof(struct automaton) +
             4.0 * EXPRESSIONS * (double)s->sentences;
}

const struct cal_cpu_app cal_cpu_app_regex = {
    .name = "regex",
    .role = CAL_CPU_SERVICE,
    .papers = "EMU table 5-2: regex of Sirius",
    .algorithm = "Glushkov 1961, simulated as by Thompson 1968",
    .size_unit = "sentences",
    .size_min = 512,
    .size_max = 32768,
    .size_default = 4096,
    .size_check = 24,
    .size_step = 1,
    .sla_ns = 150000000,
    .create = create,
    .run = run_request,
    .check = check_results,
    .results = results,
    .count = count,
};
