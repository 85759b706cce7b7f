/* The network of quintet-go on one thread, for the best instruction set of this processor. */
#ifndef QUINTET_GO_KERNEL
#define QUINTET_GO_KERNEL

enum { CHANNELS = 64, PLANES = 16, SCALARS = 6, HEAD = 32, HIDDEN = 64, COLUMNS_OF_HEAD = 128 };

typedef struct {
    int width, height, across, down, tiles, pitch; /* Tiles of 4x4; pitch: cells in a row. */
    float scale;                                   /* Of the pooled means, by board size. */
} GoShape;

static GoShape go_shape(int width, int height)
{
    GoShape shape = {width, height, (width + 3) / 4, (height + 3) / 4, 0, 0, 0.0f};
    float side = 1.0f;
    for (int i = 0; i < 40; i++)
        side = 0.5f * (side + width * height / side);
    shape.tiles = shape.across * shape.down;
    shape.pitch = 4 * shape.across + 2;
    shape.scale = (side - 14.0f) / 10.0f;
    return shape;
}

/* How many floats of working space a board needs. */
static long go_work(int width, int height)
{
    const GoShape shape = go_shape(width, height);
    const long cells = (long)(4 * shape.down + 2) * shape.pitch;
    const long head = (long)width * height * COLUMNS_OF_HEAD;
    const long tiles = 72L * shape.tiles * CHANNELS;
    return cells * (PLANES + 2 * CHANNELS) + (tiles > head ? tiles : head) + 64;
}

#if defined(__GNUC__)

#if defined(__x86_64__) && !defined(__clang__)
#define GO_DISPATCH 1

#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,fma")
#define NAME(x) go_avx512_##x
#define LANES 16
#define ROWS 6
#define COLUMNS 4
#include "engines/go/play/network/kernel_body.h"
#undef NAME
#undef LANES
#undef ROWS
#undef COLUMNS
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define NAME(x) go_avx2_##x
#define LANES 8
#define ROWS 6
#define COLUMNS 2
#include "engines/go/play/network/kernel_body.h"
#undef NAME
#undef LANES
#undef ROWS
#undef COLUMNS
#pragma GCC pop_options
#endif

#define NAME(x) go_plain_##x
#define LANES 4
#define ROWS 4
#define COLUMNS 2
#include "engines/go/play/network/kernel_body.h"
#undef NAME
#undef LANES
#undef ROWS
#undef COLUMNS

/* Which kernel runs: 2 AVX-512, 1 AVX2, 0 whatever the compiler was told. */
static int go_level(void)
{
#ifdef GO_DISPATCH
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 1;
#endif
    return 0;
}

static void go_run(const float *weights, int blocks, long pooled, const unsigned char *planes,
                   const float *scalars, int width, int height, int level, float *work, float *out)
{
    const GoShape shape = go_shape(width, height);
#ifdef GO_DISPATCH
    if (level == 2) {
        go_avx512_run(weights, blocks, pooled, planes, scalars, &shape, work, out);
        return;
    }
    if (level == 1) {
        go_avx2_run(weights, blocks, pooled, planes, scalars, &shape, work, out);
        return;
    }
#endif
    (void)level;
    go_plain_run(weights, blocks, pooled, planes, scalars, &shape, work, out);
}
#else
#error "no vector types: the network runs in numpy"
#endif
#endif
