"""Compile to C every module with a .pxd beside it; all else is in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# An interpreted installation is a promise; a compiled one that fell back in silence would be a lie.
must_compile = os.environ.get("QUINTET_EXPECT") == "compiled"
windows = sys.platform == "win32"


def flags(folder: str) -> list[str]:
    """Return what the compiler is told beside Python's own flags."""
    if not windows:
        return ["-g0"]  # Debug information was four fifths of the size, and a part of the wait.
    # MSVC has no integers of 128 bits: as C++, shogi takes two halves for them.
    return ["/TP"] if folder == "shogi" else []


# What compiled modules have in common, above all memoryviews, is compiled once, not fifty times.
COMMON = "engines.core.common_code"

extensions = cythonize(
    [
        Extension(COMMON, [f"{COMMON.replace('.', '/')}.c"], extra_compile_args=flags("core")),
        *(
            Extension(
                ".".join(pxd.with_suffix("").parts),
                [str(pxd.with_suffix(".py"))],
                include_dirs=["."],  # Headers lie beside the .pxd that names them.
                depends=[str(header) for header in sorted(Path(*pxd.parts[:2]).rglob("*.h"))],
                extra_compile_args=flags(pxd.parts[1]),
            )
            for pxd in sorted(Path("engines").rglob("*.pxd"))
            if pxd.with_suffix(".py").exists()
        ),
    ],
    shared_utility_qualified_name=COMMON,
    build_dir="build/cython",
    # Elsewhere a second process would run this file again from its beginning.
    nthreads=(os.cpu_count() or 1) if sys.platform == "linux" else 0,
    compiler_directives={
        "language_level": 3,
        "annotation_typing": False,
        "boundscheck": False,
        "wraparound": False,
        "cdivision": True,
        "initializedcheck": False,
    },
)
for extension in extensions:
    extension.optional = not must_compile  # Set here: cythonize() forgets it.

# Fifty modules take a minute and a half one after another.
setup(ext_modules=extensions, options={"build_ext": {"parallel": os.cpu_count()}})
