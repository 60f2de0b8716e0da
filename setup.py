"""pip install . builds the Python package with CMake (docs/how-to/python.md). Needs no network."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.dist import Distribution

SOURCE = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    """Builds the target busline_python for the interpreter that runs this, and takes its module.

    BUSLINE_BUILD names a build folder that CMake has configured, to take the module from there.
    """

    def build_extension(self, ext: Extension) -> None:
        configured = os.environ.get("BUSLINE_BUILD")
        build = Path(configured) if configured else self.configured()
        jobs = str(os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", str(build), "--target", "busline_python", "-j", jobs], check=True)
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(next((build / "python/busline").glob("_core*.so")), target)

    @staticmethod
    def configured() -> Path:
        build = SOURCE / "build" / f"wheel-{sys.version_info.major}.{sys.version_info.minor}"
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DBUSLINE_TESTS=OFF", "-DBUSLINE_MPI=OFF",
                   "-DBUSLINE_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
        subprocess.run(["cmake", "-S", str(SOURCE), "-B", str(build), *generator, *options], check=True)
        return build


class BinaryDistribution(Distribution):
    """Not for every platform, even though the extension has no sources that setuptools knows."""

    def has_ext_modules(self) -> bool:
        return True


setup(
    name="busline",
    version="0.1.0",
    description="Predicts how long an MPI program takes on a machine that you describe",
    license="Apache-2.0",
    python_requires=">=3.9",
    packages=["busline"],
    package_dir={"busline": "python/busline"},
    package_data={"busline": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("busline._core", sources=[])],
    install_requires=["numpy"],
    extras_require={"notebooks": ["pandas", "matplotlib"]},
    cmdclass={"build_ext": CMakeBuild},
    distclass=BinaryDistribution,
    zip_safe=False,
)
