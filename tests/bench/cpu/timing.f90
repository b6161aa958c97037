! Times of blocks.cuf and of its twin: `do while (more('name')); work; end do`, then one sum of the result.
module timing
  use iso_fortran_env, only: int64
  implicit none
  integer :: rounds = 7
  integer, private :: count = 0
  integer(int64), private :: started, stopped, ticks
  real(8), private :: best
contains
  logical function more()
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
end module
