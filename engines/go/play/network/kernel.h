/* The network of quintet-go on one thread, for the best instruction set of this processor. */
#ifndef QUINTET_GO_KERNEL
#define QUINTET_GO_KERNEL

enum { PLANES = 16, SCALARS = 6, HEAD = 32, HIDDEN = 64, COLUMNS_OF_HEAD = 128 };
enum { AHEAD = 12 }; /* Rows of weights that are fetched ahead: they come from the slowest cache. */

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

/* Tiles from one frequency to the next. With 16 tiles of 64 channels, on 13x13, that would be 4096
   bytes, so that all 36 frequencies of a tile would compete for the same lines of the cache. */
#define GO_STEP(tiles) ((tiles) | 1)

/* How many floats of working space a board and a network of so many channels need. */
static long go_work(int width, int height, int channels)
{
    const GoShape shape = go_shape(width, height);
    const long cells = (long)(4 * shape.down + 2) * shape.pitch;
    const long head = (long)width * height * COLUMNS_OF_HEAD;
    const long tiles = 72L * GO_STEP(shape.tiles) * channels;
    return cells * (PLANES + 2 * channels) + (tiles > head ? tiles : head) + 64;
}

#if defined(__GNUC__)

typedef void GoKernel(const float *weights, int blocks, long pooled, const unsigned char *planes,
                      const float *scalars, const GoShape *shape, float *work, float *out);

#define GO_GLUE(set, channels, name) go_##set##_##channels##_##name
#define GO_NAME(set, channels, name) GO_GLUE(set, channels, name)
#define NAME(x) GO_NAME(SET, CHANNELS, x)

#if defined(__x86_64__) && !defined(__clang__)
#define GO_DISPATCH 1

#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,fma")
#define SET avx512
#define LANES 16
#define CHANNELS 64
#define ROWS 6
#define COLUMNS 4
#include "engines/go/play/network/kernel_body.h"
#define CHANNELS 96
#define ROWS 8
#define COLUMNS 3
#include "engines/go/play/network/kernel_body.h"
#undef SET
#undef LANES
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define SET avx2
#define LANES 8
#define CHANNELS 64
#define ROWS 6
#define COLUMNS 2
#include "engines/go/play/network/kernel_body.h"
#define CHANNELS 96
#define ROWS 6
#define COLUMNS 2
#include "engines/go/play/network/kernel_body.h"
#undef SET
#undef LANES
#pragma GCC pop_options
#endif

#define SET plain
#define LANES 4
#define CHANNELS 64
#define ROWS 4
#define COLUMNS 2
#include "engines/go/play/network/kernel_body.h"
#define CHANNELS 96
#define ROWS 4
#define COLUMNS 2
#include "engines/go/play/network/kernel_body.h"
#undef SET
#undef LANES

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

/* `channels` is one of those that `weights.py` accepts: 64 or 96. */
static void go_run(const float *weights, int channels, int blocks, long pooled,
                   const unsigned char *planes, const float *scalars, int width, int height,
                   int level, float *work, float *out)
{
    const GoShape shape = go_shape(width, height);
    const int wide = channels == 96;
    GoKernel *run = wide ? go_plain_96_run : go_plain_64_run;
#ifdef GO_DISPATCH
    if (level == 2)
        run = wide ? go_avx512_96_run : go_avx512_64_run;
    if (level == 1)
        run = wide ? go_avx2_96_run : go_avx2_64_run;
#endif
    (void)level;
    run(weights, blocks, pooled, planes, scalars, &shape, work, out);
}
#else
#error "no vector types: the network runs in numpy"
#endif
#endif
