! FLAGS: -cuda
! Fixed form: columns, continuation, a name beyond the declarations.
      program p
      implicit none
      integer i
      i = 1 +
     &    nobody
!         ^^^^^^ error[CUF1101]: 'nobody' is not declared
      end
