! A file without CUDA that flang refuses for what is a warning, and that has a module file all the same.
module table
  implicit none
contains
  integer function entry_of(a, n)
    integer, intent(in) :: n
    integer, intent(in) :: a(4)
    entry_of = a(n)
    if (n > 4) entry_of = a(5)
  end function
end module
