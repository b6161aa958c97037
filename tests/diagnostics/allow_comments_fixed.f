C In fixed form.
C cufls: allow-file CUF1301
      subroutine s(x)
      real :: x, a
      x = a
      x = x + 'a'
!         ^^^^^^^ error[CUF1203]: + needs numbers, but the operands are REAL(4) and CHARACTER(KIND=1)
      end
