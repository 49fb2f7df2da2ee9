# What a node of a small company has: services, users, jobs, repositories and files, by modules of many authors.
Exec { path => ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'] }

class { 'apache': default_vhost => false, mpm_module => 'prefork' }
apache::vhost { 'www.example.test': port => 8080, docroot => '/var/www/www', directoryindex => 'index.html' }
apache::mod { 'rewrite': }
class { 'chrony': servers => ['ntp1.example.test', 'ntp2.example.test'] }
class { 'ssh': storeconfigs_enabled => false, server_options => { 'PermitRootLogin' => 'no', 'Port' => [22, 2222] } }
class { 'memcached': max_memory => 64 }
class { 'redis': bind => '127.0.0.1' }
class { 'rsync::server': }
rsync::server::module { 'backup': path => '/srv/backup', require => File['/srv/backup'] }
class { 'haproxy': global_options => { 'maxconn' => 100 }, defaults_options => { 'mode' => 'http' } }
haproxy::listen { 'web': ipaddress => '127.0.0.1', ports => '8081' }
class { 'postfix': }
postfix::config { 'relayhost': value => 'mail.example.test' }
class { 'apt': purge => { 'sources.list.d' => true } }
apt::source { 'local': location => 'http://packages.example.test/debian', repos => 'main', release => 'bookworm' }
apt::pin { 'local': packages => '*', priority => 500, originator => 'Example' }
class { 'sysctl::base': }
kmod::blacklist { 'pcspkr': }
kmod::option { 'bonding': option => 'mode', value => '1' }
alternatives { 'editor': path => '/bin/ed.site', require => Alternative_entry['/bin/ed.site'] }
alternative_entry { '/bin/ed.site': ensure => present, altlink => '/usr/bin/editor', altname => 'editor', priority => 100, require => File['/bin/ed.site'] }
file { '/bin/ed.site': content => "#!/bin/sh\n", mode => '0755' }
vcsrepo { '/srv/site': ensure => present, provider => 'git', source => 'file:///srv/origin.git', revision => 'main' }
archive { '/srv/tool.tar.gz': source => 'file:///srv/origin.tar.gz', extract => true, extract_path => '/srv', creates => '/srv/tool', cleanup => true }
package { 'acl': ensure => installed }
posix_acl { '/srv/backup': action => 'set', permission => ['user::rwx', 'group::r-x', 'mask::rwx', 'other::---', 'user:nobody:r-x'], provider => 'posixacl', recursive => false, require => [Package['acl'], File['/srv/backup']] }
ssl_pkey { '/etc/ssl/private/site.key': size => 2048 }
x509_cert { '/etc/ssl/site.crt': private_key => '/etc/ssl/private/site.key', template => '/etc/ssl/site.cnf', days => 400, require => [File['/etc/ssl/site.cnf'], Ssl_pkey['/etc/ssl/private/site.key']] }
file { '/etc/ssl/site.cnf': content => "[req]\ndistinguished_name = dn\nprompt = no\n[dn]\nCN = www.example.test\n" }
augeas { 'hosts': context => '/files/etc/hosts', changes => ['set 01/ipaddr 10.1.1.1', 'set 01/canonical extra.example.test'], onlyif => "match *[ipaddr = '10.1.1.1'] size == 0" }
file { '/srv/lenses': ensure => directory, source => 'puppet:///modules/postfix/lenses', recurse => true, purge => true }
file { ['/srv/backup', '/var/log/site', '/srv']: ensure => directory }
user { 'deploy': ensure => present, uid => 1500, gid => 'deploy', groups => ['adm'], home => '/home/deploy', managehome => true, shell => '/bin/bash', comment => 'Deploys' }
group { 'deploy': ensure => present, gid => 1500 }
ssh_authorized_key { 'deploy@site': user => 'deploy', type => 'ssh-ed25519', key => 'AAAAC3NzaC1lZDI1NTE5AAAAIAMuVrP7JWjM3pY3Yv0m9vPj8ZPp1f5gY1Yw3V5gk9bT' }
sshkey { 'git.example.test': ensure => present, type => 'ssh-ed25519', key => 'AAAAC3NzaC1lZDI1NTE5AAAAIAMuVrP7JWjM3pY3Yv0m9vPj8ZPp1f5gY1Yw3V5gk9bT', host_aliases => ['10.0.0.7'] }
cron { 'backup': command => '/usr/local/bin/backup', user => 'root', hour => 3, minute => [0, 30], environment => ['MAILTO=ops'] }
host { 'db.example.test': ip => '10.0.0.5', host_aliases => ['db'] }
mount { '/mnt/data': ensure => present, device => '/dev/none', fstype => 'ext4', options => 'noauto,ro' }
file { '/etc/site.ini': ensure => file }
ini_setting { 'workers': path => '/etc/site.ini', section => 'server', setting => 'workers', value => '4' }
ini_subsetting { 'heap': path => '/etc/default/site', section => '', setting => 'JAVA_ARGS', subsetting => '-Xmx', value => '512m', require => File['/etc/default/site'] }
file { '/etc/default/site': content => "JAVA_ARGS=\"-Xms64m\"\n", replace => false }
file_line { 'umask': path => '/etc/login.defs', line => 'UMASK 027', match => '^UMASK' }
concat { '/etc/site.conf': mode => '0640' }
concat::fragment { 'first': target => '/etc/site.conf', content => "first\n", order => '01' }
concat::fragment { 'last': target => '/etc/site.conf', content => "last\n", order => '99' }
# Without systemd there is no journal to keep.
class { 'systemd': manage_journald => false }
systemd::unit_file { 'site.service': content => "[Unit]\nDescription=Site\n[Service]\nExecStart=/bin/true\n" }
systemd::tmpfile { 'site.conf': content => "d /run/site 0755 root root\n" }
class { 'staging': path => '/opt/staging' }
class { 'tftp': inetd => false }
xinetd::service { 'echo': port => '7', server => '/bin/cat', require => Package['xinetd'] }
tidy { '/var/log/site': age => '1w', recurse => true, matches => '*.old' }
notify { 'all is well': }
package { ['sudo', 'unzip']: ensure => installed }
class { 'postgresql::globals': version => '15' }
class { 'postgresql::server': }
postgresql::server::db { 'site': user => 'site', password => postgresql::postgresql_password('site', 'secret') }
postgresql::server::schema { 'billing': db => 'site', owner => 'site', require => Postgresql::Server::Db['site'] }
class { 'mysql::server': root_password => 'secret', override_options => { 'mysqld' => { 'max_connections' => '100' } } }
mysql::db { 'shop': user => 'shop', password => 'secret', grant => ['SELECT', 'UPDATE'], charset => 'utf8mb4', collate => 'utf8mb4_general_ci' }
# Its template looks for @modules where Puppet 4 and later find variables of top scope alone.
$modules = ['$ModLoad imuxsock']
class { 'rsyslog::client': server => 'log.example.test', log_local => true, custom_config => '' }
# Debian's package starts by systemd alone.
Service <| title == 'rsyslog' |> { provider => 'base', start => '/usr/sbin/rsyslogd', stop => '/usr/bin/pkill -x rsyslogd', status => '/usr/bin/pgrep -x rsyslogd' }
rsyslog::snippet { '90-site': content => 'local7.* /var/log/site.log' }
logrotate::rule { 'site': path => '/var/log/site/*.log', rotate => '5', rotate_every => 'week', compress => true }
mailalias { 'ops': recipient => ['deploy', 'root'] }
ssh_keygen { 'deploy': home => '/home/deploy', require => User['deploy'] }
wait_for { '/bin/true': query => '/bin/true', exit_code => 0 }
resources { 'firewall': purge => true }
class { 'firewall': }
firewall { '100 ssh': dport => [22, 2222], proto => 'tcp', action => 'accept' }
firewall { '900 drop telnet': dport => 23, proto => 'tcp', action => 'drop' }
file { '/etc/sudoers.d/deploy': content => "deploy ALL=(ALL) NOPASSWD: /usr/local/bin/backup\n", mode => '0440', validate_cmd => '/usr/sbin/visudo -c -f %', require => Package['sudo'] }
