# Resources.
class resources::all {
  file { '/tmp/a':
    mode => 644,
    ensure => present,
    owner => 'root',
  }
  file { "/tmp/b": mode => '0644', ensure => '/tmp/a', }
  file { ntp:
    ensure => link,
    target => "/x",
    mode   => 'u=rwx,g+r',
    target => '/y',
  }
  file {
    '/tmp/c':
      mode => '0755';
    '/tmp/d':
      mode => $x ? { 'a' => '0644', default => '0755' };
  }
  file { ['/tmp/e', second, "third"]:
    ensure => $y ? {
      'a'     => file,
      default => absent,
    },
    mode   => 0644
  }
  service { 'a': enable => true, ensure => running, hasstatus => false, }
  class { 'other': ensure => present, }
  concat { '/tmp/f':
    group => 'a',
    ensure => present,
    mode => undef
  }
  File { mode => '0644' }
  create_resources('file', {})
}
