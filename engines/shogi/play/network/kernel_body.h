/* The network for one set of instructions, named by the macros that kernel.h defines:
   NAME, LANES (16-bit numbers in a vector), and DOT(sum, inputs, weights) unless it is plain C. */

typedef short NAME(numbers) __attribute__((vector_size(2 * LANES), aligned(2), may_alias));

/* to = from + the sum of some rows of the table - the sum of others. */
static void NAME(change)(short *to, const short *from, const short *table, const int *more,
                         int mores, const int *less, int lesses)
{
    enum { TOGETHER = 8 };
    for (int part = 0; part < NEURONS; part += TOGETHER * LANES) {
        NAME(numbers) sums[TOGETHER];
        for (int i = 0; i < TOGETHER; i++)
            sums[i] = *(const NAME(numbers) *)(from + part + i * LANES);
        for (int k = 0; k < mores; k++) {
            const short *row = table + (long)more[k] * NEURONS + part;
            for (int i = 0; i < TOGETHER; i++)
                sums[i] += *(const NAME(numbers) *)(row + i * LANES);
        }
        for (int k = 0; k < lesses; k++) {
            const short *row = table + (long)less[k] * NEURONS + part;
            for (int i = 0; i < TOGETHER; i++)
                sums[i] -= *(const NAME(numbers) *)(row + i * LANES);
        }
        for (int i = 0; i < TOGETHER; i++)
            *(NAME(numbers) *)(to + part + i * LANES) = sums[i];
    }
}

static void NAME(cut)(unsigned char *to, const short *from)
{
    for (int i = 0; i < NEURONS; i++) {
        const short x = from[i];
        to[i] = (unsigned char)(x < 0 ? 0 : x > UNIT ? UNIT : x);
    }
}

/* A layer of HIDDEN neurons. Weights come in groups of four inputs: HIDDEN times four of them. */
static void NAME(layer)(unsigned char *to, const unsigned char *from, int inputs,
                        const signed char *weights, const int *offsets)
{
    int sums[HIDDEN];
#ifdef DOT
    VECTOR total[HIDDEN / WIDE];
    for (int i = 0; i < HIDDEN / WIDE; i++)
        total[i] = LOAD(offsets + i * WIDE);
    for (int group = 0; group < inputs / 4; group++) {
        int four;
        __builtin_memcpy(&four, from + 4 * group, 4);
        if (four == 0)
            continue;
        const VECTOR spread = SPREAD(four);
        for (int i = 0; i < HIDDEN / WIDE; i++)
            total[i] = DOT(total[i], spread, LOAD(weights + (group * HIDDEN + i * WIDE) * 4));
    }
    for (int i = 0; i < HIDDEN / WIDE; i++)
        STORE(sums + i * WIDE, total[i]);
#else
    for (int i = 0; i < HIDDEN; i++)
        sums[i] = offsets[i];
    for (int group = 0; group < inputs / 4; group++)
        for (int i = 0; i < HIDDEN; i++)
            for (int k = 0; k < 4; k++)
                sums[i] += from[4 * group + k] * weights[(group * HIDDEN + i) * 4 + k];
#endif
    for (int i = 0; i < HIDDEN; i++) {
        const int x = sums[i] >> 6;
        to[i] = (unsigned char)(x < 0 ? 0 : x > UNIT ? UNIT : x);
    }
}

static int NAME(value)(const short *own, const short *other, const signed char *first,
                       const int *first_offsets, const signed char *second,
                       const int *second_offsets, const short *last, int last_offset)
{
    unsigned char seen[2 * NEURONS], hidden[HIDDEN], deeper[HIDDEN];
    int total = last_offset;
    NAME(cut)(seen, own);
    NAME(cut)(seen + NEURONS, other);
    NAME(layer)(hidden, seen, 2 * NEURONS, first, first_offsets);
    NAME(layer)(deeper, hidden, HIDDEN, second, second_offsets);
    for (int i = 0; i < HIDDEN; i++)
        total += deeper[i] * last[i];
    return total >> 4;
}

#undef NAME
#undef LANES
#undef DOT
#undef VECTOR
#undef WIDE
#undef LOAD
#undef STORE
#undef SPREAD
