# The words of bits.py in C: sets of the 81 squares are 128-bit integers, or two halves.
cdef extern from "engines/shogi/rules/squares.h" nogil:
    ctypedef unsigned long long squares
    int lowest "quintet_lowest"(squares) noexcept
    int highest "quintet_highest"(squares) noexcept
    int count "quintet_count"(squares) noexcept
    int file "quintet_file"(squares, int) noexcept
    int seven "quintet_seven"(squares, int) noexcept

cdef extern from * nogil:
    """
    #if defined(__GNUC__)
    #define quintet_fetch(word) __builtin_prefetch(word)
    #else
    #define quintet_fetch(word)
    #endif
    """
    void fetch "quintet_fetch"(long long *) noexcept
