! FLAGS: -cuda
      program t
      use cudafor
      real, device :: a_d(100),
     &  b_d(100)
      real a(100)
      a = 1.0
      a_d = a
      b_d = &
!           ^ error[CUF1061]: in fixed form no line ends with '&': the next one goes on with the statement if it has a character in column 6
!=>       b_d =
        a
!=>      &  a
      end
