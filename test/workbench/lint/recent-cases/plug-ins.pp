
# @param documented first
# @param documented twice
# @param [String] nowhere is not a parameter
#
class  plug_ins  (
  $untyped,
  String $documented = lookup('a'),
  Optional[String] $opt = 'x',
  Optional[Integer] $fine = undef,
) inherits  plug_ins::params{
  anchor { 'begin': }
  file { 'a':
    ensure =>present,
    mode   => 0644,
    require => [ File[b], Package ['c'], Service[D] ]
  }
  file { 'b':
    ensure => present,
    target => '/x',
  }


  case $x {
    debian, Ubuntu: { notice( 1 ) }
    'RedHat', default: { notice([1,2 ]) }
  }
  $y = $x ? {
    debian  => 'a',
    default => 'b'
  }
  $camelCase = [
    'one',
    'two'
  ]
  $hash = {
    'a' => 1,
    'b' => [ 1, 2 ]
  }
  if $os_version >= 7 {notice($camelCase)}
     if $::release == 7 { }
  $doc = @(END)
    text
    | END
  Class ['a'] -> Array ['b']
}
# @api private
define plug_ins::private(Optional[String] $a, $b = {'x' => [1]} ) {
  foo { 'c':
    bar => {
    baz => 1 },
  }
}

