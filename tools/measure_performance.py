#!/usr/bin/env python3
"""Measures what docs/explanation/performance.md shows and prints its tables, in Markdown.

    tools/measure_performance.py [--busline PROGRAM] [--rounds N] [bench] [instructions] [smpi]

Without names all three tables are made:

bench         'busline bench' a number of times: user CPU.
instructions  three fixed cases under callgrind, which counts the same each time. Needs valgrind.
smpi          the same traces on the same platforms by SMPI's replay and by Busline, by turns: user CPU and the
              most memory of each. Needs smpirun, which is in the Debian package libsimgrid-dev.

A table whose program is missing is left out, and stderr says what to install.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
TRACE = SOURCE / "validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d"
TABLES = ("bench", "instructions", "smpi")


def run(command, **how):
    """What it prints; ends this program if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **how)
    if done.returncode != 0:
        sys.exit(f"measure_performance: '{' '.join(map(str, command))}' ended with {done.returncode}:\n{done.stderr}")
    return done


def cost(command, folder):
    """User seconds and the most bytes of one process of a command and of all that it started and waited for."""
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"measure_performance: '{' '.join(map(str, command))}' ended with {child.returncode}")
    return usage.ru_utime, usage.ru_maxrss * 1024


def by_turns(commands, rounds, folder):
    """For each command its costs, A B A B: what slows the machine for a while slows all of them."""
    costs = [[] for _ in commands]
    for _ in range(rounds):
        for command, list_of in zip(commands, costs):
            list_of.append(cost(command, folder))
    return costs


def table(heading, rows):
    """Prints each of the rows when it is there."""
    print("| " + " | ".join(heading) + " |")
    print("|" + "---|" * len(heading))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


def platform(nodes, network, links=1):
    return {"schema": "busline/platform/1", "name": "machine",
            "nodes": [{"count": nodes, "cpus": 1, "links": links,
                       "intra_node": {"latency": "1us", "bandwidth": "8 GB/s"}}],
            "network": {"latency": "0s", "bandwidth": "1 GB/s"} | network}


def write(path, document):
    path.write_text(json.dumps(document))


# ---- busline bench


def bench(busline, rounds, folder):
    replay, parts = {}, {}
    for _ in range(rounds):
        document = json.loads(run([busline, "bench", "--json", "-q", "--ranks", "16,64,256,1024,4096"], cwd=folder).stdout)
        for r in document["rows"]:
            replay.setdefault((r["model"], r["ranks"]), []).append(r)
        for r in document["parts"]:
            parts.setdefault((r["part"], r["what"]), []).append(r)

    def rates(rows, member):
        of = [r[member] for r in rows]
        return [f"{max(of) / 1e6:.1f}", f"{statistics.median(of) / 1e6:.1f}"]

    print(f"Replay, {rounds} rounds:\n")
    table(["model", "ranks", "M operations/s, best", "median", "memory of the replay"],
          [[model, f"{ranks:,}", *rates(rows, "operations_per_s"),
            f"{max(r['replay_bytes'] for r in rows) / 1e6:.1f} MB"]
           for (model, ranks), rows in sorted(replay.items())])
    print(f"Parts, {rounds} rounds:\n")
    lines = []
    for (part, what), rows in parts.items():
        best, middle = max(r["per_s"] for r in rows), statistics.median(r["per_s"] for r in rows)
        unit = rows[0]["unit"]
        of = [f"{best / 1e6:.1f} M {unit}/s", f"{middle / 1e6:.1f} M"] if best > 1e5 else \
             [f"{best:,.0f} {unit}/s", f"{middle:,.0f}"]
        bytes_per_s = rows[0].get("bytes", 0) / min(r["user_s"] for r in rows)
        lines.append([part, what, *of, f"{min(r['user_s'] for r in rows):.3f} s",
                      f"{bytes_per_s / 1e6:.0f} MB/s" if bytes_per_s else ""])
    table(["part", "what", "best", "median", "user CPU", "of the files"], lines)


# ---- instructions


def instructions_of(command, folder):
    told = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], cwd=folder).stderr
    return int(re.search(r"Collected : (\d+)", told).group(1))


def operations_of(busline, workload, folder):
    return json.loads(run([busline, "inspect", workload, "--json"], cwd=folder).stdout)["operations"]


def instructions(busline, _, folder):
    halo = ["--dimensions", "3", "--imbalance", "10%"]
    run([busline, "generate", "halo", "--ranks", "1024", "--iterations", "10", *halo, "-o", "large.program"], cwd=folder)
    run([busline, "generate", "halo", "--ranks", "64", "--iterations", "40", *halo, "-o", "small.program"], cwd=folder)
    write(folder / "buses.json", platform(1024, {"latency": "2us", "buses": 128}))
    write(folder / "torus.json", platform(64, {"buses": "unlimited", "topology": {"kind": "torus", "dimensions": [4, 4, 4]}}, "unlimited"))
    points = ["--axis", "/network/buses=1,2,4,8", "--axis", "/network/latency=100us..1000us:25"]
    cases = [
        ("replay, dimemas: halo of 1,024 ranks, 128 buses", "operation",
         ["simulate", "buses.json", "large.program", "-q"], operations_of(busline, "large.program", folder)),
        ("replay, flow: halo of 64 ranks, torus 4x4x4", "operation",
         ["simulate", "torus.json", "small.program", "--model", "flow", "-q"], operations_of(busline, "small.program", folder)),
        ("DUMPI trace of 8 ranks to a Program file", "operation",
         ["convert", str(TRACE), "trace.program", "-q"], operations_of(busline, TRACE, folder)),
        ("study of 100 points of that trace", "point",
         ["study", "run", "--platform", str(SOURCE / "platforms/examples/emulated-100mbit.json"), "--workload",
          str(TRACE), *points, "-j", "1", "-q", "-o", "points.sqlite"], 100),
    ]
    table(["case", "instructions", ""], counted(busline, cases, folder))


