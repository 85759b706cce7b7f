"""A substitute for the module `cython` where hot code runs interpreted without Cython."""

from contextlib import AbstractContextManager, nullcontext

compiled = False
nogil: AbstractContextManager[None] = nullcontext()
gil: AbstractContextManager[None] = nullcontext()
