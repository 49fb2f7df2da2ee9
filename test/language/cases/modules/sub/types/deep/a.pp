type Sub::Deep::A = Integer
