# Facts.
class facts_of {
  $a = $::osfamily
  $b = $facts['operatingsystem']
  $c = "${::ipaddress_eth0} ${facts['memorysize']} $::fqdn"
  $d = $::my_fact
  $e = $::my_struct['a']['b']
  $f = $::other::class
  $g = $::memorysize_mb
  $h = $facts['os']['name']
  $i = $::processor12
  $j = $::sshdsakey
  $k = $::blockdevice_sda_size
  $l = $::trusted['x']
}
