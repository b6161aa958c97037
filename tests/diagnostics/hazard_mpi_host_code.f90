! The same where nothing is CUDA Fortran.
subroutine with_header(ierror)
  implicit none
  include 'mpif.h'
  integer :: ierror, n
  call MPI_Comm_rank(MPI_COMM_WORLD, n)
  call MPI_Comm_rank(MPI_INFO_NULL, n, ierror)
end subroutine with_header
