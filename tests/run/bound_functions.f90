! Functions bound to a type whose results have components with sizes of their own, called by their names and by the binding.
module vectors
  implicit none
  type vector
    real, allocatable :: x(:)
  contains
    procedure :: twice
    procedure, nopass :: ones
    procedure, private :: added
    generic :: operator(+) => added
  end type
  type, extends(vector) :: named
    character(:), allocatable :: name
    type(vector), pointer :: next => null()
  contains
    procedure :: twice => twice_named
    procedure :: linked
  end type
contains
  function twice(self)
    class(vector), intent(in) :: self
    type(vector) :: twice
    twice%x = 2*self%x
  end function
  function twice_named(self) result(twice)
    class(named), intent(in) :: self
    type(vector) :: twice
    twice%x = -2*self%x
  end function
  function ones(n)
    integer, intent(in) :: n
    type(vector) :: ones
    integer :: i
    ones%x = [(1., i=1, n)]
  end function
  function added(left, right)
    class(vector), intent(in) :: left, right
    type(vector) :: added
    added%x = left%x + right%x
  end function
  function linked(self)
    class(named), intent(in) :: self
    type(named) :: linked
    linked%x = self%x
    linked%name = self%name//'!'
    allocate (linked%next)
    linked%next%x = self%x
  end function
end module

program main
  use vectors
  implicit none
  type(vector) :: v, w
  class(vector), allocatable :: any
  type(named) :: n, l
  v = w%ones(3)
  v = v + v%twice()
  if (any_differs(v%x, [3., 3., 3.])) error stop 'sum'
  n%x = [1., 2.]
  n%name = 'n'
  l = n%linked()
  if (l%name /= 'n!' .or. any_differs(l%next%x, [1., 2.])) error stop 'linked'
  any = n
  w = any%twice()
  if (any_differs(w%x, [-2., -4.])) error stop 'bound'
  print *, 'PASS'
contains
  logical function any_differs(a, b)
    real, intent(in) :: a(:), b(:)
    any_differs = size(a) /= size(b)
    if (.not. any_differs) any_differs = maxval(abs(a - b)) > 0
  end function
end program
