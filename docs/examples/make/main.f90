! Lets a peak of heat spread; what flows out of the ends is not counted, and nothing reaches them here.
program main
  use cudafor
  use kernels
  implicit none
  integer, parameter :: n = 512, steps = 200
  real(rk), device :: a(n), b(n)
  real(rk) :: heat(n)
  integer :: k

  heat = 0
  heat(n / 2) = 1
  a = heat
  do k = 1, steps / 2
    call step<<<(n + 127) / 128, 128>>>(n, 0.25_rk, a, b)
    call step<<<(n + 127) / 128, 128>>>(n, 0.25_rk, b, a)
  end do
  heat = a
  if (abs(sum(heat) - 1) > 1e-5_rk .or. heat(n / 2) > 0.1_rk) error stop 'FAIL'
  print '(a)', 'PASS'
end program main
