# Alignment of arrows.
class aligned {
  file { 'a':
    ensure => present,
    mode => '0644',
    owner    => 'root',
  }
  foo { "b${x}":
    hash => {
      "key${x}" => 1,
      'k' => 2,
      k => 3, another => 4,
    },
    other => [
      { a => 1, bb => 2 },
      { ccc  => 3 },
    ],
  }
  bar { 'c': a => 1,
    bbb => 2 # comment
  }
}
