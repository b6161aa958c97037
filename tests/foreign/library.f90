! A library as gfortran compiles it: every kind of dummy argument and result that cufc can pass, and
! some that it cannot.
module library_base
  use, intrinsic :: iso_c_binding, only: c_int, c_double, c_ptr, c_null_ptr, c_loc
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: pi = 3.14159265358979323846_dp, tiny_number = -2.5e-310_dp
  real, parameter :: third = 1./3., powers(2, 2) = reshape([1., 2., 4., 8.], [2, 2])
  complex(dp), parameter :: unit = (0._dp, -1._dp)
  logical(1), parameter :: yes = .true.
  integer(8), parameter :: smallest = -huge(1_8) - 1
  character(*), parameter :: text = 'it''s "quoted" \n' // achar(9)
  integer, private :: hidden = 7
  type point
    real :: x = 1, y = -2
    integer :: tag(2) = [3, 4]
  end type
  type(point), parameter :: origin = point(0., 0., [5, 6])
  type pair
    real(dp) :: first, second
  end type
  type mixed
    real :: a
    integer :: b
    real(dp) :: c
  end type
  type large
    integer :: values(10)
    character(3) :: name = 'abc'
  end type
  type, bind(c) :: c_record
    integer(c_int) :: number
    real(c_double) :: value
    type(c_ptr) :: address = c_null_ptr
  end type
  type, private :: secret
    integer :: code = 42
  end type
  type holder
    integer :: before = 11
    real, allocatable :: list(:)
    integer, pointer :: target => null()
    character(:), allocatable :: name
    integer :: after = 12
  end type
  type(point), target :: here = point(8., 9., [1, 2])
  integer :: counter = 100
  integer, protected :: guarded = 55
  real :: grid(0:2, -1:1) = 0
  real, allocatable :: work(:)
  integer :: common_a, common_b
  common /library_common/ common_a, common_b
contains
  subroutine bump
    counter = counter + 1
    common_a = common_b * 2
    guarded = guarded + 1
  end subroutine
  type(secret) function make_secret()
    make_secret%code = hidden
  end function
  integer function open_secret(s)
    type(secret), intent(in) :: s
    open_secret = s%code
  end function
end module

module library
  use library_base
  implicit none
  interface operator(+)
    module procedure add_points
  end interface
  interface operator(.cross.)
    module procedure cross
  end interface
  interface assignment(=)
    module procedure point_from_integer
  end interface
  interface describe
    module procedure describe_integer, describe_real, describe_array
  end interface
  interface point
    module procedure new_point
  end interface
  abstract interface
    real function of_real(x)
      real, intent(in) :: x
    end function
  end interface
  type, abstract :: figure
    integer :: id = 0
  contains
    procedure(area_of), deferred :: area
    procedure :: rename => rename_figure
    procedure, nopass :: kinds => count_kinds
    generic :: label => rename
  end type
  type, extends(figure) :: square
    real :: side = 2
  contains
    procedure :: area => square_area
  end type
  type, extends(square) :: box
    real :: height = 3
  contains
    procedure :: area => box_area
  end type
  abstract interface
    real function area_of(this)
      import figure
      class(figure), intent(in) :: this
    end function
  end interface
