! Assignments of types with allocatable components in host code, component by component or by flang's library.
module tables
  implicit none
  type table
    integer :: number = 0
    integer, allocatable :: rows(:)
    real(8), allocatable :: values(:, :)
    real(8) :: corner(3) = 0
    character(8) :: name = ''
    character(:), allocatable :: text
    character(3), allocatable :: words(:)
    complex, allocatable :: scalar
    logical :: flag = .false.
  end type
  type nested
    type(table) :: inner
    integer, allocatable :: own(:)
  end type
  type, extends(table) :: larger
    integer, allocatable :: more(:)
  end type
  type linked
    integer, allocatable :: a(:)
    integer, pointer :: p(:) => null()
  end type
  type counted
    integer, allocatable :: a(:)
  contains
    final :: finish
  end type
  type special
    integer, allocatable :: a(:)
  contains
    procedure :: give
    generic :: assignment(=) => give
  end type
  type has_special
    type(special) :: part
    integer, allocatable :: b(:)
  end type
  integer :: finished = 0
contains
  subroutine finish(self)
    type(counted), intent(inout) :: self
    finished = finished + 1
    if (allocated(self%a)) deallocate (self%a)
  end subroutine
  subroutine give(to, from)
    class(special), intent(inout) :: to
    class(special), intent(in) :: from
    to%a = from%a + 1000
  end subroutine
  subroutine give_dummy(to, from)
    type(table), intent(out) :: to
    type(table), intent(in) :: from
    to = from
  end subroutine
  subroutine to_itself(a, b)
    type(table), intent(inout), target :: a, b
    a = b
  end subroutine
end module

program component_assignments
  use tables
  implicit none
  type(table), target :: a, b, c
  type(table) :: many(3)
  type(table), pointer :: p
  type(nested) :: n, m
  type(larger) :: l, k
  type(linked) :: x, y
  type(counted) :: f, g
  type(has_special) :: s, t
  integer, target :: watched(2) = [5, 6]
  integer :: i, failures = 0

  call fill(b)
  a = b
  call expect_filled('new', a)
  b%rows(0) = 99
  b%values = 0
  b%text = 'other'
  b%scalar = 0
  call expect_filled('own memory', a)
  call fill(b)
  b%rows = [1, 2, 3]
  a = b
  call check('shape', size(a%rows) == 3 .and. all(a%rows == [1, 2, 3]) .and. lbound(a%rows, 1) == lbound(b%rows, 1))
  call fill(b)
  a = b
  call expect_filled('bounds', a)
  do i = 1, 3
    b%rows(1) = i
    a = b
    call check('again', a%rows(1) == i .and. lbound(a%rows, 1) == 0)
  end do
  call fill(b)
  a = b
  a = a
  call expect_filled('itself', a)
  p => a
  a = p
  call expect_filled('itself by a pointer', a)
  call to_itself(a, a)
  call expect_filled('itself by arguments', a)
  p = c
  call check('unallocated', .not. (allocated(a%rows) .or. allocated(a%values) .or. allocated(a%text) .or. &
                                   allocated(a%words) .or. allocated(a%scalar)))
  a = c
  call check('unallocated twice', .not. allocated(a%rows))
  call give_dummy(c, b)
  call expect_filled('dummy', c)
  many(2) = b
  many(3) = many(2)
  call expect_filled('element', many(3))
  many = b
  call expect_filled('array', many(1))
  many(1:2) = many(2:3)
  call expect_filled('array section', many(1))
  a = table(rows=[7], number=3)
  call check('constructor', a%rows(1) == 7 .and. a%number == 3 .and. .not. allocated(a%values))
  deallocate (b%rows)
  allocate (b%rows(0))
  a = b
  call check('empty', allocated(a%rows) .and. size(a%rows) == 0)

  call fill(n%inner)
  n%own = [1, 2]
  m = n
  n%inner%rows = 0
  call expect_filled('nested', m%inner)
  call fill(l%table)
  l%more = [4]
  k = l
  l%more = [5]
  call expect_filled('parent', k%table)
  call check('extension', k%more(1) == 4)
  x%a = [1]
  x%p => watched
  y = x
  call check('pointer', associated(y%p, watched) .and. y%a(1) == 1)
  g%a = [1]
  f%a = [2]
  f = g
  call check('final', finished == 1 .and. f%a(1) == 1)
  s%part%a = [1]
  s%b = [2]
  t = s
  call check('defined assignment', t%part%a(1) == 1001 .and. t%b(1) == 2)
  if (failures == 0) print '(a)', 'PASS'
contains
  subroutine fill(to)
    type(table), intent(out) :: to
    to%number = 4
    allocate (to%rows(0:2), source=[10, 20, 30])
    allocate (to%values(2, -1:1), source=reshape([1d0, 2d0, 3d0, 4d0, 5d0, 6d0], [2, 3]))
    to%corner = [1, 2, 3]
    to%name = 'name'
    to%text = 'a text'
    to%words = ['abc', 'def']
    to%scalar = (1, 2)
    to%flag = .true.
  end subroutine
  subroutine expect_filled(what, got)
    character(*), intent(in) :: what
    type(table), intent(in) :: got
    call check(what, got%number == 4 .and. lbound(got%rows, 1) == 0 .and. all(got%rows == [10, 20, 30]))
    call check(what, all(lbound(got%values) == [1, -1]) .and. all(shape(got%values) == [2, 3]) .and. &
               all(got%values == reshape([1, 2, 3, 4, 5, 6], [2, 3])))
    call check(what, all(got%corner == [1, 2, 3]) .and. got%name == 'name' .and. got%text == 'a text' .and. len(got%text) == 6)
    call check(what, all(got%words == ['abc', 'def']) .and. got%scalar == (1, 2) .and. got%flag)
  end subroutine
  subroutine check(what, good)
    character(*), intent(in) :: what
    logical, intent(in) :: good
    if (good) return
    failures = failures + 1
    print '(2a)', 'FAIL ', what
  end subroutine
end program
