# Strings of all kinds.
class strings (
  String $name_of = "plain",
  Boolean $flag = 'true',
) {
  $a = "tab\tinside"
  $b = "it's"
  $c = "${name_of}"
  $d = "$name_of and ${name_of}"
  $e = '${not} interpolated'
  $f = "${facts['os']['name']}"
  $g = { "${name_of}" => 1 }
  $h = "puppet:///strings/a"
  $i = "puppet:///modules/strings/a"
  $j = "false"
  $k = "$name_of[0] and $name_of-rest and \$escaped and \\$name_of"
  $l = "first
$name_of"
  $m = "${name_of.map |$x| { "${x}" }}"
  $n = inline_epp('${fine}')
  $o = "\"quoted\""
  $p = "price: $5 and $$name_of"
  file { '/x': source => 'puppet://server/files/x' }
}
