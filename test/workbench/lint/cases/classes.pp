class Upper::Case inherits other::params {
  class inner { }
  define also_inner { }
}

# documented
define with-dash ($first = 1, $second, $third = [1, 2], String $fourth) { }

# not directly above

class lonely { include foo }
class child inherits child::base { }
/* a comment */
class starred { }
class lambdas ($xs = {}, $last) {
  $xs.each |$k, $v| { notice($k, $v, $outside) }
  [$p, $q] = [1, 2]
  notice($p, $q, $facts, $trusted['x'], $::top, $lonely::y, $1, $array[0])
}
node default { }
node foo, 'bar', /baz/ { include stuff }
$top = 1
