/* The network of quintet-shogi in integers, for the best instruction set of this processor.

   Every kernel gives the same values: products of two neighbours, at most 2 * 127 * 127, fit into
   the 16 bits in which AVX2 and SSE4.1 add them. */
#ifndef QUINTET_SHOGI_KERNEL
#define QUINTET_SHOGI_KERNEL

enum { NEURONS = 256, HIDDEN = 32, UNIT = 127 };

#if !defined(__GNUC__)
#error "no vector types: the network runs in numpy"
#endif

#if defined(__x86_64__) && !defined(__clang__)
#define SHOGI_DISPATCH 1
#include <immintrin.h>

#pragma GCC push_options
#pragma GCC target("avx2,avx512f,avx512vl,avx512vnni")
#define NAME(x) shogi_vnni_##x
#define LANES 16
#define WIDE 8
#define VECTOR __m256i
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)
#define SPREAD(x) _mm256_set1_epi32(x)
#define DOT(sum, x, w) _mm256_dpbusd_epi32(sum, x, w)
#include "engines/shogi/play/network/kernel_body.h"
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx2")
#define NAME(x) shogi_avx2_##x
#define LANES 16
#define WIDE 8
#define VECTOR __m256i
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)
#define SPREAD(x) _mm256_set1_epi32(x)
#define DOT(sum, x, w) \
    _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(x, w), _mm256_set1_epi16(1)))
#include "engines/shogi/play/network/kernel_body.h"
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("sse4.1")
#define NAME(x) shogi_sse_##x
#define LANES 8
#define WIDE 4
#define VECTOR __m128i
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, x) _mm_storeu_si128((__m128i *)(p), x)
#define SPREAD(x) _mm_set1_epi32(x)
#define DOT(sum, x, w) \
    _mm_add_epi32(sum, _mm_madd_epi16(_mm_maddubs_epi16(x, w), _mm_set1_epi16(1)))
#include "engines/shogi/play/network/kernel_body.h"
#pragma GCC pop_options
#endif

#define NAME(x) shogi_plain_##x
#define LANES 8
#include "engines/shogi/play/network/kernel_body.h"

/* Which kernel runs: 3 AVX-512 VNNI, 2 AVX2, 1 SSE4.1, 0 whatever the compiler was told. */
static int shogi_level(void)
{
#ifdef SHOGI_DISPATCH
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl"))
        return 3;
    if (__builtin_cpu_supports("avx2"))
        return 2;
    if (__builtin_cpu_supports("sse4.1"))
        return 1;
#endif
    return 0;
}

static void shogi_change(int level, short *to, const short *from, const short *table,
                         const int *more, int mores, const int *less, int lesses)
{
#ifdef SHOGI_DISPATCH
    if (level >= 2) {
        shogi_avx2_change(to, from, table, more, mores, less, lesses);
        return;
    }
#endif
    (void)level;
    shogi_plain_change(to, from, table, more, mores, less, lesses);
}

static int shogi_value(int level, const short *own, const short *other, const signed char *first,
                       const int *first_offsets, const signed char *second,
                       const int *second_offsets, const short *last, int last_offset)
{
#define WITH(name) \
    shogi_##name##_value(own, other, first, first_offsets, second, second_offsets, last, last_offset)
#ifdef SHOGI_DISPATCH
    if (level == 3)
        return WITH(vnni);
    if (level == 2)
        return WITH(avx2);
    if (level == 1)
        return WITH(sse);
#endif
    (void)level;
    return WITH(plain);
#undef WITH
}
#endif