contains
  ! Scalars
  subroutine scalars(i1, i2, i4, i8, r4, r8, c4, c8, l1, l4, s)
    integer(1), intent(inout) :: i1
    integer(2), intent(inout) :: i2
    integer(4), intent(inout) :: i4
    integer(8), intent(inout) :: i8
    real(4), intent(inout) :: r4
    real(8), intent(inout) :: r8
    complex(4), intent(inout) :: c4
    complex(8), intent(inout) :: c8
    logical(1), intent(inout) :: l1
    logical(4), intent(inout) :: l4
    character(*), intent(inout) :: s
    i1 = i1 + 1_1; i2 = i2 + 1_2; i4 = i4 + 1; i8 = i8 + 1
    r4 = 2*r4; r8 = 2*r8; c4 = c4*(0., 1.); c8 = c8*(0d0, 1d0)
    l1 = .not. l1; l4 = .not. l4
    s = s(2:) // s(1:1)
  end subroutine
  real(8) function by_value(i, k, r, d, c, z, l, flag)
    integer, value :: i
    integer(8), value :: k
    real, value :: r
    real(8), value :: d
    complex, value :: c
    complex(8), value :: z
    logical, value :: l
    integer(1), value :: flag
    by_value = i + k + r + d + real(c) + aimag(c) + real(z) + aimag(z) + merge(1, 0, l) + flag
  end function
  integer function optional_value(a, b, c)
    integer, value :: a
    integer, value, optional :: b
    real, value, optional :: c
    optional_value = a
    if (present(b)) optional_value = optional_value + b
    if (present(c)) optional_value = optional_value + 100*int(c)
  end function
  integer function optional_reference(a, b, s, list)
    integer, intent(in) :: a
    integer, intent(in), optional :: b
    character(*), intent(in), optional :: s
    integer, intent(in), optional :: list(:)
    optional_reference = a
    if (present(b)) optional_reference = optional_reference + b
    if (present(s)) optional_reference = optional_reference + 10*len(s)
    if (present(list)) optional_reference = optional_reference + 1000*size(list)
  end function
  integer function c_pointer_value(p, q) result(n)
    use iso_c_binding
    type(c_ptr), value :: p
    type(c_ptr), intent(in) :: q
    integer, pointer :: a, b
    call c_f_pointer(p, a)
    call c_f_pointer(q, b)
    n = a + b
  end function
  ! Arrays
  subroutine explicit_shape(n, m, a, b)
    integer, intent(in) :: n, m
    real, intent(inout) :: a(n, 0:m - 1)
    real, intent(in) :: b(size(a))
    a = a + reshape(b, shape(a))
  end subroutine
  subroutine assumed_size(n, a, s)
    integer, intent(in) :: n
    integer, intent(inout) :: a(2, *)
    character(*), intent(inout) :: s(*)
    a(:, 1:n) = -a(:, 1:n)
    s(n) = 'last'
  end subroutine
  real(8) function assumed_shape(a, b, lower)
    real(8), intent(in) :: a(:)
    integer, intent(inout) :: b(:, 0:)
    integer, intent(out) :: lower(2)
    integer :: i
    lower = lbound(b)
    b = b + size(b, 1)*10 + size(b, 2)
    assumed_shape = sum(a*[(i, i = 1, size(a))])
  end function
  subroutine contiguous_array(a)
    integer, intent(inout), contiguous, target :: a(:)
    a = a*2
  end subroutine
  subroutine assumed_shape_strings(s, n, total)
    character(*), intent(inout) :: s(:)
    character(4), intent(in) :: n(:)
    integer, intent(out) :: total
    integer :: k
    total = len(s)*100 + size(s)*10 + size(n)
    do k = 1, size(s)
      s(k) = n(k)
    end do
  end subroutine
  subroutine assumed_shape_types(p, r)
    type(point), intent(inout) :: p(:)
    real, intent(out) :: r
    r = sum(p%x)
    p%y = p%y*2
  end subroutine
  integer function assumed_rank(a)
    integer, intent(in) :: a(..)
    assumed_rank = 100*rank(a) + size(a)
  end function
  subroutine grow(a, n)
    real, allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    real, allocatable :: b(:)
    integer :: old
    old = 0
    if (allocated(a)) old = size(a)
    allocate (b(old + n), source=1.5)
    if (old > 0) b(1:old) = a
    call move_alloc(b, a)
  end subroutine
  subroutine make(a, n, m)
    integer, allocatable, intent(out) :: a(:, :)
    integer, intent(in) :: n, m
    if (allocated(a)) error stop 'INTENT(OUT) is allocated'
    allocate (a(-1:n - 2, m))
    a = n*m
  end subroutine
  integer function allocated_size(a)
    real, allocatable, intent(in) :: a(:)
    allocated_size = -1
    if (allocated(a)) allocated_size = size(a) + 10*lbound(a, 1)
  end function
  subroutine scalar_allocatable(a, p)
    real, allocatable, intent(inout) :: a
    type(point), allocatable, intent(out) :: p
    if (allocated(a)) then
      deallocate (a)
    else
      allocate (a, source=4.5)
    end if
    allocate (p)
    p%x = 77
  end subroutine
  subroutine point_at(p, t)
    real, pointer, intent(inout) :: p(:)
    real, target, intent(in) :: t(:)
    p => t(size(t):1:-1)
  end subroutine
  subroutine pointers(p, s, c)
    integer, pointer, intent(inout) :: p(:, :)
    integer, pointer, intent(out) :: s
    integer, pointer, intent(in) :: c(:)
    if (associated(p)) p = p + 1
    allocate (s, source=sum(c))
  end subroutine
  subroutine strings(a, b, c)
    character(:), allocatable, intent(inout) :: a
    character(:), allocatable, intent(out) :: b
    character(:), pointer, intent(inout) :: c
    if (allocated(a)) then
      a = a // ' and more'
    else
      a = 'new'
    end if
    b = 'made'
    allocate (character(2) :: c)
    c = 'xy'
  end subroutine
  subroutine string_list(a)
    character(:), allocatable, intent(inout) :: a(:)
    if (allocated(a)) deallocate (a)
    allocate (character(6) :: a(3))
    a = ['first ', 'second', 'third ']
  end subroutine
  ! Results
  logical function is_even(i)
    integer, intent(in) :: i
    is_even = mod(i, 2) == 0
  end function
  complex function make_complex(a, b)
    real, intent(in) :: a, b
    make_complex = cmplx(a, b)
  end function
  complex(8) function make_double_complex(a, b)
    real(8), intent(in) :: a, b
    make_double_complex = cmplx(a, b, 8)
  end function
  character(5) function fixed_text(n)
    integer, intent(in) :: n
    write (fixed_text, '(i5.5)') n
  end function
  pure function repeated(n, s)
    integer, intent(in) :: n
    character(*), intent(in) :: s
    character(len=n*len(s)) :: repeated
    repeated = repeat(s, n)
  end function
  function deferred_text(n) result(r)
    integer, intent(in) :: n
    character(:), allocatable :: r
    r = repeat('ab', n)
  end function
  type(point) function make_point(x)
    real, intent(in) :: x
    make_point%x = x
    make_point%y = -x
  end function
  type(pair) function make_pair(x)
    real(8), intent(in) :: x
    make_pair = pair(x, 2*x)
  end function
  type(mixed) function make_mixed(x)
    real(8), intent(in) :: x
    make_mixed = mixed(real(x), int(x), x)
  end function
  type(large) function make_large(n)
    integer, intent(in) :: n
    make_large%values = n
  end function
  type(c_ptr) function address_of(x)
    integer, target, intent(in) :: x
    address_of = c_loc(x)
  end function
  function vector(n, x) result(r)
    integer, intent(in) :: n
    real, intent(in) :: x
    real :: r(n)
    integer :: k
    r = [(x*k, k = 1, n)]
  end function
  function matrix() result(r)
    integer :: r(2, 3)
    r = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  end function
  function points(n) result(r)
    integer, intent(in) :: n
    type(point) :: r(n)
    r%x = n
  end function
  function new_list(n) result(r)
    integer, intent(in) :: n
    integer, allocatable :: r(:)
    integer :: k
    r = [(k*k, k = 1, n)]
  end function
  function tail(a) result(r)
    real, target, intent(in) :: a(:)
    real, pointer :: r(:)
    r => a(2::2)
  end function
  function scalar_pointer(a) result(r)
    integer, target, intent(in) :: a
    integer, pointer :: r
    r => a
  end function
  function point_pointer() result(r)
    type(point), pointer :: r
    r => here
  end function
  elemental integer function twice(x)
    integer, intent(in) :: x
    twice = 2*x
  end function
  ! Types
  real function values(p, q, r, s)
    type(point), value :: p
    type(pair), value :: q
    type(mixed), value :: r
    type(large), value :: s
    values = p%x + p%tag(2) + real(q%second) + r%a + r%b + real(r%c) + s%values(10)
    p%x = -1
  end function
  subroutine fill_holder(h, n)
    type(holder), intent(inout) :: h
    integer, intent(in) :: n
    h%list = [real :: n, n + 1]
    h%name = 'holder'
    h%after = h%after + n
  end subroutine
  real function sum_holder(h)
    type(holder), intent(in) :: h
    sum_holder = h%before + h%after
    if (allocated(h%list)) sum_holder = sum_holder + sum(h%list)
    if (allocated(h%name)) sum_holder = sum_holder + 1000*len(h%name)
  end function
  subroutine record(r) bind(c, name='library_record')
    type(c_record), intent(inout) :: r
    r%number = r%number + 1
    r%value = r%value*2
  end subroutine
  integer(c_int) function c_shape(a, s) bind(c)
    integer(c_int), intent(inout) :: a(:, :)
    integer(c_int), value :: s
    a = a*s
    c_shape = size(a, 1)*10 + size(a, 2)
  end function
  subroutine c_allocate(a, n) bind(c)
    real(c_double), allocatable, intent(inout) :: a(:)
    integer(c_int), value :: n
    if (allocated(a)) deallocate (a)
    allocate (a(0:n - 1), source=0.25_c_double)
  end subroutine
  ! Generics and operators
  type(point) function add_points(a, b)
    type(point), intent(in) :: a, b
    add_points%x = a%x + b%x
    add_points%y = a%y + b%y
  end function
  real function cross(a, b)
    type(point), intent(in) :: a, b
    cross = a%x*b%y - a%y*b%x
  end function
  subroutine point_from_integer(a, b)
    type(point), intent(out) :: a
    integer, intent(in) :: b
    a%x = b
  end subroutine
  integer function describe_integer(x)
    integer, intent(in) :: x
    describe_integer = 1
  end function
  integer function describe_real(x)
    real, intent(in) :: x
    describe_real = 2
  end function
  integer function describe_array(x)
    real, intent(in) :: x(:)
    describe_array = 3
  end function
  type(point) function new_point(name)
    character(*), intent(in) :: name
    new_point%x = len(name)
  end function
  ! Procedures as arguments
  real function integrate(f, a, b)
    procedure(of_real) :: f
    real, intent(in) :: a, b
    integrate = (f(a) + f(b))/2*(b - a)
  end function
  subroutine each(n, action, s)
    integer, intent(in) :: n
    interface
      subroutine action(k, t)
        integer, intent(in) :: k
        character(*), intent(in) :: t
      end subroutine
    end interface
    character(*), intent(in) :: s
    integer :: k
    do k = 1, n
      call action(k, s)
    end do
  end subroutine
  subroutine on_arrays(action)
    interface
      subroutine action(a)
        real, intent(in) :: a(:)
      end subroutine
    end interface
    call action([1., 2.])
  end subroutine
  ! Polymorphic ones
  real function square_area(this)
    class(square), intent(in) :: this
    square_area = this%side**2
  end function
  real function box_area(this)
    class(box), intent(in) :: this
    box_area = this%side*this%height
  end function
  subroutine rename_figure(this, id)
    class(figure), intent(inout) :: this
    integer, intent(in) :: id
    this%id = id
  end subroutine
  integer function count_kinds()
    count_kinds = 2
  end function
  real function any_area(s)
    class(figure), intent(in) :: s
    any_area = s%area() + 1000*s%id
  end function
  subroutine make_figure(s, n)
    class(square), allocatable, intent(out) :: s
    integer, intent(in) :: n
    if (n == 1) then
      allocate (square :: s)
    else
      allocate (box :: s)
    end if
    s%id = n
  end subroutine
