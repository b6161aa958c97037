! Assignments of arrays, PACK, SPREAD and array constructors of host code, which the runtime library does in place of
! flang's: overlapping sides, strides, kinds, ranks, empty arrays.
program array_library
  implicit none
  integer :: i, j, n, failures = 0
  integer, allocatable :: a(:), b(:), c(:), grown(:)
  real(8), allocatable :: w(:, :), x(:, :), r(:), s(:)
  complex(8), allocatable :: z(:), y(:)
  integer(1), allocatable :: small(:), tiny_ones(:)
  character(5), allocatable :: words(:), others(:)
  real(8), allocatable :: cube(:, :, :)
  logical(1), allocatable :: bytes(:)
  logical, allocatable :: mask(:, :)
  type point
    integer :: i
    real(8) :: x
  end type
  type(point), allocatable :: points(:), chosen(:)

  do n = 0, 40
    a = [(i*i, i=1, n)]
    c = a
    a = a(n:1:-1)
    call check('reversed', all(a == [(c(n + 1 - i), i=1, n)]))
    a = c
    a(1:n) = a(n:1:-1)
    call check('reversed section', all(a == [(c(n + 1 - i), i=1, n)]))
    a = c
    if (n > 2) a(2:n) = a(1:n - 1)
    if (n > 2) call check('forwards', all(a(2:) == [(c(i - 1), i=2, n)]) .and. a(1) == c(1))
    a = c
    if (n > 2) a(1:n - 1) = a(2:n)
    if (n > 2) call check('backwards', all(a(:n - 1) == [(c(i + 1), i=1, n - 1)]) .and. a(n) == c(n))
    a = c
    if (n > 3) a(1:n/2) = a(1:2*(n/2):2)
    if (n > 3) call check('every second', all(a(:n/2) == [(c(2*i - 1), i=1, n/2)]))
    a = c
    if (n > 3) a(2:n:2) = a(n/2:1:-1)
    if (n > 3) call check('spaced and reversed', all(a(2:n:2) == [(c(n/2 + 1 - i), i=1, n/2)]) .and. all(a(1::2) == c(1::2)))
    r = real(c, 8)
    s = r
    r = r(n:1:-1)
    call check('8 bytes', all(r == [(s(n + 1 - i), i=1, n)]))
    if (n > 3) r(n:1:-2) = r(1:n:2)
    if (n > 3) call check('both reversed', all(r(n:1:-2) == [(s(n + 2 - 2*i), i=1, (n + 1)/2)]))
    z = cmplx(s, -s, 8)
    y = z
    z = z(n:1:-1)
    call check('16 bytes', all(z == [(y(n + 1 - i), i=1, n)]))
    small = int(modulo(c, 100), 1)
    tiny_ones = small
    small = small(n:1:-1)
    call check('1 byte', all(small == [(tiny_ones(n + 1 - i), i=1, n)]))
    allocate (words(n), source=repeat('-', 5))
    do i = 1, n
      write (words(i), '(i5)') i
    end do
    others = words
    words = words(n:1:-1)
    call check('text', all([(words(i) == others(n + 1 - i), i=1, n)]))
    deallocate (words)
    b = [c(2:), c(:min(n, 1))]
    call check('rotated', size(b) == n .and. all(b(:n - 1) == c(2:)))
    if (n > 0) call check('rotated end', b(n) == c(1))
    grown = [(c(:i), i=1, n), -1]
    call check('grown', size(grown) == n*(n + 1)/2 + 1 .and. grown(size(grown)) == -1)
    j = 0
    do i = 1, n
      call check('grown part', all(grown(j + 1:j + i) == c(:i)))
      j = j + i
    end do
  end do

  allocate (w(7, 5), x(7, 5))
  x = reshape([(real(i, 8), i=1, 35)], [7, 5])
  w = x
  w(2:, :) = w(:6, :)
  call check('rows down', all(w(2:, :) == x(:6, :)) .and. all(w(1, :) == x(1, :)))
  w = x
  w(:, 2:) = w(:, :4)
  call check('columns right', all(w(:, 2:) == x(:, :4)) .and. all(w(:, 1) == x(:, 1)))
  w = x
  w = w(7:1:-1, 5:1:-1)
  do j = 1, 5
    call check('both', all(w(:, j) == x(7:1:-1, 6 - j)))
  end do
  w = x
  w(1:5, 1:5) = transpose(w(1:5, 1:5))
  do j = 1, 5
    call check('transposed', all(w(1:5, j) == x(j, 1:5)))
  end do
  w = x
  b = int([w(2:3, 1:4), 0d0*w(1, :)])
  call check('matrix in constructor', size(b) == 13 .and. all(b(:8) == [2, 3, 9, 10, 16, 17, 23, 24]) .and. all(b(9:) == 0))
  others = ['ab ', 'cde']
  words = [character(5) :: others(2:1:-1), 'x']
  call check('words', size(words) == 3 .and. words(1) == 'cde' .and. words(2) == 'ab' .and. words(3) == 'x')

  do n = 0, 70, 7
    r = [(real(modulo(i*37, 11), 8), i=1, n)]
    call same('pack', pack(r, r > 5), [(merge([r(i)], [0d0], r(i) > 5), i=1, n)], count(r > 5))
    s = pack(r(n:1:-2), r(n:1:-2) > 3)
    j = 0
    do i = n, 1, -2
      if (r(i) <= 3) cycle
      j = j + 1
      call check('pack with strides', s(j) == r(i))
    end do
    call check('pack with strides', size(s) == j)
    bytes = logical(r < 4, 1)
    call check('mask of 1 byte', size(pack(r, bytes)) == count(r < 4) .and. all(pack(r, bytes) < 4))
    call check('none', size(pack(r, r > 100)) == 0)
    call check('all', size(pack(r, .true.)) == n .and. size(pack(r, r < 100)) == n)
    points = [(point(i, r(i)), i=1, n)]
    chosen = pack(points, r > 5)
    call check('types', size(chosen) == count(r > 5) .and. all(chosen%x > 5))
    call check('kinds', sum(pack(int(r, 1), r > 5)) == sum(int(r, 1), mask=r > 5) .and. &
               sum(pack(int(r, 2), r > 5)) == sum(int(r, 2), mask=r > 5) .and. &
               sum(pack(int(r), r > 5)) == sum(int(r), mask=r > 5) .and. &
               sum(pack(cmplx(r, 1, 8), r > 5)) == sum(cmplx(r, 1, 8), mask=r > 5))
  end do
  mask = mod(int(x), 3) == 0
  s = pack(x, mask)
  call check('matrix', size(s) == 11 .and. all(s == [(real(3*i, 8), i=1, 11)]))
  s = pack(x(2:6:2, :), mask(2:6:2, :))
  call check('part of a matrix', size(s) == count(mask(2:6:2, :)) .and. all(mod(int(s), 3) == 0))
  s = pack(x, mask, [(-1d0*i, i=1, 15)])
  call check('vector', size(s) == 15 .and. s(11) == 33 .and. s(12) == -12)

  do n = 0, 6
    r = [(real(i, 8), i=1, n)]
    w = spread(r, 1, 3)
    call check('spread 1', all(shape(w) == [3, n]))
    do i = 1, n
      call check('spread 1', all(w(:, i) == r(i)))
    end do
    w = spread(r, 2, 4)
    call check('spread 2', all(shape(w) == [n, 4]))
    do i = 1, 4
      call check('spread 2', all(w(:, i) == r))
    end do
    w = spread(r(n:1:-1), 2, 2)
    call check('spread reversed', all(w(:, 2) == r(n:1:-1)))
    call check('no copies', all(shape(spread(r, 1, n/7)) == [0, n]))
    call check('scalar', all(spread(n, 1, n) == n) .and. size(spread(n, 1, n)) == n)
  end do
  do n = 1, 3
    cube = spread(x(1:6:2, 2:), n, 2)
    do j = 1, 4
      do i = 1, 3
        if (n == 1) call check('cube', all(cube(:, i, j) == x(2*i - 1, j + 1)))
        if (n == 2) call check('cube', all(cube(i, :, j) == x(2*i - 1, j + 1)))
        if (n == 3) call check('cube', all(cube(i, j, :) == x(2*i - 1, j + 1)))
      end do
    end do
  end do
  call check('words spread', all(spread(words, 2, 2) == reshape([words, words], [3, 2])))
  if (failures == 0) print '(a)', 'PASS'
contains
  subroutine check(what, good)
    character(*), intent(in) :: what
    logical, intent(in) :: good
    if (good) return
    failures = failures + 1
    print '(2a)', 'FAIL ', what
  end subroutine
  ! The values that are not 0.
  subroutine same(what, got, wanted, number)
    character(*), intent(in) :: what
    real(8), intent(in) :: got(:), wanted(:)
    integer, intent(in) :: number
    integer :: at, next
    call check(what, size(got) == number)
    next = 0
    do at = 1, size(wanted)
      if (wanted(at) == 0) cycle
      next = next + 1
      call check(what, got(next) == wanted(at))
    end do
  end subroutine
end program
