type Notset = Integer
