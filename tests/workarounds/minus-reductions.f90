! RUN: cufc -c -fopenmp %s -o %t.o
! SYMPTOM: error
subroutine s(x, n)
  integer :: n
  real :: x
  !$omp parallel do reduction(-: x)
  do i = 1, n
    x = x - i
  end do
end subroutine
