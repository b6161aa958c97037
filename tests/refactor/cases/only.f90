! REFACTOR: add-only
! Names of a module, an operator that it defines, a module that passes on what it uses.
module points
  implicit none
  type point
    real :: x, y
  end type point
  interface operator(+)
    module procedure add
  end interface
  integer, parameter :: count = 2
  real :: unused = 0.0
contains
  type(point) function add(a, b)
    type(point), intent(in) :: a, b
    add = point(a%x + b%x, a%y + b%y)
  end function add
end module points
module passing
  use points
  implicit none
end module passing
program only
  use passing
  implicit none
  type(point) :: a
  a = point(1.0, 2.0) + point(3.0, 4.0)
  print *, a%x, a%y, count
end program only
