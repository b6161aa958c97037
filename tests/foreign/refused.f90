! What of library.f90 cannot be used, each with its reason.
subroutine refused
  use library
  use library_kept
  implicit none
  type(holder) :: h, g
  type(square) :: s
  type(stepper) :: m
  line = 'text' ! CUF0173
  print *, any_point%x ! CUF0173
  print *, m%next(1) ! CUF0173
  h%list = [1.] ! CUF0173
  print *, associated(h%target), h%before ! CUF0173
  g = h ! CUF0175
  call on_arrays(takes_array) ! CUF0174
  s = square(1, 2.)
contains
  subroutine takes_array(a)
    real, intent(in) :: a(:)
  end subroutine
end subroutine
