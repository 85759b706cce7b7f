# The words of bits.py in C: sets of the 81 squares are 128-bit integers of GCC and Clang.
cdef extern from * nogil:
    """
    #if defined(__x86_64__) && defined(__GNUC__)
    #pragma GCC target("popcnt")  /* Every x86-64 processor since 2008. */
    #endif
    typedef unsigned __int128 squares;
    static inline int quintet_lowest(squares set) {
        unsigned long long low = (unsigned long long) set;
        return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((unsigned long long) (set >> 64));
    }
    static inline int quintet_highest(squares set) {
        unsigned long long high = (unsigned long long) (set >> 64);
        return high ? 127 - __builtin_clzll(high)
                    : 63 - __builtin_clzll((unsigned long long) set);
    }
    static inline int quintet_count(squares set) {
        return __builtin_popcountll((unsigned long long) set)
             + __builtin_popcountll((unsigned long long) (set >> 64));
    }
    """
    ctypedef unsigned long long squares
    int lowest "quintet_lowest"(squares) noexcept
    int highest "quintet_highest"(squares) noexcept
    int count "quintet_count"(squares) noexcept
