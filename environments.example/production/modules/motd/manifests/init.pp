# The message of the day.
#
# @param greeting its first line
# @param contacts whom to ask
# @param rules what to know
# @param path where it is
class motd (
  String[1] $greeting,
  Array[Motd::Address] $contacts,
  Array[String] $rules,
  Optional[String[1]] $path = undef,
) {
  $file = $path ? {
    undef   => '/etc/motd',
    default => $path,
  }

  file { '/etc':
    ensure => directory,
  }

  file { $file:
    ensure  => file,
    mode    => '0644',
    content => epp('motd/motd.epp', {
      'greeting' => $greeting,
      'contacts' => motd::sentence($contacts),
      'rules'    => $rules,
    }),
  }

  file { "${file}.d":
    ensure => directory,
  }

  file { "${file}.d/banner":
    ensure => file,
    source => 'puppet:///modules/site_files/banner.txt',
  }
}
