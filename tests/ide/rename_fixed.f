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
!! rename $0 {"newName": "COUNTER"}
!! rename $1 {"newName": "FIELD_OF_VALUES"}
!! rename {"position": {"line": 8, "character": 4}, "newName": "20"}
!! rename $2 {"newName": "NOTHING"}
