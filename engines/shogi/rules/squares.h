/* Sets of the 81 squares. GCC and Clang have integers of 128 bits; elsewhere two halves of 64 take
   their place, in C++, whose operators make Cython's C fit: setup.py compiles it as that with MSVC. */
#ifndef QUINTET_SHOGI_SQUARES
#define QUINTET_SHOGI_SQUARES

#if defined(__SIZEOF_INT128__) && !defined(QUINTET_HALVES)

#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("popcnt") /* Every x86-64 processor since 2008. */
#endif

typedef unsigned __int128 squares;

static inline int quintet_lowest(squares set)
{
    unsigned long long low = (unsigned long long)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((unsigned long long)(set >> 64));
}

static inline int quintet_highest(squares set)
{
    unsigned long long high = (unsigned long long)(set >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((unsigned long long)set);
}

static inline int quintet_count(squares set)
{
    return __builtin_popcountll((unsigned long long)set)
         + __builtin_popcountll((unsigned long long)(set >> 64));
}

static inline int quintet_seven(squares set, int first)
{
    return (int)(set >> first) & 127;
}

static inline int quintet_file(squares set, int number)
{
    return (int)(set >> 9 * number) & 511;
}

#elif defined(__cplusplus)

#include <type_traits>

struct squares {
    unsigned long long low, high;

    squares() = default;
    constexpr squares(unsigned long long low, unsigned long long high) : low(low), high(high) {}
    template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
    constexpr squares(T number)
        : low((unsigned long long)number), high(number < T(0) ? ~0ULL : 0ULL) {}
    template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
    constexpr explicit operator T() const { return std::is_same<T, bool>::value ? (low | high) != 0 : (T)low; }

    friend constexpr squares operator&(squares a, squares b) { return {a.low & b.low, a.high & b.high}; }
    friend constexpr squares operator|(squares a, squares b) { return {a.low | b.low, a.high | b.high}; }
    friend constexpr squares operator^(squares a, squares b) { return {a.low ^ b.low, a.high ^ b.high}; }
    friend constexpr squares operator~(squares a) { return {~a.low, ~a.high}; }
    friend constexpr squares operator+(squares a, squares b)
    {
        return {a.low + b.low, a.high + b.high + (a.low + b.low < a.low)};
    }
    friend constexpr squares operator-(squares a, squares b)
    {
        return {a.low - b.low, a.high - b.high - (a.low < b.low)};
    }
    friend constexpr squares operator-(squares a) { return squares(0) - a; }
    /* Cython's conversions from Python multiply by 1 or -1 and by nothing else. */
    friend constexpr squares operator*(squares sign, squares a) { return sign == squares(1) ? a : -a; }
    friend constexpr squares operator<<(squares a, int by)
    {
        return by == 0 ? a : by < 64 ? squares(a.low << by, a.high << by | a.low >> (64 - by))
                                     : squares(0, a.low << (by - 64));
    }
    friend constexpr squares operator>>(squares a, int by)
    {
        return by == 0 ? a : by < 64 ? squares(a.low >> by | a.high << (64 - by), a.high >> by)
                                     : squares(a.high >> (by - 64), 0);
    }
    friend constexpr bool operator==(squares a, squares b) { return a.low == b.low && a.high == b.high; }
    friend constexpr bool operator!=(squares a, squares b) { return !(a == b); }
    friend constexpr bool operator<(squares a, squares b)
    {
        return a.high < b.high || (a.high == b.high && a.low < b.low);
    }
    friend constexpr bool operator>(squares a, squares b) { return b < a; }
    friend constexpr bool operator<=(squares a, squares b) { return !(b < a); }
    friend constexpr bool operator>=(squares a, squares b) { return !(a < b); }
    squares &operator&=(squares b) { return *this = *this & b; }
    squares &operator|=(squares b) { return *this = *this | b; }
    squares &operator^=(squares b) { return *this = *this ^ b; }
    squares &operator<<=(int by) { return *this = *this << by; }
    squares &operator>>=(int by) { return *this = *this >> by; }
};

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

static inline int quintet_lowest(unsigned long long half)
{
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long at;
    _BitScanForward64(&at, half);
    return (int)at;
#else
    return __builtin_ctzll(half);
#endif
}

static inline int quintet_highest(unsigned long long half)
{
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long at;
    _BitScanReverse64(&at, half);
    return (int)at;
#else
    return 63 - __builtin_clzll(half);
#endif
}

static inline int quintet_count(unsigned long long half)
{
#if defined(_MSC_VER) && !defined(__clang__) && defined(_M_X64)
    return (int)__popcnt64(half);
#else
    half -= half >> 1 & 0x5555555555555555ULL;
    half = (half & 0x3333333333333333ULL) + (half >> 2 & 0x3333333333333333ULL);
    return (int)(((half + (half >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL >> 56);
#endif
}

static inline int quintet_lowest(squares set)
{
    return set.low ? quintet_lowest(set.low) : 64 + quintet_lowest(set.high);
}

static inline int quintet_highest(squares set)
{
    return set.high ? 64 + quintet_highest(set.high) : quintet_highest(set.low);
}

static inline int quintet_count(squares set)
{
    return quintet_count(set.low) + quintet_count(set.high);
}

static inline int quintet_seven(squares set, int first)
{
    return (int)(set >> first).low & 127;
}

static inline int quintet_file(squares set, int number)
{
    return (int)(set >> 9 * number).low & 511;
}

#else
#error "Shogi's sets of squares need an integer of 128 bits, or C++."
#endif

#endif
