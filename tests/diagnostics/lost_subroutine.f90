! What is behind CONTAINS of a module belonged to a procedure that has lost its first lines: one message.
module m
contains
  integer :: i, j
! ^^^^^^^^^^^^^^^ error[CUF1059]: CONTAINS ends the declarations: this one belongs before line 3
  do i = 1, 2
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
