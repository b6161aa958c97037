! A library that editor.py compiles by gfortran, for the language server to show.
module lib
  implicit none
  integer, parameter :: most = 10
  real(8), parameter :: pi = 3.14d0
  integer :: counter = 0
  real, allocatable :: work(:)
  type point
    real :: x, y
  contains
    procedure :: norm
    procedure, private :: scale_by
    generic :: scale => scale_by
  end type
  type, extends(point) :: point3
    real :: z
  end type
  interface add
    module procedure add_int, add_real
  end interface
  interface operator(+)
    module procedure plus
  end interface
contains
  real function norm(this)
    class(point), intent(in) :: this
    norm = sqrt(this%x**2 + this%y**2)
  end function
  subroutine scale_by(this, f)
    class(point), intent(inout) :: this
    real, intent(in) :: f
    this%x = f*this%x
  end subroutine
  integer function add_int(a, b)
    integer, intent(in) :: a
    integer, intent(in), optional :: b
    add_int = a
    if (present(b)) add_int = a + b
  end function
  real function add_real(a, b)
    real, intent(in) :: a, b
    add_real = a + b
  end function
  type(point) function plus(a, b)
    type(point), intent(in) :: a, b
    plus%x = a%x + b%x
    plus%y = a%y + b%y
  end function
  subroutine fill(array, value, status)
    real, intent(out) :: array(:)
    real, intent(in) :: value
    integer, intent(out), optional :: status
    array = value
    if (present(status)) status = 0
  end subroutine
  subroutine any_thing(x)
    class(*), intent(in) :: x
  end subroutine
end module
