      SET(x(i), 4)
