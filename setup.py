"""Build Quintet: compile to C every module with a .pxd beside it; all else is in pyproject.toml.

This file is also the build backend. That is setuptools' own, except that an old Python is refused
before anything is fetched for it.
"""

import os
import shutil
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  # Any Python 3 must be able to read this part.

    def prepare_metadata_for_build_wheel(folder, settings=None):
        """Write just enough metadata for pip to refuse this Python in one line."""
        place = Path(folder, "quintet-0.dist-info")
        place.mkdir()
        fields = ["Metadata-Version: 2.1", "Name: quintet", "Version: 0", "Requires-Python: >=3.11"]
        (place / "METADATA").write_text("\n".join(fields) + "\n")
        return place.name

    def build_wheel(*_):
        """Refuse to build."""
        sys.exit("Quintet needs Python 3.11 or newer; this is {}.{}".format(*sys.version_info))

    prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel
    build_editable = build_wheel
    if __name__ == "__main__":
        build_wheel()

elif __name__ == "setup":
    from setuptools.build_meta import *  # noqa: F403

elif __name__ == "__main__":
    from Cython.Build import cythonize
    from setuptools import Extension, setup
    from setuptools.command.build_ext import build_ext

    # An interpreted installation is a promise; one that fell back silently a lie.
    must_compile = os.environ.get("QUINTET_EXPECT") == "compiled"
    may_compile = os.environ.get("QUINTET_COMPILE", "1")
    windows = sys.platform == "win32"
    if may_compile not in ("0", "1"):
        sys.exit(f"QUINTET_COMPILE: 0 or 1, not {may_compile!r}")
    if must_compile and may_compile == "0":
        sys.exit("QUINTET_COMPILE=0 contradicts QUINTET_EXPECT=compiled")

    # What compiled modules have in common, above all memoryviews, is compiled only once.
    COMMON = "engines.core.common_code"

    def flags(folder: str) -> list[str]:
        """Return what the compiler is told beside Python's own flags."""
        if not windows:
            return ["-g0"]  # Debug information was four fifths of the size, and a part of the wait.
        # MSVC has no integers of 128 bits: as C++, shogi takes two halves for them.
        return ["/TP"] if folder == "shogi" else []

    def find_extensions() -> list[Extension]:
        """Return the hot modules, and what they share, translated to C."""
        extensions: list[Extension] = cythonize(
            [
                Extension(
                    COMMON, [f"{COMMON.replace('.', '/')}.c"], extra_compile_args=flags("core")
                ),
                *(
                    Extension(
                        ".".join(pxd.with_suffix("").parts),
                        [str(pxd.with_suffix(".py"))],
                        include_dirs=["."],  # Headers lie beside the .pxd that names them.
                        depends=[str(file) for file in sorted(Path(*pxd.parts[:2]).rglob("*.h"))],
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
        return extensions

    class Compile(build_ext):  # type: ignore[misc]  # Setuptools has no annotations.
        """Compile what is not up to date, and say at the end what could not be compiled."""

        parallel: int | None

        def finalize_options(self) -> None:
            """Compile on all cores, in editable installations as well, which forget `options`."""
            super().finalize_options()
            if not self.parallel:
                self.parallel = os.cpu_count()

        def run(self) -> None:
            """Compile all extensions."""
            self.failed: list[str] = []
            self.beside = self.inplace  # For an editable installation; setuptools resets it here.
            super().run()
            if self.failed:
                print(
                    f"quintet: {len(self.failed)} of {len(self.extensions)} modules could not be "
                    "compiled, and stay interpreted: everything works, but the engines are many "
                    "times slower (see README.md)",
                    file=sys.stderr,
                )

        def build_extension(self, ext: Extension) -> None:
            """Compile one extension, or keep what an earlier installation in place compiled."""
            name = self.get_ext_filename(self.get_ext_fullname(ext.name))
            built = Path(self.build_lib, name)
            if self.beside and not self.force and is_current(Path(name), ext):
                built.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(name, built)
                return
            try:
                super().build_extension(ext)
            except Exception:
                self.failed.append(ext.name)
                raise

    def is_current(built: Path, ext: Extension) -> bool:
        """Tell whether a compiled module is younger than all that it was made from."""
        parts = [*ext.sources, *ext.depends, "setup.py"]
        return built.exists() and all(
            built.stat().st_mtime_ns > Path(part).stat().st_mtime_ns for part in parts
        )

    if may_compile == "0":
        print("quintet: not compiled, as QUINTET_COMPILE is 0", file=sys.stderr)
    setup(
        ext_modules=find_extensions() if may_compile == "1" else [],
        cmdclass={"build_ext": Compile},
    )
