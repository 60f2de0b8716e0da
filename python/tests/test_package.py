"""What is around the code: types, style, stubs, memory, programs traced with mpi4py, the wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest

import busline
from busline import Platform
from busline import _core
from conftest import EMULATED, SOURCE

PACKAGE = SOURCE / "python/busline"


def run(*line: object) -> str:
    done = subprocess.run([*map(str, line)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_types_are_strict(tmp_path: Path) -> None:
    files = [PACKAGE, SOURCE / "python/tests", SOURCE / "python/notebook_pages.py"]
    run("env", f"MYPYPATH={SOURCE / 'python'}", sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports",
        "--no-error-summary", "--explicit-package-bases", "--cache-dir", tmp_path, *files)


def test_names_are_used_and_known() -> None:
    run(sys.executable, "-m", "pyflakes", *PACKAGE.glob("*.py"), *(SOURCE / "python").glob("*.py"),
        *(SOURCE / "python/tests").glob("*.py"), SOURCE / "setup.py")


def test_stubs_have_what_the_module_has() -> None:
    stub = (PACKAGE / "_core.pyi").read_text()
    declared = set(re.findall(r"^(?:def|class) (\w+)|^(\w+): ", stub, re.M))
    names = {a or b for a, b in declared}
    assert names == {n for n in dir(_core) if not n.startswith("__")}
    for name in names:
        of_module = getattr(_core, name)
        if not isinstance(of_module, type):
            continue
        body = re.search(rf"^class {name}:\n((?:    .*\n|\n)+)", stub, re.M)
        assert body is not None
        members = set(re.findall(r"^    (?:def )?(\w+)[(:]", body.group(1), re.M))
        assert members == {n for n in dir(of_module) if not n.startswith("_")}, name
    assert vars(busline.generate)["_stub"]() == (PACKAGE / "generate.pyi").read_text()


def test_everything_has_a_docstring() -> None:
    for name in busline.__all__:
        thing = getattr(busline, name)
        if isinstance(thing, int):
            continue
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member in vars(thing):
                described = callable(getattr(thing, member)) or isinstance(vars(thing)[member], property)
                if described and not member.startswith("_"):
                    assert getattr(vars(thing)[member], "__doc__", None), f"{name}.{member}"


def test_a_wheel_is_made_without_a_network_and_works_alone(tmp_path: Path) -> None:
    # A copy, because setuptools writes beside setup.py.
    shutil.copytree(PACKAGE, tmp_path / "source/python/busline", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(SOURCE / "setup.py", tmp_path / "source")
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-index", "--no-deps", "-w", tmp_path, tmp_path / "source")
    wheels = list(tmp_path.glob("busline-*.whl"))
    assert len(wheels) == 1 and "none-any" not in wheels[0].name
    run(*pip, "install", "--no-index", "--no-deps", "--target", tmp_path / "installed", wheels[0])
    script = "import busline as b; print(b.__file__, b.simulate(b.load_platform({!r}), b.generate.ring(ranks=8)))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    # In a folder without the package: Python looks there first.
    done = subprocess.run([sys.executable, "-c", script.format(str(EMULATED))], env=environment, cwd=tmp_path,
                          capture_output=True, text=True, check=True)
    assert str(tmp_path / "installed/busline") in done.stdout and "predicted run time" in done.stdout


def python_blocks(page: Path) -> list[str]:
    """Indented blocks of a page that are Python about busline."""
    blocks = []
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", page.read_text(), re.M):
        code = textwrap.dedent(block)
        try:
            compile(code, str(page), "exec")
        except SyntaxError:
            continue
        if "busline." in code:
            blocks.append(code)
    return blocks


@pytest.mark.parametrize("page", ["README.md", "docs/how-to/python.md"])
def test_examples_of_pages_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("platforms", "validation"):
        (tmp_path / folder).symlink_to(SOURCE / folder)
    monkeypatch.chdir(tmp_path)
    blocks = python_blocks(SOURCE / page)
    assert blocks
    names: dict[str, object] = {"busline": busline}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for block in blocks:
            exec(compile(block, page, "exec"), names)


MEMORY = """
import resource, sys, busline
platform = busline.load_platform(sys.argv[1])
workload = busline.generate.halo(ranks=8)
def run(times):
    for i in range(times):
        here = platform.set("/network/buses", 1 + i % 4) if i % 100 == 0 else platform
        busline.simulate(here, workload).compute_ps.sum()
run(500)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
run(int(sys.argv[2]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_many_simulations_do_not_grow_the_process() -> None:
    grown_kib = int(run(sys.executable, "-c", MEMORY, SOURCE / "platforms/examples/emulated-100mbit.json", 2000))
    assert grown_kib < 1024


MPI4PY = """
from array import array
from mpi4py import MPI
world = MPI.COMM_WORLD
data = bytearray(65536)
for _ in range(3):
    if world.rank == 0:
        world.Send(data, 1, 7)
    else:
        world.Recv(data, 0, 7)
    world.Barrier()
total = array("d", [1])
world.Allreduce(MPI.IN_PLACE, total)
assert total[0] == world.size
"""


def test_programs_with_mpi4py_are_traced(tmp_path: Path, platform: Platform) -> None:
    pytest.importorskip("mpi4py")
    if "BUSLINE_TRACER" not in os.environ:
        pytest.skip("no MPI in this build")
    (tmp_path / "app.py").write_text(MPI4PY)
    preload = f"LD_PRELOAD={os.environ['BUSLINE_TRACER']}"
    line = [os.environ["BUSLINE_MPIEXEC"], "-n", "2", "env", preload, sys.executable, "app.py"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    workload = busline.load_workload(tmp_path)
    assert workload.ranks == 2
    calls = {c["name"]: c["count"] for c in workload.inspect()["calls"]}
    assert (calls["MPI_Send"], calls["MPI_Recv"], calls["MPI_Barrier"], calls["MPI_Allreduce"]) == (3, 3, 6, 2)
    result = busline.simulate(platform, workload).check()
    # Three messages of 64 KiB at 12.5 MB/s cannot take less.
    assert result.run_time > 3 * 65536 / 12.5e6 * 0.9 and result.bytes >= 3 * 65536