def counted(busline, cases, folder):
    start = instructions_of([busline, "--help"], folder)  # --version tries libraries, too
    yield ["start and end of the program alone", f"{start / 1e6:.1f} M", ""]
    for name, unit, arguments, amount in cases:
        used = instructions_of([busline, *arguments], folder) - start
        yield [name, f"{used / 1e6:.1f} M", f"{used / amount:,.0f} a {unit}"]


# ---- side by side with SMPI

# Ports of a switch of the tree of two levels, generator and what it is asked for.
SMPI_CASES = (
    ("halo, 64 ranks", 8, ["halo", "--iterations", "32", "--imbalance", "10%"]),
    ("halo, 256 ranks", 16, ["halo", "--iterations", "8", "--imbalance", "10%"]),
    ("alltoall, 36 ranks", 6, ["alltoall", "--iterations", "2", "--imbalance", "10%", "--by", "messages"]),
)
SMPI_LAWS = ("network/model:CM02", "network/crosstraffic:no", "network/TCP-gamma:1e18", "smpi/host-speed:1Gf")
AS_SMPI = ["--host-speed", "1Gf", "--message-header", "16B", "--detached-below", "64KiB"]


def smpi(busline, rounds, folder):
    table(["trace", "by", "user s, best", "median", "times faster than SMPI", "peak memory", "predicts"],
          side_by_side(busline, rounds, folder))


def side_by_side(busline, rounds, folder):
    for name, ports, generator in SMPI_CASES:
        ranks = ports * ports
        tree = {"kind": "kary-tree", "k": ports, "levels": 2, "link": {"latency": "1us"}}
        write(folder / "tree.json", platform(ranks, {"buses": "unlimited", "topology": tree}, "unlimited"))
        for made in ("tree.xml", "run.program", "run.ti"):
            (folder / made).unlink(missing_ok=True)
        shutil.rmtree(folder / "run.ti_files", ignore_errors=True)
        run([busline, "convert", "tree.json", "tree.xml", "-q"], cwd=folder)
        # Both read that file.
        write(folder / "machine.json", platform(ranks, {"buses": ranks, "topology": {"kind": "file", "file": "tree.xml"}}))
        (folder / "hosts").write_text("".join(f"node-{i}\n" for i in range(ranks)))
        run([busline, "generate", *generator[:1], "--ranks", str(ranks), *generator[1:], "-o", "run.program"], cwd=folder)
        run([busline, "convert", "run.program", "run.ti", "-q"], cwd=folder)
        simulate = [busline, "simulate", "machine.json", "run.ti", *AS_SMPI, "-q"]
        replays = [
            ("SMPI, CM02", ["smpirun", "-np", str(ranks), "-platform", "tree.xml", "-hostfile", "hosts", "-replay", "run.ti",
                            *(f"--cfg={law}" for law in SMPI_LAWS)]),
            ("flow", [*simulate, "--model", "flow"]),
            ("flow, SimGrid's solver", [*simulate, "--model", "flow", "--set", '/network/flow/solver="SimGrid"']),
            ("dimemas", simulate),
        ]
        if subprocess.run(replays[2][1], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode != 0:
            print("measure_performance: no SimGrid in this build of Busline; build it with libsimgrid-dev", file=sys.stderr)
            del replays[2]
        told = run(replays[0][1], cwd=folder)
        times = [float(re.findall(r"Simulation time ([0-9.]+)", told.stdout + told.stderr)[-1])]
        for _, command in replays[1:]:
            times.append(json.loads(run([*command, "--json"], cwd=folder).stdout)["run_time_ps"] * 1e-12)
        costs = by_turns([command for _, command in replays], rounds, folder)
        first = statistics.median(user for user, _ in costs[0])
        for (by, _), of, predicted in zip(replays, costs, times):
            users = [user for user, _ in of]
            middle = statistics.median(users)
            yield [name, by, f"{min(users):.3f}", f"{middle:.3f}", f"{first / max(middle, 1e-3):.1f}",
                   f"{max(peak for _, peak in of) / 1e6:.0f} MB", f"{predicted * 1e3:.3f} ms"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="bench, instructions, smpi")
    parser.add_argument("--busline", default=str(SOURCE / "build/release/busline"), help="the program to measure")
    parser.add_argument("--rounds", type=int, default=5, help="of each timed measurement (default: 5)")
    asked = parser.parse_args()
    if unknown := [t for t in asked.tables if t not in TABLES]:
        parser.error(f"there is no table '{unknown[0]}'; there are {', '.join(TABLES)}")
    busline = os.path.abspath(asked.busline)
    if not os.access(busline, os.X_OK):
        sys.exit(f"measure_performance: {busline} cannot be run; build it (./quickstart.sh) or name one with --busline")
    needs = {"instructions": ("valgrind", "valgrind"), "smpi": ("smpirun", "libsimgrid-dev")}
    for name in asked.tables or TABLES:
        program, package = needs.get(name, (None, None))
        if program and not shutil.which(program):
            print(f"measure_performance: no table '{name}': the program '{program}' is missing; install the package {package}",
                  file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            globals()[name](busline, max(1, asked.rounds), pathlib.Path(folder))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
