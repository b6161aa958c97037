! RUN: cufc %s -o %t && { %t || true; }
! SYMPTOM: the second one passed
program p
  real, allocatable :: a(:)
  allocate(a(5))
  allocate(a(3))
  print *, 'the second one passed', size(a)
end program
