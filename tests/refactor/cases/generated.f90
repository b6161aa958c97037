! REFACTOR: generate-procedure
! A call of what is not there, from a module and with several kinds of arguments.
module generated_work
  implicit none
contains
  subroutine caller(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(:, :)
    if (n < 0) then
      call missing(x, x(1, 1), n, 3)
    end if
  end subroutine caller
end module generated_work
program generated
  use generated_work
  implicit none
  real(8) :: x(2, 2)
  x = 1
  call caller(x, 2)
  print *, x
end program generated
