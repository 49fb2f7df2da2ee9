type Twodefs::A = Integer
type Twodefs::B = Integer
