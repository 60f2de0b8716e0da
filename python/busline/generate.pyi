# Written by busline.generate._stub(); a test compares.
from typing import Optional

from busline._quantities import Rate, Share, Size, Time
from busline._workload import Workload

def halo(
    *,
    ranks: Optional[int] = ...,
    iterations: Optional[int] = ...,
    size: Optional[Size] = ...,
    compute: Optional[Time] = ...,
    imbalance: Optional[Share] = ...,
    seed: Optional[int] = ...,
    dimensions: Optional[int] = ...,
    allreduce: Optional[Size] = ...,
) -> Workload:
    """a solver on a grid: halo exchange, computation, an Allreduce"""
    ...

def alltoall(
    *,
    ranks: Optional[int] = ...,
    iterations: Optional[int] = ...,
    size: Optional[Size] = ...,
    compute: Optional[Time] = ...,
    imbalance: Optional[Share] = ...,
    seed: Optional[int] = ...,
    by: Optional[str] = ...,
) -> Workload:
    """a transpose: computation, then each rank sends to all others"""
    ...

def ring(
    *,
    ranks: Optional[int] = ...,
    iterations: Optional[int] = ...,
    size: Optional[Size] = ...,
    compute: Optional[Time] = ...,
    imbalance: Optional[Share] = ...,
    seed: Optional[int] = ...,
) -> Workload:
    """computation, then each rank sends to the next"""
    ...

def wavefront(
    *,
    ranks: Optional[int] = ...,
    iterations: Optional[int] = ...,
    size: Optional[Size] = ...,
    compute: Optional[Time] = ...,
    imbalance: Optional[Share] = ...,
    seed: Optional[int] = ...,
) -> Workload:
    """sweeps over a grid: a rank waits for its left and upper neighbours"""
    ...

def master_worker(
    *,
    ranks: Optional[int] = ...,
    iterations: Optional[int] = ...,
    size: Optional[Size] = ...,
    compute: Optional[Time] = ...,
    imbalance: Optional[Share] = ...,
    seed: Optional[int] = ...,
) -> Workload:
    """rank 0 hands out work to whichever rank asks; 'iterations' pieces for each worker"""
    ...

def traffic(
    *,
    ranks: Optional[int] = ...,
    pattern: Optional[str] = ...,
    messages: Optional[int] = ...,
    size: Optional[Size] = ...,
    load: Optional[Share] = ...,
    rate: Optional[Rate] = ...,
    burst: Optional[int] = ...,
    seed: Optional[int] = ...,
) -> Workload:
    """network load: each rank puts one message after another"""
    ...

def skampi(
    *,
    operation: Optional[str] = ...,
    ranks: Optional[int] = ...,
    size: Optional[Size] = ...,
    chunks: Optional[int] = ...,
    messages: Optional[int] = ...,
    repetitions: Optional[int] = ...,
    warmup: Optional[int] = ...,
) -> Workload:
    """a single measurement of SKaMPI, repeated (docs/reference/kernels.md lists the operations)"""
    ...

def linktest(
    *,
    ranks: Optional[int] = ...,
    size: Optional[Size] = ...,
    messages: Optional[int] = ...,
    warmup: Optional[int] = ...,
    kernel: Optional[str] = ...,
    scope: Optional[str] = ...,
    mode: Optional[str] = ...,
    order: Optional[str] = ...,
    ranks_per_node: Optional[int] = ...,
    seed: Optional[int] = ...,
) -> Workload:
    """a complete run of LinkTest"""
    ...

def ziatest(
    *,
    nodes: Optional[int] = ...,
    ranks_per_node: Optional[int] = ...,
    variant: Optional[str] = ...,
) -> Workload:
    """the messages of ZiaTest: pairs of neighbouring nodes exchange one per rank"""
    ...
