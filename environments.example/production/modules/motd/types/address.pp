# An address of electronic mail.
type Motd::Address = Pattern[/\A[^@\s]+@[^@\s]+\z/]
