! Loops over array sections of host code: steps, reversed ones, sections of sections, components, bounds, characters.
module sections
  implicit none
  type grid
    real(8) :: fixed(0:5, 3)
    real(8), allocatable :: u(:, :)
    complex(8), allocatable :: z(:)
  end type
contains
  subroutine stencil(u, v)
    real(8), intent(in) :: u(:, :)
    real(8), intent(inout) :: v(:, :)
    integer :: n, m
    n = size(u, 1)
    m = size(u, 2)
    v(2:n - 1, 2:m - 1) = u(2:n - 1, 2:m - 1) + 2*u(:n - 2, 2:m - 1) + 3*u(3:, 2:m - 1) + 5*u(2:n - 1, :m - 2) + 7*u(2:n - 1, 3:)
  end subroutine
  subroutine bounds(u, v, low)
    integer, intent(in) :: low
    real(8), intent(in) :: u(low:, -low:)
    real(8), intent(inout) :: v(low:)
    v(low + 1:low + 5:2) = u(low + 5:low + 1:-2, -low + 2) + 1
  end subroutine
  subroutine columns(u, k)
    real(8), intent(inout) :: u(:, :)
    integer, intent(in) :: k
    integer :: i
    do i = k + 1, size(u, 2)
      u(k + 1:, i) = u(k + 1:, i) - u(k + 1:, k)*u(k, i)
    end do
  end subroutine
end module

program section_elements
  use sections
  implicit none
  real(8) :: u(9, 8), v(9, 8), w(9, 8), r(9)
  type(grid) :: g
  character(6) :: text(4) = ['abcdef', 'ghijkl', 'mnopqr', 'stuvwx']
  integer :: i, j, failures = 0

  u = reshape([(real(modulo(i*37, 101), 8), i=1, 72)], [9, 8])
  v = -1
  call stencil(u, v)
  do j = 2, 7
    do i = 2, 8
      call check('stencil', v(i, j) == u(i, j) + 2*u(i - 1, j) + 3*u(i + 1, j) + 5*u(i, j - 1) + 7*u(i, j + 1))
    end do
  end do
  call check('edges', all(v(1, :) == -1) .and. all(v(9, :) == -1) .and. all(v(:, 1) == -1) .and. all(v(:, 8) == -1))
  v = 0
  call stencil(u(9:1:-2, ::2), v(1:9:2, 8:1:-2))
  do j = 2, 3
    do i = 2, 4
      call check('with steps', v(2*i - 1, 10 - 2*j) == u(11 - 2*i, 2*j - 1) + 2*u(13 - 2*i, 2*j - 1) + 3*u(9 - 2*i, 2*j - 1) + &
                 5*u(11 - 2*i, 2*j - 3) + 7*u(11 - 2*i, 2*j + 1))
    end do
  end do
  do i = -3, 3
    r = 0
    call bounds(u, r, i)
    call check('bounds', all(r == [0d0, u(6, 3) + 1, 0d0, u(4, 3) + 1, 0d0, u(2, 3) + 1, 0d0, 0d0, 0d0]))
  end do
  w = u
  call columns(w, 2)
  do j = 3, 8
    do i = 3, 9
      call check('columns', w(i, j) == u(i, j) - u(i, 2)*u(2, j))
    end do
  end do
  g%fixed = reshape([(real(i, 8), i=1, 18)], [6, 3])
  allocate (g%u(-1:4, 0:2))
  g%u(1:3, :) = g%fixed(0:4:2, :)*2
  call check('components', all(g%u(1:3, 1) == [14, 18, 22]) .and. sum(g%fixed(5:0:-5, 2)) == 19)
  g%u(-1:4, 0) = g%fixed(5:0:-1, 3)
  call check('reversed', all(g%u(:, 0) == [18, 17, 16, 15, 14, 13]))
  g%z = [(cmplx(i, -i, 8), i=1, 6)]
  g%z(2:6:2)%re = g%z(1:5:2)%im*10
  call check('complex parts', all(g%z%re == [1, -10, 3, -30, 5, -50]) .and. all(g%z%im == [(-i, i=1, 6)]))
  associate (part => u(2:8:3, 3:6))
    associate (inner => part(3:1:-1, 2:3))
      v(:3, :2) = inner + part(:, 1:2)
      call check('of sections', all(v(:3, 1) == u(8:2:-3, 4) + u(2:8:3, 3)) .and. all(v(:3, 2) == u(8:2:-3, 5) + u(2:8:3, 4)))
    end associate
  end associate
  text(2:3)(2:3) = text(4:3:-1)(5:6)
  call check('text', text(2) == 'gwxjkl' .and. text(3) == 'mqrpqr')
  if (failures == 0) print '(a)', 'PASS'
contains
  subroutine check(what, good)
    character(*), intent(in) :: what
    logical, intent(in) :: good
    if (good) return
    failures = failures + 1
    print '(2a)', 'FAIL ', what
  end subroutine
end program
