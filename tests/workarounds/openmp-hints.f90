! RUN: cufc -c -fopenmp %s -o %t.o
! SYMPTOM: error
subroutine s(a, n)
  integer :: n
  real :: a(n)
  !$omp parallel do order(concurrent)
  do i = 1, n
    a(i) = i
  end do
end subroutine
