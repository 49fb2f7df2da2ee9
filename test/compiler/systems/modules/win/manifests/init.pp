class win (
  String $root = 'C:/ProgramData/Plumb',
  Array[String] $drives = ['C:'],
  Optional[String] $service_account = undef,
) {
  file { $root:
    ensure => directory,
  }
}
