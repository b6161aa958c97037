! Smoothing of a field by a loop on the CPU.
! Tutorial, step 1; see docs/tutorial.md. Argument: points in each direction (200).
program smooth
  implicit none
  integer, parameter :: sweeps = 20
  integer :: n, k
  integer(8) :: start, finish, rate
  real, allocatable :: field(:,:), other(:,:)
  character(16) :: argument

  n = 200
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) n
  end if
  n = max(n, 3)
  allocate (field(n, n), other(n, n))
  field = 0
  field(n / 2, :) = 1                       ! a hot line
  other = field
  call system_clock(start, rate)
  do k = 1, sweeps / 2
    call sweep(field, other)
    call sweep(other, field)
  end do
  call system_clock(finish)

  call report(real(finish - start, 8) / rate / sweeps)
contains
  subroutine sweep(a, b)
    real, intent(in) :: a(:,:)
    real, intent(inout) :: b(:,:)
    integer :: i, j

    do j = 2, n - 1
      do i = 2, n - 1
        b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
  end subroutine sweep

  subroutine report(seconds)                ! one array is read and one written
    real(8), intent(in) :: seconds
    real(8) :: heat

    heat = sum(real(field, 8))
    print '(f9.3, a, f8.1, a)', seconds * 1e3, ' ms a sweep, ', 8e-9 * real(n, 8)**2 / seconds, ' GB/s'
    if (abs(heat / n - 1) > 0.2 .or. minval(field) < 0) error stop 'FAIL'
    print '(a)', 'PASS'
  end subroutine report
end program smooth
