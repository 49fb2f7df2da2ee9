class win::base {
  case $facts['os']['family'] {
    'windows': {
      $root  = 'C:/ProgramData/base'
      $admin = 'Administrators'
    }
    'Darwin': {
      $root  = '/Library/Application Support/base'
      $admin = 'wheel'
    }
    default: {
      $root  = '/etc/base'
      $admin = 'root'
    }
  }
  file { $root:
    ensure => directory,
    group  => $admin,
  }
}
