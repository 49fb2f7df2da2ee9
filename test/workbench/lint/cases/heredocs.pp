# Heredocs.
class heredocs {
  $a = @(END)
    Plain $text ${here}
    | END
  $b = @("END"/L)
    With $var, $var[1] and ${facts['a']}
      nested ${x ? { 'a' => "b", default => $c }}
    |- END
  $c = [@(ONE), @("TWO":json)]
    one
    | ONE
    two $x
    TWO
  notify { @(TITLE): }
    title
    | TITLE
}
