! FLAGS: -cuda
      program cut
      implicit none
      integer total
      total = 1
      total = total + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11+ 12 + 13
!                                                                       ^^ error[CUF1067]: a line of fixed form ends at column 72: '13' is not read
      total = (total + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11+ 12 + 13)
!                                                                        ^^^ error[CUF1067]: a line of fixed form ends at column 72: '13)' is not read
      print *, total
      end
