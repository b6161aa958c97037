C In fixed form.
C cufls: allow-file CUF1301
      subroutine s(x)
      real :: x, a
      x = a
      x = x + 'a'
      end
