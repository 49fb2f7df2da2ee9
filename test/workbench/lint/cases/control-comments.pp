# lint:ignore:double_quoted_strings lint:ignore:140chars the reason is given
class controls {
  $a = "ignored"
  # lint:ignore:quoted_booleans
  $b = 'true'
  # lint:endignore
  $c = 'true'
}
# lint:endignore
$d = "reported"
$e = "also ignored" # lint:ignore:double_quoted_strings because of this
$f = "reported" # lint:ignore:hard_tabs
