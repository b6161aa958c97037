! RUN: awk '/^!> /{print substr($0,4)} /^!= /{for(i=0;i<300;i++)print substr($0,4)} END{print "end"}' %s > many.f90 && cufc -fsyntax-only many.f90
! SLOWER: 1.5
!> subroutine sections(a)
!>   real :: a(10)
!>   integer, external :: f
!=   a(1) = f(a(f(a(f(a(f(a(f(a(f(a(1:2)):3)):4)):5)):6)):7))
