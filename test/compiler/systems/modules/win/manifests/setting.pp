define win::setting (
  String $key,
  Variant[String, Integer, Array[String]] $data = '',
  String $path = $title,
) {
  registry_value { "${path}\\${key}":
    ensure => present,
    data   => $data,
  }
}
