# Conditionals.
class conditionals {
  case $x {
    'a': { notice(1) }
    'b', default: { notice(2) }
  }
  case $x {
    'a': {
      case $y {
        'b': { notice(3) }
        default: { }
      }
    }
  }
  case $x {
    'c': { $z = $w ? { 'a' => 1, default => 2 } }
  }
  if $x =~ /a\/b/ and $y / 2 > 1 { notice(1) } elsif $z != 'b' { } else { }
  unless $x { }
}
