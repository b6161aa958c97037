! FLAGS: -cuda
C     A fixed-form source file with kernels: column 6 continuation,
C     labels, comments in column 1.
      module fixed_kernels
      contains
      attributes(global) subroutine axpy(n, a, x, y)
      integer, value :: n
      real*8, value :: a
      real*8 :: x(*), y(*)
      integer i
      i = (blockidx%x - 1) * blockdim%x
     &    + threadidx%x
      if (i .gt. n) goto 10
      y(i) = a * x(i) +
     1       y(i)
   10 continue
      end subroutine
      end module

      program fixed_form
      use cudafor
      use fixed_kernels
      integer n, i, nbad
      parameter (n = 300)
      real*8, device :: xd(n), yd(n)
      real*8 x(n), y(n)
      do 20 i = 1, n
        x(i) = i
        y(i) = 0.5d0
   20 continue
      xd = x
      yd = y
      call axpy<<<(n + 63) / 64, 64>>>(n, 2.0d0,
     &     xd, yd)
!$cuf kernel do <<<*, *>>>
      do i = 1, n
        yd(i) = yd(i) + 1
      end do
      y = yd
      nbad = 0
      do 30 i = 1, n
        if (y(i) .ne. 2.0d0 * i + 1.5d0) nbad = nbad + 1
   30 continue
      if (nbad .ne. 0) then
        print *, 'FAIL', nbad, ' wrong values'
        stop 1
      end if
      print '(a)', 'PASS'
      end program
