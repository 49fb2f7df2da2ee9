# Numbers and names.
class numbers {
  $a = [0x1F, 0755, 1.5e-3, 10, 10gen, 1.foo, 0xZZ, ::foo::bar, Foo::Bar, ::Top, type, attr]
  $b = Foo-bar
  $c = $a[1] + -1 % 3 << 2 >> 1 * 4
  $d = $a.map |Integer $x| { $x }
  foo::bar($a) |$x| { $x }
  @file { 'virtual': tag => 'a' }
  @@file { 'exported': tag => 'a' }
  File <| tag == 'a' |>
  File <<| tag != 'b' and (x == 1 or y !~ /z/) |>> { mode +> '1' }
  $a += 1
}
