# One line of attributes.
class spaces {
  file { 'a': ensure  => present }
  file { 'b': ensure=> present }
  file { 'c':
    ensure   => present
  }
  file { 'd':
    a  => 1,
    bb => 2,
  }
}
