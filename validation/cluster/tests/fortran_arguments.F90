! Calls in Fortran whose arguments the MPI library converts: the tracer must change nothing that the program sees. For
! 2 ranks.
#ifdef MPI_F08
#define MODULE mpi_f08
#define HANDLE(kind) type(kind)
#else
#define MODULE mpi
#define HANDLE(kind) integer
#endif
program arguments
  use MODULE
  implicit none
  integer :: error, rank, n, counts(2), places(2)
  integer, asynchronous :: numbers(4)
  HANDLE(MPI_Comm) :: pair, line
  HANDLE(MPI_Request) :: barrier, requests(2)
  HANDLE(MPI_Datatype) :: absolute, types(2)
  HANDLE(MPI_Group) :: group
  logical :: found, periodic(1)
  character(MPI_MAX_OBJECT_NAME) :: name
  integer(MPI_ADDRESS_KIND) :: address

  call MPI_Init_thread(MPI_THREAD_FUNNELED, n, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, pair, error)
  call MPI_Comm_set_name(pair, 'a pair', error)
  call MPI_Comm_get_name(pair, name, n, error)
  call check('a string', name == 'a pair' .and. n == 6)

  numbers = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, numbers, 4, MPI_INTEGER, MPI_SUM, pair, error)
  call check('MPI_IN_PLACE', all(numbers == 3))

  numbers = merge(7, 0, rank == 0)
  call MPI_Get_address(numbers, address, error)
  call MPI_Type_create_hindexed(1, [4], [address], MPI_INTEGER, absolute, error)
  call MPI_Type_commit(absolute, error)
  call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, pair, error)
  call MPI_Get_address(numbers, address, error)  ! so that the compiler looks again
  call check('MPI_BOTTOM', all(numbers == 7))
  call MPI_Type_free(absolute, error)

  counts = 1
  places = [0, 4]
  types = MPI_INTEGER
  numbers = [10 * rank, 10 * rank + 1, -1, -1]
  call MPI_Alltoallw(numbers, counts, places, types, numbers(3:4), counts, places, types, pair, error)
  call check('a list of datatypes', all(numbers(3:4) == [rank, 10 + rank]))

  call MPI_Iprobe(MPI_ANY_SOURCE, 99, pair, found, MPI_STATUS_IGNORE, error)
  call check('a flag', .not. found)
  call MPI_Ibarrier(pair, barrier, error)
  call MPI_Wait(barrier, MPI_STATUS_IGNORE, error)
  call MPI_Cart_create(pair, 1, [2], [.true.], .false., line, error)
  call MPI_Cart_get(line, 1, counts, periodic, places, error)
  call check('a list of logical values', periodic(1) .and. counts(1) == 2 .and. places(1) == rank)
  call MPI_Comm_group(line, group, error)
  call MPI_Group_free(group, error)
  call MPI_Comm_free(line, error)
  call check('a freed handle', line == MPI_COMM_NULL)

  call MPI_Irecv(numbers, 1, MPI_INTEGER, 1 - rank, 1, pair, requests(1), error)
  call MPI_Isend(numbers(2), 1, MPI_INTEGER, 1 - rank, 1, pair, requests(2), error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call check('requests', requests(1) == MPI_REQUEST_NULL .and. requests(2) == MPI_REQUEST_NULL)
  call MPI_Pcontrol(0)
  call MPI_Pcontrol(1)
  call MPI_Pcontrol(2)  ! has a text in C only
  call MPI_Comm_free(pair, error)
  call MPI_Finalize(error)
contains
  subroutine check(what, holds)
    character(*), intent(in) :: what
    logical, intent(in) :: holds
    if (.not. holds) error stop what
  end subroutine
end program
