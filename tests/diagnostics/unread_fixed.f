! FLAGS: -cuda -mp
! Directives in other columns than 1 to 5, and text behind column 72.
      program fixed
      implicit none
      real, managed :: a(100)
      integer i, total
      !$cuf kernel do <<<*, *>>>
!@1 warning[CUF0416]: in fixed form '!$cuf' begins a directive in column 1 alone: this is a comment
      do i = 1, 100
        a(i) = i
      end do
c$opm parallel do
!@1 warning[CUF0415]: 'c$opm' makes this a comment, and no directive: write 'c$omp'
      do i = 1, 100
        a(i) = i
      end do
      !$omp parallel do
!@1 warning[CUF0416]: in fixed form '!$omp' begins a directive in column 1 alone: this is a comment
      do i = 1, 100
        a(i) = i
      end do
*$cuf kernel do
      do i = 1, 100
        a(i) = i
      end do
      total = 1                                                         ABC00010
      total = total + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11+12 + 13
!                                                                       ^ warning[CUF0417]: a line of fixed form ends at column 72: '3' is not read
      print *, total, sum(a)                      ! comments may be as long as they like, of course
      end
