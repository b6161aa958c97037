! What is behind CONTAINS of a module belonged to a procedure that has lost its first lines: one message.
module m
!@1 note: in this module
contains
  do i = 1, 2
! ^ error[CUF1001]: this is no statement that can stand here
    do j = 1, 2
      k = i
    end do
  end do
  end subroutine
end module
program p
  use m
  integer :: k
end program
