! FLAGS: -cuda
program main
  use cudafor
  implicit none
  integer :: n, istat
  n = 3
  if (n > 2) then
    istat = cudaSetDevice(0)
  else (n > 1) then
! ^^^^^^^^^^^^^^^^^ error[CUF1030]: 'else (n > 1) then' is not Fortran: write 'else if (n > 1) then'
!=>   else if (n > 1) then
    istat = cudaSetDevice(1)
  end if
end program main
