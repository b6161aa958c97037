! REFACTOR: goto-to-do
! Loops made of labels; a branch into a loop and one that another GO TO uses stay.
program labels
  implicit none
  integer :: i, j, k, total
  total = 0
  do 10 i = 1, 4
    if (i == 2) goto 10
    total = total + i
10 continue
  do 20 i = 1, 3
  do 20 j = 1, 2
    total = total + i * j
20 continue
  k = 0
30 continue
  k = k + 1
  total = total + k
  if (k < 5) goto 30
  do 40, i = 1, 2
40 total = total + 1
  k = 0
50 continue
  k = k + 1
  if (k == 3) goto 50
  if (k < 6) goto 50
  print *, total, k
end program labels
