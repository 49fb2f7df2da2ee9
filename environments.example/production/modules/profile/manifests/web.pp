# Pages, from files of this commit, and a configuration for a server to read.
#
# @param port where the server listens
# @param page_title the title of the first page
class profile::web (
  Integer[1, 65535] $port,
  String[1] $page_title = 'Pages',
) {
  # Every file below is in the catalog with its checksum; its bytes are those of the catalog's own commit.
  file { '/srv/www/pages':
    ensure  => directory,
    recurse => true,
    purge   => true,
    source  => 'puppet:///modules/site_files/www',
  }

  file { '/srv/www/server.json':
    ensure  => file,
    mode    => '0640',
    content => epp('profile/server.json.epp', { 'port' => $port, 'title' => $page_title }),
  }

  exec { 'list the pages':
    command     => 'ls -R pages > index.txt',
    provider    => shell,
    cwd         => '/srv/www',
    path        => ['/usr/bin', '/bin'],
    refreshonly => true,
    subscribe   => File['/srv/www/pages'],
  }
}
