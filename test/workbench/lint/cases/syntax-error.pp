# The lexer accepts this, the resource has no end.
class broken {
  file { 'a': ensure => present
