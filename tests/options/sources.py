"""The sources that effects.py compiles."""

LOOP = """subroutine scale(x, y, n)
  integer, intent(in) :: n
  real, intent(in) :: x(n)
  real, intent(inout) :: y(n)
  integer :: i
  do i = 1, n
    y(i) = x(i) * y(i)
  end do
end subroutine
"""
CONTRACTED = LOOP.replace("x(i) * y(i)", "x(i) * y(i) + 1.0")
CALLS = """program p
  real :: x(100), y(100)
  x = 1; y = 2
  call scale(x, y, 100)
  print *, sum(y)
end program
"""
BLOCK = """subroutine outer(x)
  real :: x
  call inner(x)
  x = x + 1
contains
  subroutine inner(y)
    real :: y
    y = y + 1
  end subroutine
end subroutine
"""
DIVIDES = """module m
contains
  subroutine divide(a, b, c)
    real :: a, b, c
    c = a / b
    print *, c
  end subroutine
  subroutine through(b)
    real, volatile :: b
    real :: c
    call divide(1.0, b, c)
    print *, c
  end subroutine
end module
program p
  use m
  real, volatile :: zero
  zero = 0
  call through(zero)
end program
"""
GUARDED = """program p
  real(8), volatile :: given(100)
  real(8) :: x(100), y(100), d
  integer :: i, k
  given = 0
  given(7) = 2
  x = given
  d = given(1)
  y = 0
  do k = 1, 3
    do i = 1, 100
      if (x(i) /= 0) y(i) = y(i) + 1 / x(i)
      if (d /= 0) y(i) = y(i) / d
    end do
  end do
  if (sum(y) /= 1.5d0) error stop
  print *, 'ran'
end program
"""
KERNEL = """module m
contains
  attributes(global) subroutine k(x, value, n)
    integer, value :: n
    real, value :: value
    real :: x(n)
    integer :: i
    i = threadIdx%x + (blockIdx%x - 1) * blockDim%x
    if (i <= n) x(i) = x(i) * x(i) + 1.0 / value
  end subroutine
end module
program p
  use cudafor
  use m
  real :: h(100), value
  real, device :: x(100)
  value = 2.0
  x = 1.0
  call k<<<4, 32>>>(x, value, 100)
  h = x
  if (value /= 0 .and. any(h /= 1.5)) error stop
  if (value == 0 .and. any(h <= huge(1.0))) error stop
  print *, 'PASS'
end program
"""
MEDIUM = """module big
  integer(1) :: bytes(3000000000_8)
  integer :: after(1000)
end module
program p
  use big
  integer(8) :: last
  last = size(bytes, kind=8)
  bytes(last) = 5
  after(1000) = 7
  if (bytes(last) + after(1000) /= 12) error stop
  print *, last
end program
"""
ZERO = """program p
  use cudafor
  integer :: round
  do round = 1, 2
    call use_memory
  end do
  print *, 'zero'
contains
  subroutine use_memory
    integer, device, allocatable :: d(:)
    integer, managed, allocatable :: m(:)
    integer :: h(1000)
    allocate(d(1000), m(1000))
    h = d
    if (any(h /= 0) .or. any(m /= 0)) error stop
    d = 77
    m = 77
    deallocate(d, m)
  end subroutine
end program
"""
RECORD = """program p
  integer :: back
  open(10, file='data', form='unformatted', access='sequential', status='replace')
  write(10) 258
  rewind(10)
  read(10) back
  close(10)
  if (back /= 258) error stop
  print *, 'PASS'
end program
"""
SAVED = """module m
contains
  attributes(global) subroutine k(x)
    integer :: x(64), mine
    mine = threadIdx%x
    call syncthreads()
    x(threadIdx%x) = mine + twice(mine)
  end subroutine
  attributes(device) integer function twice(n)
    integer, value :: n
    integer :: t
    t = 2 * n
    twice = t
  end function
  subroutine count_calls(n)
    integer, intent(out) :: n
    integer :: calls
    logical :: known
    if (.not. known) calls = 0
    known = .true.
    calls = calls + 2
    n = calls
  end subroutine
end module
program p
  use cudafor
  use m
  integer :: first, second, h(64), i
  integer, device :: x(64)
  call count_calls(first)
  call count_calls(second)
  call k<<<1, 64>>>(x)
  h = x
  if (any(h /= [(3 * i, i = 1, 64)])) error stop
  !$cuf kernel do <<<*, *>>>
  do i = 1, 64
    first_in_loop = i
    x(i) = first_in_loop
  end do
  h = x
  if (any(h /= [(i, i = 1, 64)])) error stop
  print *, first, second
end program
"""
OLD = """program p
  integer, allocatable :: a(:)
  allocate(a(3))
  a = 0
  call set(a)
  if (size(a) /= 3) error stop
  print *, 'PASS'
contains
  subroutine set(x)
    integer, allocatable :: x(:)
    x(:) = 5
    x = [1, 2, 3]
  end subroutine
end program
"""
INITIAL = """program p
  real :: in_main
  call s(4)
  if (in_main == in_main) error stop 'main'
  print *, 'PASS'
contains
  subroutine s(n)
    use, intrinsic :: ieee_arithmetic
    integer :: n, i, list(3), automatic(n), given = 5
    real :: x, block(2, 2)
    real(8) :: y
    complex :: z
    logical :: l
    if (i /= -7 .or. any(list /= -7) .or. any(automatic /= -7) .or. given /= 5) error stop 'integers'
    if (.not. l) error stop 'logical'
    if (x == x .or. any(block == block) .or. y == y .or. real(z) == real(z)) error stop 'reals'
    if (n /= 4) error stop 'dummy'
  end subroutine
end program
"""
STACK = """subroutine twice(x, n)
  integer :: n
  real :: x(n), copy(n)
  copy = x
  x = x + copy(n:1:-1)
end subroutine
program p
  real :: x(1000)
  x = 1
  call twice(x, 1000)
  if (any(x /= 2)) error stop
  print *, 'PASS'
end program
"""
PRETEND = """program p
#ifdef __NVCOMPILER
  if (__NVCOMPILER_MAJOR__ /= 24 .or. __NVCOMPILER_MINOR__ /= 3) error stop
#if defined(__PGI) && __PGIC__ == 24
  print *, 'PASS'
#endif
#endif
#ifdef __GFORTRAN__
#if __GNUC__ > 9
  print *, 'PASS'
#endif
#endif
end program
"""
