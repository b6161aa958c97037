! RUN: cufc -c %s -o %t.o
! SYMPTOM: warning
subroutine s(a, i)
  real :: a(4)
  integer :: i(4)
  call mpi_of_library(a, 4)
  call mpi_of_library(i, 4)
end subroutine
