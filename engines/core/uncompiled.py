"""Stand in for the `cython` module where hot code runs interpreted and Cython is not installed."""

from contextlib import AbstractContextManager, nullcontext

compiled = False
nogil: AbstractContextManager[None] = nullcontext()
gil: AbstractContextManager[None] = nullcontext()
