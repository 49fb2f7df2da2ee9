# Chaining arrows.
class arrows {
  Class['a'] ->
  Class['b']
  Class['c'] <- Class['d']
  File['a'] ~> # why
  Service['b']
  Package['x'] -> File['y'] ~>

  Exec['z']
  file { 'q': } ->   
  file { 'r': }
}
