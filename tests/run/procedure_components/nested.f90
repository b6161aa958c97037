! Types that have them as components, and variables of all kinds.
module nested
  use callbacks
  implicit none
  type outer
    integer :: x = 1
    type(inner) :: in = inner(a=9)
    type(own) :: s = own(8)
    type(inner), allocatable :: al
    type(inner), pointer :: pt => null()
  end type
  type wrap
    type(outer) :: o(2)
  end type
  type(inner) :: g = inner(4)
  type(inner), parameter :: c = inner(4)
  type(inner) :: h(2) = [inner(1), inner(2)]
  type(wrap) :: w
end module
