type Logic::A = Integer
notice(1)
