! The applications once more, in Fortran: they make the same calls with the same arguments as those in C++, so their
! traces are the same. Compiled twice, with the module mpi and, with MPI_F08 defined, with mpi_f08.
!     fortran_mpi APPLICATION ITERATIONS BYTES MICROSECONDS
#ifdef MPI_F08
#define MODULE mpi_f08
#define COMMUNICATOR type(MPI_Comm)
#define HANDLE(kind) type(kind)
#define REQUEST type(MPI_Request)
#define STATUS type(MPI_Status)
#define SOURCE_OF(status) status%MPI_SOURCE
#define TAG_OF(status) status%MPI_TAG
#else
#define MODULE mpi
#define COMMUNICATOR integer
#define HANDLE(kind) integer
#define REQUEST integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE_OF(status) status(MPI_SOURCE)
#define TAG_OF(status) status(MPI_TAG)
#endif

module application
  use MODULE
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, ranks, iterations, bytes, error
  double precision :: compute_us, start, computed = 0
  interface
    integer(c_int) function usleep(us) bind(c)
      import c_int
      integer(c_int), value :: us
    end function
  end interface
contains
  integer function number(i)
    integer, intent(in) :: i
    character(32) :: word
    call get_command_argument(i, word)
    read (word, *) number
  end function

  subroutine begin()
    character, allocatable :: all(:), from_all(:)
    iterations = number(2)
    bytes = number(3)
    compute_us = number(4)
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    allocate (all(64 * ranks), from_all(64 * ranks))
    call MPI_Alltoall(all, 64, MPI_CHARACTER, from_all, 64, MPI_CHARACTER, MPI_COMM_WORLD, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    start = MPI_Wtime()
  end subroutine

  subroutine compute(us)
    double precision, intent(in) :: us
    double precision :: from
    from = MPI_Wtime()
    error = usleep(int(us, c_int))
    computed = computed + MPI_Wtime() - from
  end subroutine

  subroutine finish()
    double precision :: took, longest, total, most
    took = MPI_Wtime() - start
    call MPI_Reduce(took, longest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, error)
    call MPI_Reduce(computed, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    call MPI_Reduce(computed, most, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
  end subroutine

  subroutine ring()
    character, allocatable :: block(:)
    integer :: n
    allocate (block(bytes))
    do n = 0, iterations - 1
      if (rank /= 0) call receive(n)
      call compute(compute_us)
      call MPI_Send(block, bytes, MPI_CHARACTER, mod(rank + 1, ranks), n, MPI_COMM_WORLD, error)
      if (rank == 0 .and. n >= ranks - 1) call receive(n - (ranks - 1))
    end do
    if (rank /= 0) return
    do n = max(0, iterations - (ranks - 1)), iterations - 1
      call receive(n)
    end do
  contains
    subroutine receive(tag)
      integer, intent(in) :: tag
      call MPI_Recv(block, bytes, MPI_CHARACTER, mod(rank + ranks - 1, ranks), tag, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, error)
    end subroutine
  end subroutine

  subroutine jacobi2d()
    integer :: dimensions(2), neighbour(0:3), sweep, side, cells
    logical :: periodic(2)
    COMMUNICATOR :: grid
    REQUEST :: requests(0:7)
    double precision, allocatable :: own(:, :), halo(:, :)
    double precision :: residual, total
    dimensions = 0
    periodic = .false.
    residual = 1
    call MPI_Dims_create(ranks, 2, dimensions, error)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periodic, .false., grid, error)
    call MPI_Cart_shift(grid, 0, 1, neighbour(0), neighbour(1), error)
    call MPI_Cart_shift(grid, 1, 1, neighbour(2), neighbour(3), error)
    cells = bytes / 8
    allocate (own(cells, 0:3), halo(cells, 0:3), source=0d0)
    do sweep = 0, iterations - 1
      do side = 0, 3
        call MPI_Irecv(halo(1, side), cells, MPI_DOUBLE_PRECISION, neighbour(side), ieor(side, 1), grid, &
                       requests(side), error)
      end do
      do side = 0, 3
        call MPI_Isend(own(1, side), cells, MPI_DOUBLE_PRECISION, neighbour(side), side, grid, requests(4 + side), &
                       error)
      end do
      call compute(compute_us * 0.8)
      call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, error)
      call compute(compute_us * 0.2)
      if (mod(sweep, 5) == 4) then
        call MPI_Allreduce(residual, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, grid, error)
        residual = total / ranks
      end if
    end do
    call MPI_Comm_free(grid, error)
  end subroutine

  subroutine cglike()
    character, allocatable :: own(:), border(:)
    double precision :: parameters(1024), part, total
    integer :: i, up, down
    up = merge(rank + 1, MPI_PROC_NULL, rank + 1 < ranks)
    down = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    allocate (own(bytes), border(bytes))
    parameters = 1
    part = 1
    call MPI_Bcast(parameters, 1024, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
    do i = 1, iterations
      call shift(up, down, 1)
      call shift(down, up, 2)
      call compute(compute_us * 0.7)
      call MPI_Allreduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
      call compute(compute_us * 0.3)
      call MPI_Allreduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    end do
  contains
    subroutine shift(to, from, tag)
      integer, intent(in) :: to, from, tag
      call MPI_Sendrecv(own, bytes, MPI_CHARACTER, to, tag, border, bytes, MPI_CHARACTER, from, tag, &
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end subroutine
  end subroutine

  subroutine bucketsort()
    integer :: buckets(1024), all_buckets(1024), i, to
    integer, allocatable :: out(:), in(:), out_offsets(:), in_offsets(:), keys(:), sorted(:)
    double precision :: own, all
    allocate (out(ranks), in(ranks), out_offsets(ranks), in_offsets(ranks))
    buckets = rank
    do i = 0, iterations - 1
      call compute(compute_us * 0.4)
      call MPI_Allreduce(buckets, all_buckets, 1024, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
      do to = 0, ranks - 1
        out(to + 1) = bytes / 4 * (2 + mod(rank * 3 + to * 5 + i, 5)) / 4
      end do
      call MPI_Alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
      do to = 1, ranks
        out_offsets(to) = sum(out(1:to - 1))
        in_offsets(to) = sum(in(1:to - 1))
      end do
      if (allocated(keys)) deallocate (keys, sorted)
      allocate (keys(sum(out)), sorted(sum(in)), source=rank)
      call MPI_Alltoallv(keys, out, out_offsets, MPI_INTEGER, sorted, in, in_offsets, MPI_INTEGER, &
                         MPI_COMM_WORLD, error)
      call compute(compute_us * 0.6)
      own = size(sorted)
      call MPI_Reduce(own, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    end do
  end subroutine

  subroutine farm()
    character, allocatable :: buffer(:)
    STATUS :: state
    integer :: given, running, worker, answer
    answer = max(8, bytes / 4)
    allocate (buffer(max(bytes, answer)))
    given = 0
    running = 0
    if (rank == 0) then
      do worker = 1, ranks - 1
        if (given < iterations) call give(worker)
      end do
      do while (running > 0)
        call MPI_Recv(buffer, answer, MPI_CHARACTER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, state, error)
        running = running - 1
        if (given < iterations) call give(SOURCE_OF(state))
      end do
      do worker = 1, ranks - 1
        call MPI_Send(buffer, 0, MPI_CHARACTER, worker, 0, MPI_COMM_WORLD, error)
      end do
      return
    end if
    do
      call MPI_Recv(buffer, bytes, MPI_CHARACTER, 0, MPI_ANY_TAG, MPI_COMM_WORLD, state, error)
      if (TAG_OF(state) == 0) return
      call compute(compute_us * (0.5 + mod(TAG_OF(state) * 7, 11) / 10.0))
      call MPI_Send(buffer, answer, MPI_CHARACTER, 0, TAG_OF(state), MPI_COMM_WORLD, error)
    end do
  contains
    subroutine give(to)
      integer, intent(in) :: to
      given = given + 1
      running = running + 1
      call MPI_Send(buffer, bytes, MPI_CHARACTER, to, given, MPI_COMM_WORLD, error)
    end subroutine
  end subroutine

  subroutine fftlike()
    character, allocatable :: rows(:), columns(:)
    integer :: i
    allocate (rows(bytes * ranks), columns(bytes * ranks))
    do i = 1, iterations
      call compute(compute_us)
      call MPI_Alltoall(rows, bytes, MPI_CHARACTER, columns, bytes, MPI_CHARACTER, MPI_COMM_WORLD, error)
      call compute(compute_us)
      call MPI_Alltoall(columns, bytes, MPI_CHARACTER, rows, bytes, MPI_CHARACTER, MPI_COMM_WORLD, error)
    end do
  end subroutine

  subroutine mpi3()
    integer :: i
    do i = 1, iterations
      call collectives()
      call neighbours()
      call messages()
      call window()
    end do
  end subroutine

  subroutine collectives()
    double precision, allocatable, asynchronous :: own(:), sums(:), parts(:), all(:)
    integer, allocatable, asynchronous :: counts(:), places(:)
    REQUEST :: requests(3)
    integer :: n, i
    n = bytes / 8
    allocate (own(n * ranks), sums(n * ranks), parts(n * ranks), all(ranks * ranks), source=0d0)
    counts = [(i + 1, i=0, ranks - 1)]
    places = [(i * ranks, i=0, ranks - 1)]
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(1), error)
    call compute(compute_us)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call MPI_Ibcast(own, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, requests(1), error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call MPI_Iallreduce(own, sums, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1), error)
    call MPI_Ialltoall(own, n, MPI_DOUBLE_PRECISION, parts, n, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, requests(2), error)
    call compute(compute_us)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call MPI_Igatherv(own, rank + 1, MPI_DOUBLE_PRECISION, all, counts, places, MPI_DOUBLE_PRECISION, 0, &
                      MPI_COMM_WORLD, requests(1), error)
    call MPI_Ireduce_scatter_block(own, parts, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(2), error)
    call MPI_Iexscan(own, sums, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(3), error)
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, error)
    call MPI_Reduce_scatter_block(own, parts, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end subroutine

  subroutine neighbours()
    double precision, allocatable, asynchronous :: own(:), others(:)
    integer, asynchronous :: sent(2), received(2), places(2)
    integer :: next(1), previous(1), n
    COMMUNICATOR :: copy, node, same, ring, line
    HANDLE(MPI_Group) :: group
    REQUEST :: pending
    n = bytes / 8
    next = mod(rank + 1, ranks)
    previous = mod(rank + ranks - 1, ranks)
    allocate (own(2 * n), others(2 * n), source=0d0)
    call MPI_Comm_idup(MPI_COMM_WORLD, copy, pending, error)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, error)
    call MPI_Comm_split_type(copy, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, node, error)
    call MPI_Barrier(node, error)
    call MPI_Comm_group(copy, group, error)
    call MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, same, error)
    call MPI_Barrier(same, error)
    call MPI_Dist_graph_create_adjacent(same, 1, previous, MPI_UNWEIGHTED, 1, next, MPI_UNWEIGHTED, MPI_INFO_NULL, &
                                        .false., ring, error)
    call MPI_Neighbor_allgather(own, n, MPI_DOUBLE_PRECISION, others, n, MPI_DOUBLE_PRECISION, ring, error)
    call MPI_Cart_create(copy, 1, [ranks], [.false.], .false., line, error)
    sent = [n, n / 2]
    received = [n / 2, n]
    places = [0, n]
    call MPI_Ineighbor_alltoallv(own, sent, places, MPI_DOUBLE_PRECISION, others, received, places, &
                                 MPI_DOUBLE_PRECISION, line, pending, error)
    call compute(compute_us)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, error)
    call MPI_Group_free(group, error)
    call MPI_Comm_free(line, error)
    call MPI_Comm_free(ring, error)
    call MPI_Comm_free(same, error)
    call MPI_Comm_free(node, error)
    call MPI_Comm_free(copy, error)
  end subroutine

  subroutine messages()
    double precision, allocatable, asynchronous :: own(:), other(:)
    HANDLE(MPI_Message) :: found
    REQUEST :: pending
    integer :: n
    n = bytes / 8
    allocate (own(n), other(n), source=0d0)
    call MPI_Isend(own, n, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 5, MPI_COMM_WORLD, pending, error)
    call MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, found, MPI_STATUS_IGNORE, error)
    call MPI_Mrecv(other, n, MPI_DOUBLE_PRECISION, found, MPI_STATUS_IGNORE, error)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, error)
  end subroutine

  subroutine window()
    double precision, allocatable, asynchronous :: own(:), other(:)
    double precision, asynchronous :: one, before
    type(c_ptr) :: memory
    HANDLE(MPI_Win) :: win
    REQUEST :: pending
    integer :: n, next
    integer(MPI_ADDRESS_KIND) :: first
    n = bytes / 8
    next = mod(rank + 1, ranks)
    one = 1
    first = 0
    allocate (own(n), other(n), source=0d0)
    call MPI_Win_allocate(int(8 * n, MPI_ADDRESS_KIND), 8, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win, error)
    call MPI_Win_lock_all(0, win, error)
    call MPI_Put(own, n, MPI_DOUBLE_PRECISION, next, first, n, MPI_DOUBLE_PRECISION, win, error)
    call MPI_Win_flush(next, win, error)
    call MPI_Rget(other, n, MPI_DOUBLE_PRECISION, next, first, n, MPI_DOUBLE_PRECISION, win, pending, error)
    call MPI_Wait(pending, MPI_STATUS_IGNORE, error)
    call MPI_Fetch_and_op(one, before, MPI_DOUBLE_PRECISION, next, first, MPI_SUM, win, error)
    call MPI_Win_unlock_all(win, error)
    call MPI_Win_free(win, error)
  end subroutine
end module

program applications
  use application
  implicit none
  character(16) :: name
  call get_command_argument(1, name)
  call begin()
  select case (name)
  case ('ring')
    call ring()
  case ('jacobi2d')
    call jacobi2d()
  case ('cglike')
    call cglike()
  case ('bucketsort')
    call bucketsort()
  case ('farm')
    call farm()
  case ('fftlike')
    call fftlike()
  case ('mpi3')
    call mpi3()
  end select
  call finish()
end program
