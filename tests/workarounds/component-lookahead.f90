! RUN: awk '/^!> /{print substr($0,4)} /^!= /{for(i=0;i<1500;i++)print substr($0,4)} END{print "end"}' %s > many.f90 && cufc -fsyntax-only many.f90
! SLOWER: 1.5
!> subroutine deep(z, a, f)
!>   complex :: z(10)
!>   real :: a(10)
!>   real, external :: f
!=   z(1) = (a(1), 2.0) * f(f(f(f(f(f(f(f(f(f(f(f(a(2)))))))))))))
