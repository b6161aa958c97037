! Types whose procedure pointers have initial targets, private ones too.
module callbacks
  implicit none
  private
  abstract interface
    integer function f(i)
      integer, intent(in) :: i
    end function
  end interface
  type, public :: inner
    private
    integer, public :: a = 3
    procedure(f), pointer, nopass, public :: p => add_one
    procedure(f), pointer, nopass :: hidden => add_one
  contains
    procedure :: go
  end type
  type, public :: own
    integer :: k = 7
    procedure(value_of), pointer :: p => twice
  end type
contains
  integer function add_one(i)
    integer, intent(in) :: i
    add_one = i + 1
  end function
  integer function twice(this)
    class(own), intent(in) :: this
    twice = 2 * this%k
  end function
  integer function value_of(this)
    class(own), intent(in) :: this
    value_of = this%k
  end function
  integer function go(this, i)
    class(inner), intent(in) :: this
    integer, intent(in) :: i
    go = this%hidden(i)
  end function
end module