end module

! Variables that gfortran keeps behind its own descriptors, and CLASS(*).
module library_kept
  use library_base, only: point
  implicit none
  real, allocatable :: list(:)
  integer, allocatable :: table(:, :), scalar
  real(8), pointer :: view(:) => null()
  integer, pointer :: one => null()
  type(point), allocatable :: points(:)
  character(4), allocatable :: words(:)
  character(:), allocatable :: line
  class(point), allocatable :: any_point
  ! A procedure from the beginning, and a type that begins as another one does.
  type stepper
    integer :: steps = 2
    character(:), allocatable :: said
    procedure(step), pointer, nopass :: next => step
  end type
  type machine
    type(stepper) :: core
    integer :: last = 5
  end type
  real(8), target :: storage(10) = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  integer, target :: number = 5
contains
  integer function step(x)
    integer, intent(in) :: x
    step = 10*x
  end function
  ! What gfortran takes the type of an argument for: 256 times the kind, and 1 for integers, 2 for logical values.
  integer function type_of(x)
    type(*), intent(in) :: x(:)
    interface
      integer function type_in_descriptor(x) bind(c)
        type(*), intent(in) :: x(..)
      end function
    end interface
    type_of = type_in_descriptor(x)
  end function
  integer function run_machine(m)
    class(machine), intent(inout) :: m
    m%core%said = 'done'
    run_machine = m%core%next(m%core%steps) + m%last + len(m%core%said)
  end function
  subroutine fill(n)
    integer, intent(in) :: n
    integer :: i
    if (allocated(list)) deallocate (list)
    allocate (list(0:n - 1))
    list = [(real(i), i = 1, n)]
    table = reshape([(i, i = 1, 2*n)], [2, n])
    scalar = n
    view => storage(2:10:3)
    one => number
    allocate (points(n))
    words = ['abcd', 'efgh']
  end subroutine
  logical function holds(first, lower, upper)
    real, intent(in) :: first
    integer, intent(in) :: lower, upper
    holds = allocated(list)
    if (holds) holds = list(lbound(list, 1)) == first .and. lbound(list, 1) == lower .and. ubound(list, 1) == upper
  end function
  integer function table_sum()
    table_sum = -1
    if (allocated(table)) table_sum = sum(table)
  end function
  real(8) function view_sum()
    view_sum = sum(view)
  end function
  logical function is_empty()
    is_empty = .not. allocated(list) .and. .not. allocated(scalar) .and. .not. associated(view)
  end function
  subroutine grow_in_call(times)
    integer, intent(in) :: times
    list = [list, real(times)]
  end subroutine

  integer function kind_of(x)
    class(*), intent(in) :: x
    kind_of = 0
    select type (x)
    type is (integer(1))
      kind_of = 1 + x
    type is (integer(2))
      kind_of = 2 + x
    type is (integer)
      kind_of = 4 + x
    type is (integer(8))
      kind_of = 8 + int(x)
    type is (real)
      kind_of = 14 + int(x)
    type is (real(8))
      kind_of = 18 + int(x)
    type is (complex(8))
      kind_of = 28 + int(x)
    type is (logical)
      kind_of = merge(34, 35, x)
    type is (character(*))
      kind_of = 40 + len(x)
      if (x(1:1) /= 'w') kind_of = -1
    type is (point)
      kind_of = 50 + int(x%x)
    end select
  end function
  integer function kinds_of(x)
    class(*), intent(in) :: x(:)
    kinds_of = 0
    select type (x)
    type is (integer)
      kinds_of = 400 + sum(x)
    type is (character(*))
      kinds_of = 100*len(x) + size(x)
    type is (point)
      kinds_of = 500 + int(sum(x%x))
    end select
  end function
  subroutine change(x)
    class(*), intent(inout) :: x
    select type (x)
    type is (integer)
      x = x + 1
    type is (real(8))
      x = 2*x
    end select
  end subroutine
  subroutine copy_of(x, y)
    class(*), intent(in) :: x
    class(*), allocatable, intent(out) :: y
    allocate (y, source=x)
  end subroutine
end module

! Of a descriptor of C (ISO_Fortran_binding.h of gcc).
integer function type_in_bytes(descriptor) bind(c, name='type_in_descriptor')
  use, intrinsic :: iso_c_binding
  implicit none
  type(c_ptr), value :: descriptor
  integer(c_int16_t), pointer :: words(:)
  call c_f_pointer(descriptor, words, [12])
  type_in_bytes = words(12)
end function
