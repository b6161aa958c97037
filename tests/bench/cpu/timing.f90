! Times of kernels and of their twins: `do while (more('name')); work; end do`, then one sum of the result.
module timing
  use iso_fortran_env, only: int64
  implicit none
  integer :: rounds = 7
  integer, private :: count = 0
  integer(int64), private :: started, stopped, ticks
  real(8), private :: best = -1
contains
  logical function more()
    if (best < 0) call argument(3, rounds)
    call system_clock(stopped, ticks)
    if (count == 0) best = huge(best)
    if (count > 0) best = min(best, real(stopped - started, 8)/ticks)
    more = count < rounds
    count = merge(count + 1, 0, more)
    call system_clock(started)
  end function
  subroutine report(name, total)
    character(*), intent(in) :: name
    real(8), intent(in) :: total
    print '(3a, f12.5, es24.14)', 'RESULT ', name, ' ', best*1000, total
  end subroutine
  subroutine argument(place, value)
    integer, intent(in) :: place
    integer, intent(inout) :: value
    character(20) :: text
    if (command_argument_count() < place) return
    call get_command_argument(place, text)
    read (text, *) value
  end subroutine
  ! A number between 0 and 1 for each element.
  pure elemental real(8) function value(i)
    integer, intent(in) :: i
    value = mod(int(i, 8)*7919, 1009_8)/1009d0
  end function
  ! Sums that tell places apart.
  real(8) function check8(n, a)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    integer :: i
    check8 = 0
    do i = 1, n
      check8 = check8 + a(i)*(1 + mod(i, 7))
    end do
  end function
  real(8) function check4(n, a)
    integer, intent(in) :: n
    real, intent(in) :: a(n)
    integer :: i
    check4 = 0
    do i = 1, n
      check4 = check4 + real(a(i), 8)*(1 + mod(i, 7))
    end do
  end function
  real(8) function checki(n, a)
    integer, intent(in) :: n
    integer, intent(in) :: a(n)
    integer :: i
    checki = 0
    do i = 1, n
      checki = checki + real(a(i), 8)*(1 + mod(i, 7))
    end do
  end function
end module
