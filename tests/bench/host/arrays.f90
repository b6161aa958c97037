! Loops and array operations of host code, as scientists write them (../host.sh).
module array_kernels
  implicit none
contains
  subroutine jacobi(u, v)
    real(8), intent(in) :: u(:, :)
    real(8), intent(inout) :: v(:, :)
    integer :: i, j
    do j = 2, size(u, 2) - 1
      do i = 2, size(u, 1) - 1
        v(i, j) = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
  end subroutine

  subroutine sections(u, v)
    real(8), intent(in) :: u(:, :)
    real(8), intent(inout) :: v(:, :)
    integer :: n, m
    n = size(u, 1)
    m = size(u, 2)
    v(2:n - 1, 2:m - 1) = 0.2d0*(u(2:n - 1, 2:m - 1) + u(:n - 2, 2:m - 1) + u(3:, 2:m - 1) + u(2:n - 1, :m - 2) + u(2:n - 1, 3:))
  end subroutine

  subroutine axpy(n, a, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: a, x(n)
    real(8), intent(inout) :: y(n)
    y = y + a*x
  end subroutine

  subroutine multiply(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(out) :: c(n, n)
    integer :: i, j, k
    c = 0
    do j = 1, n
      do k = 1, n
        do i = 1, n
          c(i, j) = c(i, j) + a(i, k)*b(k, j)
        end do
      end do
    end do
  end subroutine

  subroutine limited(u, v)
    real(8), intent(in) :: u(:)
    real(8), intent(inout) :: v(:)
    where (u > 0.5d0)
      v = sqrt(u)
    elsewhere
      v = 0.5d0*u
    end where
  end subroutine

  subroutine reversed(v)
    real(8), intent(inout) :: v(:)
    v = v(size(v):1:-1)
  end subroutine

  subroutine gathered(index, u, v)
    integer, intent(in) :: index(:)
    real(8), intent(in) :: u(:)
    real(8), intent(inout) :: v(:)
    v = u(index)
  end subroutine

  pure elemental real(8) function smooth(x)
    real(8), intent(in) :: x
    smooth = x*x*(3d0 - 2d0*x)
  end function
end module

program arrays
  use timing
  use array_kernels
  implicit none
  integer :: n = 1000000, m = 600, i, k
  integer, allocatable :: index(:)
  real(8) :: total, least
  real(8), allocatable :: a(:), b(:), u(:, :), v(:, :), w(:, :), p(:, :, :), q(:, :, :), packed(:)
  complex(8), allocatable :: z(:)
  logical, allocatable :: mask(:)

  call argument(1, n)
  call argument(2, m)
  call argument(3, rounds)
  a = value([(i, i=1, n)])
  b = a
  z = cmplx(a, 1 - a, 8)
  u = reshape(value([(i, i=1, m*m)]), [m, m])
  v = u
  w = u
  i = nint(real(m*m)**(1/3.0))
  p = reshape(value([(k, k=1, i**3)]), [i, i, i])
  q = p
  mask = a > 0.3d0
  index = [(1 + modulo(int(i, 8)*7919, int(n, 8)), i=1, n)]

  do while (more())
    call jacobi(u, v)
  end do
  call report('jacobi', sum(v))
  do while (more())
    call sections(u, v)
  end do
  call report('sections', sum(v))
  do while (more())
    call axpy(n, 1d-9, a, b)
  end do
  call report('axpy', sum(b))
  do while (more())
    call multiply(min(m, 300), u, v, w)
  end do
  call report('multiply', sum(w(:m/3, 1)))
  do while (more())
    w = matmul(u, v)
  end do
  call report('matmul', sum(w))
  do while (more())
    w = transpose(u)
  end do
  call report('transpose', sum(w(:, 1)))
  do while (more())
    total = sum(a)
  end do
  call report('sum', total)
  do while (more())
    total = sum(a, mask=mask)
  end do
  call report('masked_sum', total)
  do while (more())
    a(:m) = sum(u, dim=2)
  end do
  call report('sum_dim', sum(a(:m)))
  do while (more())
    total = maxval(a)
    least = minval(b)
  end do
  call report('extremes', total + least)
  do while (more())
    i = maxloc(a, dim=1) + minloc(b, dim=1)
  end do
  call report('places', real(i, 8))
  do while (more())
    i = count(a > 0.25d0)
    if (any(b > 2)) i = -1
    if (.not. all(b < 2)) i = -2
  end do
  call report('count_any', real(i, 8))
  do while (more())
    total = dot_product(a, b) + norm2(a)
  end do
  call report('dot_norm', total)
  do while (more())
    packed = pack(a, a > 0.4d0)
  end do
  call report('pack', sum(packed))
  do while (more())
    call reversed(b)
  end do
  call report('reversed', b(1) + b(2))
  do while (more())
    call limited(a, b)
  end do
  call report('where', sum(b))
  do while (more())
    call gathered(index, a, b)
  end do
  call report('gathered', sum(b))
  do while (more())
    b = smooth(a)
  end do
  call report('elemental', sum(b))
  do while (more())
    w = cshift(u, 1, dim=1) - cshift(u, -1, dim=2)
  end do
  call report('cshift', sum(abs(w)))
  do while (more())
    w = spread(u(:, 1), 2, m) + u
  end do
  call report('spread', sum(w))
  do while (more())
    z = z*conjg(z) + (0.1d0, 0.2d0)
    z = z/(1 + abs(z))
  end do
  call report('complex', sum(abs(z)))
  do while (more())
    do concurrent (i=1:size(p, 3))
      q(:, :, i) = 0.5d0*(p(:, :, i) + p(:, :, size(p, 3) + 1 - i))
    end do
  end do
  call report('do_concurrent', sum(q))
end program
