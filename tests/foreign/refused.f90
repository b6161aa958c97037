! What of library.f90 cannot be used, each with its reason.
subroutine refused
  use library
  implicit none
  type(holder) :: h, g
  type(square) :: s
  work = [1., 2.] ! CUF0173
  print *, size(work) ! CUF0173
  h%list = [1.] ! CUF0173
  print *, associated(h%target), h%before ! CUF0173
  g = h ! CUF0175
  call anything(1) ! CUF0174
  call on_arrays(takes_array) ! CUF0174
  s = square(1, 2.)
contains
  subroutine takes_array(a)
    real, intent(in) :: a(:)
  end subroutine
end subroutine
