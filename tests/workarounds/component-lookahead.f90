! RUN: awk '/^!> /{print substr($0,4)} /^!= /{for(i=0;i<1500;i++)print substr($0,4)} END{print "end"}' %s > many.f90 && cufc -fsyntax-only many.f90
! SLOWER: 2
!> subroutine deep(a, f)
!>   real :: a(10)
!>   real, external :: f
!=   a(1) = f(f(f(f(f(f(f(f(f(f(f(f(a(2)))))))))))))
