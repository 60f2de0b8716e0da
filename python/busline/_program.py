"""Workloads that are written call by call."""

from __future__ import annotations

from typing import Iterator, Optional

from busline import _core
from busline._errors import option_error
from busline._quantities import Size, Time, count, size_bytes, time_ps
from busline._workload import Workload

ANY_SOURCE = -1
"""recv() and irecv(): from whatever rank."""
ANY_TAG = -1
"""recv() and irecv(): with any tag."""
_MOST_RANKS = 1_000_000
_COLLECTIVES = dict(_core.collectives())

_Call = tuple[str, int, int, int]


class Request:
    """What isend() and irecv() begin, for wait()."""

    __slots__ = ("_rank", "_number", "_waited")

    def __init__(self, rank: Rank, number: int) -> None:
        self._rank = rank
        self._number = number
        self._waited = False


class Rank:
    """One rank of a Program. Its methods add calls in the order in which the rank makes them."""

    __slots__ = ("_program", "_calls", "_requests", "number")

    def __init__(self, program: Program, number: int) -> None:
        self._program = program
        self._calls: list[_Call] = []
        self._requests = 0
        self.number = number
        """Of the job, from 0."""

    def _add(self, what: str, peer: int = 0, tag: int = 0, amount: int = 0) -> None:
        self._calls.append((what, peer, tag, amount))
        self._program._built = None

    def _peer(self, peer: int, name: str, any_source: bool = False) -> int:
        if any_source and peer == ANY_SOURCE:
            return ANY_SOURCE
        return count(peer, name, 0, self._program.ranks - 1)

    def compute(self, time: Time) -> None:
        """Computes for this long on a CPU of relative speed 1."""
        self._add("compute", amount=time_ps(time, "time"))

    def send(self, to: int, size: Size, tag: int = 0) -> None:
        """MPI_Send: eager or rendezvous, as the platform says."""
        self._message("send", to, size, tag)

    def ssend(self, to: int, size: Size, tag: int = 0) -> None:
        """MPI_Ssend: waits until the receiver takes the message."""
        self._message("ssend", to, size, tag)

    def bsend(self, to: int, size: Size, tag: int = 0) -> None:
        """MPI_Bsend: does not wait for the receiver."""
        self._message("bsend", to, size, tag)

    def recv(self, source: int, tag: int = 0) -> None:
        """MPI_Recv. With ANY_SOURCE or ANY_TAG it takes what comes first; such a program has no curve()."""
        self._add("recv", self._peer(source, "source", any_source=True), self._tag(tag, any_tag=True))

    def isend(self, to: int, size: Size, tag: int = 0) -> Request:
        """MPI_Isend: wait() for what it returns."""
        self._message("isend", to, size, tag)
        return self._request()

    def issend(self, to: int, size: Size, tag: int = 0) -> Request:
        """MPI_Issend: wait() for what it returns."""
        self._message("issend", to, size, tag)
        return self._request()

    def irecv(self, source: int, tag: int = 0) -> Request:
        """MPI_Irecv: wait() for what it returns."""
        self._add("irecv", self._peer(source, "source", any_source=True), self._tag(tag, any_tag=True))
        return self._request()

    def wait(self, *requests: Request) -> None:
        """MPI_Wait for each of the requests, in this order."""
        for request in requests:
            if not isinstance(request, Request):
                raise TypeError(f"wait: expected what isend() or irecv() returned, not {type(request).__name__}")
            if request._rank is not self:
                raise option_error("wait", f"the request is of rank {request._rank.number}, not of rank {self.number}")
            if request._waited:
                raise option_error("wait", "the request was waited for before")
            request._waited = True
            self._add("wait", request._number)

    def collective(self, name: str, size: Size = 0, root: int = 0) -> None:
        """A collective call of all ranks, by its MPI name: "MPI_Allreduce".

        size: the vector of Bcast, Reduce, Allreduce and Scan; one rank's part of Gather, Scatter and Allgather; what
        one rank sends to one other in Alltoall. root: where the operation has one.
        """
        if name not in _COLLECTIVES:
            raise option_error("collective", f"there is no '{name}'", "expected one of " + ", ".join(_COLLECTIVES))
        at = self._peer(root, "root") if _COLLECTIVES[name] else 0
        self._add(name, at, 0, size_bytes(size, "size"))

    def barrier(self) -> None:
        """MPI_Barrier of all ranks."""
        self.collective("MPI_Barrier")

    def bcast(self, size: Size, root: int = 0) -> None:
        """MPI_Bcast of a vector of this size to all ranks."""
        self.collective("MPI_Bcast", size, root)

    def reduce(self, size: Size, root: int = 0) -> None:
        """MPI_Reduce of a vector of this size of all ranks."""
        self.collective("MPI_Reduce", size, root)

    def allreduce(self, size: Size) -> None:
        """MPI_Allreduce of a vector of this size of all ranks."""
        self.collective("MPI_Allreduce", size)

    def allgather(self, size: Size) -> None:
        """MPI_Allgather of a part of this size of each rank."""
        self.collective("MPI_Allgather", size)

    def alltoall(self, size: Size) -> None:
        """MPI_Alltoall of a part of this size of each rank for each rank."""
        self.collective("MPI_Alltoall", size)

    def _message(self, what: str, to: int, size: Size, tag: int) -> None:
        self._add(what, self._peer(to, "to"), self._tag(tag), size_bytes(size, "size"))

    @staticmethod
    def _tag(tag: int, any_tag: bool = False) -> int:
        if any_tag and tag == ANY_TAG:
            return ANY_TAG
        return count(tag, "tag", 0, 2**31 - 1)

    def _request(self) -> Request:
        self._requests += 1
        return Request(self, self._requests - 1)


class Program:
    """A workload that is written call by call, for small experiments.

    >>> program = Program(ranks=2)
    >>> program[0].compute("1ms")
    >>> program[0].send(1, "64KiB")
    >>> program[1].recv(0)
    >>> busline.simulate(platform, program).run_time
    """

    def __init__(self, ranks: int, name: str = "program") -> None:
        """ranks: of the job, 1 to 1,000,000. name: of the workload, in results."""
        self.ranks = count(ranks, "ranks", 1, _MOST_RANKS)
        """Ranks of the job."""
        self.name = name
        """Of the workload, in results."""
        self._ranks = [Rank(self, r) for r in range(self.ranks)]
        self._built: Optional[Workload] = None

    def __len__(self) -> int:
        return self.ranks

    def __getitem__(self, rank: int) -> Rank:
        """One rank."""
        return self._ranks[rank]

    def __iter__(self) -> Iterator[Rank]:
        """All ranks in order."""
        return iter(self._ranks)

    def workload(self) -> Workload:
        """What has been written so far."""
        if self._built is None:
            self._built = Workload(_core.build_workload(self.name, [r._calls for r in self._ranks]))
        return self._built

    def __repr__(self) -> str:
        return f"<busline.Program {self.name!r}, {self.ranks} rank{'s' if self.ranks != 1 else ''}>"
