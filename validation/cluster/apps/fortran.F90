! The six applications once more, in Fortran: they make the same calls with the same arguments as those in C++, so their
! traces are the same. Compiled twice, with the module mpi and, with MPI_F08 defined, with mpi_f08.
!     fortran_mpi APPLICATION ITERATIONS BYTES MICROSECONDS
#ifdef MPI_F08
#define MODULE mpi_f08
#define COMMUNICATOR type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define STATUS type(MPI_Status)
#define SOURCE_OF(status) status%MPI_SOURCE
#define TAG_OF(status) status%MPI_TAG
#else
#define MODULE mpi
#define COMMUNICATOR integer
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
  end select
  call finish()
end program
