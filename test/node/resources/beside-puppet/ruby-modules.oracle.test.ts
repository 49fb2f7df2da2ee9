import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { applyBoth, liveAnswers } from './apply-both.ts'

const origin = scratchFolder('origin')
const git = (...words: string[]) => execFileSync('git', ['-C', origin, ...words])
git('init', '-q', '-b', 'main')
git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first')
git('tag', 'v1')
git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'second')
execFileSync('tar', ['-czf', join(origin, 'a.tar.gz'), '-C', '/etc', 'hostname'])

const modules =
  'archive datacat gitolite inifile mysql openssl openstacklib keystone postgresql rabbitmq stdlib sysctl vcsrepo wait_for'

applyBoth(liveAnswers, "types of Debian's modules beside real Puppet", modules.split(' '), {
  'records of files': {
    manifest: `
      postgresql_conf { 'max_connections': target => '@/pg.conf', value => '50' }
      postgresql_conf { 'listen_addresses': target => '@/pg.conf', value => '*' }
      postgresql_conf { 'port': target => '@/pg.conf', value => '5432' }
      postgresql_conf { 'log_timezone': ensure => absent, target => '@/pg.conf' }
      sysctl { 'vm.swappiness': val => '10', target => '@/sysctl.conf' }
      sysctl { 'kernel.domainname': ensure => absent, target => '@/sysctl.conf' }`,
    files: {
      'pg.conf': "# a comment\nmax_connections = 100 # so many\nport = 5432\nlog_timezone = 'UTC'\n",
      'sysctl.conf': '# mine\nkernel.domainname = example.com\nfs.file-max=5\n',
    },
  },
  archives: {
    manifest: `
      file { '@/out': ensure => directory }
      archive { '@/copy.tar.gz': source => 'file://${origin}/a.tar.gz', extract => true, extract_path => '@/out', creates => '@/out/hostname' }
      archive { '@/gone.tar.gz': ensure => absent }
      archive { '@/bad.tar.gz': source => '${origin}/a.tar.gz', checksum => '00ff', checksum_type => sha256 }`,
    files: { 'gone.tar.gz': 'x' },
  },
  repositories: {
    manifest: `
      vcsrepo { '@/work': ensure => present, provider => git, source => '${origin}', revision => 'v1' }
      vcsrepo { '@/bare': ensure => bare, provider => git, source => '${origin}' }
      vcsrepo { '@/none': ensure => absent, provider => git }
      gitremote { 'backup': directory => '@/own', remotename => 'backup', url => 'https://example.com/x.git' }`,
    files: {
      'none/.git/HEAD': 'ref: refs/heads/main\n',
      'own/.git/HEAD': 'ref: refs/heads/main\n',
      'own/.git/config': '[core]\n',
    },
  },
  'data that is collected': {
    manifest: `
      datacat_collector { '@/data.txt':
        template_body   => '<% data = instance_variable_get(64.chr + "data") %><%= data.keys.sort.map { |key| "#{key}=#{data[key].inspect}" }.join("\\n") %>',
        target_resource => File['@/data.txt'],
        target_field    => 'content',
        collects        => ['all'],
        before          => File['@/data.txt'],
      }
      file { '@/data.txt': ensure => file }
      datacat_fragment { 'one': target => '@/data.txt', data => { 'a' => [1], 'b' => 'x' } }
      datacat_fragment { 'two': target => 'all', data => { 'a' => [2], 'c' => true }, order => '10' }`,
  },
  'what is waited for': {
    manifest: `
      wait_for { 'echo done': regex => 'don', polling_frequency => 0.1, max_retries => 2 }
      wait_for { 'exit 3': exit_code => 3, polling_frequency => 0.1, max_retries => 2 }
      wait_for { 'echo never': regex => 'always', polling_frequency => 0.1, max_retries => 2 }`,
  },
  'keys and certificates that are there': {
    manifest: `
      ssl_pkey { '@/key.pem': ensure => absent }
      x509_cert { '@/cert.pem': ensure => absent }
      x509_request { '@/request.pem': ensure => absent }`,
    files: { 'key.pem': 'x', 'cert.pem': 'x' },
  },
  'providers whose programs are not there': {
    manifest: `
      mysql_database { 'things': charset => 'utf8' }
      -> notify { 'after': }
      mysql_user { 'anna@localhost': password_hash => '*94BDCEBE19083CE2A1F959FD02F964C7AF4CFC29' }
      rabbitmq_user { 'anna': password => 'secret' }
      notify { 'beside': }`,
  },
  'settings of services in files that are not there': {
    manifest: `
      keystone_config { 'DEFAULT/debug': value => true }
      keystone_config { 'database/connection': value => 'mysql://x:y@z', secret => true }`,
    noop: true,
  },
})
