C     Fixed form: no code behind column 72, names in continued lines and comments.
      PROGRAM MAIN
      IMPLICIT NONE
      INTEGER COUNT, I$0
      REAL VALUES$1(10)
      DO 10 I = 1, 10
        VALUES(I) = REAL(I)
     &    + I
   10 CONTINUE$2
C     I is the counter.
      COUNT = 1000000 + I * 1000000 + I * 1000000 + I * 1000000 + I
      END
!! rename $0 {"newName": "J"}
!| rename_fixed.f 4:22-4:23 J
!| rename_fixed.f 6:13-6:14 J
!| rename_fixed.f 7:16-7:17 J
!| rename_fixed.f 7:26-7:27 J
!| rename_fixed.f 8:13-8:14 J
!| rename_fixed.f 11:25-11:26 J
!| rename_fixed.f 11:39-11:40 J
!| rename_fixed.f 11:53-11:54 J
!| rename_fixed.f 11:67-11:68 J
!! rename $0 {"newName": "COUNTER"}
!| error: line rename_fixed.f:11 would go beyond the last column of fixed form
!! rename $1 {"newName": "FIELD_OF_VALUES"}
!| rename_fixed.f 5:12-5:18 FIELD_OF_VALUES
!| rename_fixed.f 7:9-7:15 FIELD_OF_VALUES
