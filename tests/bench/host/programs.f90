! Whole small algorithms of host code: recursion, derived types, polymorphism, text, pointers (../host.sh).
module shapes
  implicit none
  type, abstract :: shape
  contains
    procedure(area_of), deferred :: area
  end type
  type, extends(shape) :: circle
    real(8) :: r
  contains
    procedure :: area => area_circle
  end type
  type, extends(shape) :: box
    real(8) :: a, b
  contains
    procedure :: area => area_box
  end type
  type holder
    class(shape), allocatable :: item
  end type
  abstract interface
    pure real(8) function area_of(self)
      import shape
      class(shape), intent(in) :: self
    end function
  end interface
  type node
    integer :: key
    type(node), pointer :: left => null(), right => null()
  end type
  type body
    real(8) :: x(3), v(3), mass
  end type
  type table
    integer, allocatable :: rows(:)
    real(8), allocatable :: values(:)
  end type
contains
  pure real(8) function area_circle(self) result(area)
    class(circle), intent(in) :: self
    area = 3.14159d0*self%r**2
  end function
  pure real(8) function area_box(self) result(area)
    class(box), intent(in) :: self
    area = self%a*self%b
  end function

  recursive subroutine insert(tree, key)
    type(node), pointer, intent(inout) :: tree
    integer, intent(in) :: key
    if (.not. associated(tree)) then
      allocate (tree)
      tree%key = key
    else if (key < tree%key) then
      call insert(tree%left, key)
    else
      call insert(tree%right, key)
    end if
  end subroutine
  recursive integer function depth_and_free(tree) result(depth)
    type(node), pointer, intent(inout) :: tree
    depth = 0
    if (.not. associated(tree)) return
    depth = 1 + max(depth_and_free(tree%left), depth_and_free(tree%right))
    deallocate (tree)
  end function

  recursive subroutine quicksort(a)
    integer, intent(inout) :: a(:)
    integer :: i, j, pivot, swap
    if (size(a) < 2) return
    pivot = a((size(a) + 1)/2)
    i = 1
    j = size(a)
    do
      do while (a(i) < pivot)
        i = i + 1
      end do
      do while (pivot < a(j))
        j = j - 1
      end do
      if (i >= j) exit
      swap = a(i)
      a(i) = a(j)
      a(j) = swap
      i = i + 1
      j = j - 1
    end do
    call quicksort(a(:i - 1))
    call quicksort(a(j + 1:))
  end subroutine

  integer function fannkuch(n) result(most)
    integer, intent(in) :: n
    integer :: p(n), q(n), s(n), i, flips, first
    most = 0
    p = [(i, i=1, n)]
    s = p
    do
      q = p
      flips = 0
      do while (q(1) /= 1)
        first = q(1)
        q(1:first) = q(first:1:-1)
        flips = flips + 1
      end do
      most = max(most, flips)
      i = 2
      do
        p(1:i) = [p(2:i), p(1)]
        s(i) = s(i) - 1
        if (s(i) > 0) exit
        s(i) = i
        i = i + 1
        if (i > n) return
      end do
    end do
  end function

  recursive integer function queens(n, row, columns, up, down) result(found)
    integer, intent(in) :: n, row, columns, up, down
    integer :: free, bit
    found = 0
    if (row > n) then
      found = 1
      return
    end if
    free = iand(not(ior(columns, ior(up, down))), 2**n - 1)
    do while (free /= 0)
      bit = iand(free, -free)
      free = ieor(free, bit)
      found = found + queens(n, row + 1, ior(columns, bit), ishft(ior(up, bit), 1), ishft(ior(down, bit), -1))
    end do
  end function

  subroutine advance(bodies, dt)
    type(body), intent(inout) :: bodies(:)
    real(8), intent(in) :: dt
    real(8) :: d(3), factor
    integer :: i, j
    do i = 1, size(bodies)
      do j = i + 1, size(bodies)
        d = bodies(i)%x - bodies(j)%x
        factor = dt/(sqrt(sum(d**2) + 1d-3)**3)
        bodies(i)%v = bodies(i)%v - d*bodies(j)%mass*factor
        bodies(j)%v = bodies(j)%v + d*bodies(i)%mass*factor
      end do
    end do
    do i = 1, size(bodies)
      bodies(i)%x = bodies(i)%x + dt*bodies(i)%v
    end do
  end subroutine

  subroutine fourier(x)
    complex(8), intent(inout) :: x(:)
    complex(8) :: t, w, step
    integer :: n, i, j, k, length
    n = size(x)
    j = 1
    do i = 1, n
      if (j > i) then
        t = x(j)
        x(j) = x(i)
        x(i) = t
      end if
      k = n/2
      do while (k >= 1 .and. j > k)
        j = j - k
        k = k/2
      end do
      j = j + k
    end do
    length = 1
    do while (length < n)
      step = exp((0d0, -3.14159265358979324d0)/length)
      do i = 1, n, 2*length
        w = 1
        do k = i, i + length - 1
          t = w*x(k + length)
          x(k + length) = x(k) - t
          x(k) = x(k) + t
          w = w*step
        end do
      end do
      length = 2*length
    end do
    x = x/sqrt(real(n, 8))
  end subroutine

  subroutine solve(a, b)
    real(8), intent(inout) :: a(:, :), b(:)
    real(8) :: factor, row(size(b))
    integer :: i, k, pivot, n
    n = size(b)
    do k = 1, n
      pivot = k - 1 + maxloc(abs(a(k:, k)), dim=1)
      row = a(k, :)
      a(k, :) = a(pivot, :)
      a(pivot, :) = row
      factor = b(k)
      b(k) = b(pivot)
      b(pivot) = factor
      a(k + 1:, k) = a(k + 1:, k)/a(k, k)
      do i = k + 1, n
        a(k + 1:, i) = a(k + 1:, i) - a(k + 1:, k)*a(k, i)
      end do
      b(k + 1:) = b(k + 1:) - a(k + 1:, k)*b(k)
    end do
    do k = n, 1, -1
      b(k) = b(k)/a(k, k)
      b(:k - 1) = b(:k - 1) - a(:k - 1, k)*b(k)
    end do
  end subroutine
