type Wrongname::Other = Integer
