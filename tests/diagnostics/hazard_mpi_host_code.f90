! The same where nothing is CUDA Fortran.
subroutine with_header(ierror)
  implicit none
  include 'mpif.h'
  integer :: ierror, n
  call MPI_Comm_rank(MPI_COMM_WORLD, n)
! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ note: previous reference to 'MPI_Comm_rank'
!      ^^^^^^^^^^^^^ error[CUF0712]: number of arguments: MPI_Comm_rank takes 3, not 2; the last one is 'ierror'
  call MPI_Comm_rank(MPI_INFO_NULL, n, ierror)
! ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[CUF1307]: 'MPI_Comm_rank' is called in two ways that do not fit each other: distinct numbers of dummy arguments
!                    ^^^^^^^^^^^^^ error[CUF0715]: dummy argument 'comm' of MPI_Comm_rank is a handle of TYPE(MPI_Comm), but this is a handle of TYPE(MPI_Info)
end subroutine with_header