end module

program programs
  use timing
  use shapes
  implicit none
  integer :: n = 200000, m = 300, i, found, length
  integer, allocatable :: keys(:), sorted(:)
  real(8) :: total
  real(8), allocatable :: matrix(:, :), copy(:, :), right(:)
  complex(8), allocatable :: signal(:)
  type(holder), allocatable :: items(:)
  type(node), pointer :: tree
  type(body), allocatable :: bodies(:)
  type(table) :: one, other
  character(:), allocatable :: text
  character(24) :: field

  call argument(1, n)
  call argument(2, m)
  call argument(3, rounds)
  keys = [(int(modulo(int(i, 8)*1103515245_8, 2147483647_8)), i=1, n)]
  allocate (items(n))
  do i = 1, n
    if (mod(i, 3) == 0) then
      allocate (items(i)%item, source=circle(value(i)))
    else
      allocate (items(i)%item, source=box(value(i), 2d0))
    end if
  end do
  matrix = reshape(value([(i*i, i=1, m*m)]), [m, m])
  do i = 1, m
    matrix(i, i) = matrix(i, i) + 2
  end do
  signal = cmplx(value([(i, i=1, 2**int(log(real(n))/log(2.0)))]), 0, 8)
  allocate (bodies(max(m, 2)))
  do i = 1, size(bodies)
    bodies(i) = body([value(i), value(2*i), value(3*i)], [0d0, 0d0, 0d0], 1d-3)
  end do
  one%rows = keys(:min(n, 50))
  one%values = real(one%rows, 8)

  do while (more())
    total = 0
    do i = 1, n
      total = total + items(i)%item%area()
    end do
  end do
  call report('polymorphic', total)
  do while (more())
    nullify (tree)
    do i = 1, n/4
      call insert(tree, keys(i))
    end do
    found = depth_and_free(tree)
  end do
  call report('tree', real(found, 8))
  do while (more())
    sorted = keys
    call quicksort(sorted)
  end do
  call report('quicksort', real(sorted(n/2), 8))
  do while (more())
    found = fannkuch(merge(8, 6, n > 50000))
  end do
  call report('fannkuch', real(found, 8))
  do while (more())
    found = queens(merge(10, 6, n > 50000), 1, 0, 0, 0)
  end do
  call report('queens', real(found, 8))
  do while (more())
    call advance(bodies, 1d-3)
  end do
  call report('bodies', sum([(sum(bodies(i)%x), i=1, size(bodies))]))
  do while (more())
    call fourier(signal)
  end do
  call report('fourier', sum(abs(signal)))
  do while (more())
    copy = matrix
    right = matrix(:, 1)
    call solve(copy, right)
  end do
  call report('solve', sum(right))
  do while (more())
    do i = 1, n/10
      other = one
      one%rows(1) = i
    end do
  end do
  call report('components', sum(other%values))
  do while (more())
    text = ''
    length = 0
    do i = 1, n/20
      text = trim(adjustl('  key  '))//'='//repeat('x', mod(i, 7))
      length = length + len(text) + index(text, '=') + scan(text, 'x')
    end do
  end do
  call report('text', real(length, 8))
  do while (more())
    total = 0
    do i = 1, n/40
      write (field, '(f20.12)') value(i)
      read (field, *) matrix(1, 1)
      total = total + matrix(1, 1)
    end do
  end do
  call report('write_read', total)
end program
