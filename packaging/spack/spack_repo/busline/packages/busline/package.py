# How Spack (1.0 or newer) builds Busline from the clone that this file lies in: docs/how-to/installing.md.
from pathlib import Path

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage

CLONE = Path(__file__).resolve().parents[6]


class Busline(CMakePackage):
    """Predicts how long an MPI program takes on a machine that you describe."""

    git = CLONE.as_uri()

    license("Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=True, description="busline-measure, the tracer, studies by several processes")
    variant("simgrid", default=False, description="SimGrid as a solver of the model 'flow'")
    variant("otf2", default=True, description="Timelines in OTF2")
    variant("tests", default=False, description="The tests beside the code; 'spack install --test=root' runs them")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("boost@1.74:+graph+regex")
    depends_on("pugixml")
    depends_on("sqlite@3")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("mpi", when="+mpi")
    # Busline plugs into a part of SimGrid that changes: this is the version that it is tested with.
    depends_on("simgrid@3.32", when="+simgrid")
    depends_on("otf2@3:", when="+otf2")
    depends_on("doctest@2.4:", type="build", when="+tests")

    conflicts("%gcc@:11", msg="Busline is C++20, which takes GCC 12 or newer")

    def cmake_args(self):
        arguments = [
            # The headers that it is tested with; they are installed with its own.
            self.define("BUSLINE_VENDORED", True),
            self.define_from_variant("BUSLINE_MPI", "mpi"),
            self.define_from_variant("BUSLINE_SIMGRID", "simgrid"),
            self.define_from_variant("BUSLINE_OTF2", "otf2"),
            self.define_from_variant("BUSLINE_TESTS", "tests"),
        ]
        if self.spec.satisfies("+mpi"):
            arguments.append(self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx))
        return arguments
