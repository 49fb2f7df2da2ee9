 $a = [1, 31, 15, 1.5, 2.0, - 2, 'it\'s \\ ', "x ${$a} \$ \" \n \\ ${($facts['k'])} ${($b.upcase())} ${([1, 2][0])} ${$x}s"]
$h = { 'a' => 1, b => undef, default => true }
notify { 'n':  message => $h['a'], * => { tag => 'x' }; }
notify { ['a', 'b']: ; 'c':  message => 'd'; }
@notify { 'v': ; }
@@notify { 'e': ; }
Notify {  loglevel => debug }
Notify['n'] {  message +> 'z' }
if ((($a =~ /x\/y/) and (!($a[0] == 2))) or ($a in [1])) { include(foo) } else { if false { } else { fail('x') } }
unless $a { notice(1) } else { notice(2) }
case $a {
'x', default: {  notice(3) }
/re/: { } }

$s = ($a ? { 'x' => 1, default => 2 })
$a.each() |Integer $i, String *$r| >> Integer {  notice($i) }
Notify <| ((title == 'a') and (tag != 'b')) or (loglevel == debug) |> {  message => 'q' }
Notify <<|  |>>
Notify['n'] -> Notify['a'] ~> Notify['b']
[$x, $y] = [1, 2]
notice(*[1, 2])
type Foo = Integer[1, 2]
$t = Foo::Bar
$u = lookup('x') | $k| {  $k }
$m = "heredoc ${$a}\n"


class foo( $p = 1, String $q) inherits bar {  notice($p) }
define d::e(Integer $x) { }
function f::g( $x) >> Integer {  ((($x + 1) - (((2 * 3) / 4) % 5)) << 1) >> 2 }
node 'x', /y/, default { }
$n = (- $a[0])
$o = ((5 - (3 - 1)) - 1)
$w = ((($n != 1) and ($o >= 2)) or ($o !~ 'x'))
realize(Notify['v'])
class { 'apache':  port => 80; }
file { '/x':  ensure => file; } -> notify { 'after': ; }