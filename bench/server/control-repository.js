// A control repository as a site has one: Debian's modules, a role and a profile, data by levels, and one apache node.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const debian = '/usr/share/puppet/modules'

/** The node whose catalog is asked for. */
export const certname = 'web1.example.test'

/** The nodes that ask at once, all alike; the one that is measured is the first of them. */
export const certnames = (count) => Array.from({ length: count }, (_, at) => `web${at + 1}.example.test`)

/** A bare repository in a folder, and the same as a working tree, which is what Puppet Server reads. */
export function controlRepository(folder, { vhosts, names = [certname] }) {
  const [bare, work] = [join(folder, 'code.git'), join(folder, 'code/environments/production')]
  mkdirSync(join(work, 'modules'), { recursive: true })
  for (const name of readdirSync(debian))
    cpSync(join(debian, name), join(work, 'modules', name), { recursive: true, dereference: true })
  for (const [path, text] of Object.entries(siteFiles(vhosts, names))) write(work, path, text)
  const git = (...words) => execFileSync('git', words, { cwd: work, stdio: 'ignore' })
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  git('init', '--quiet', '--initial-branch=production')
  git('config', 'user.name', 'Bench')
  git('config', 'user.email', 'bench@example.test')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Control repository')
  git('remote', 'add', 'origin', bare)
  const push = () => git('push', '--quiet', 'origin', 'production')
  push()
  return {
    bare,
    work,
    codedir: join(folder, 'code'),
    environmentpath: join(folder, 'code/environments'),
    /** Changes one manifest, as the working tree has it; `push` brings it to the bare repository. */
    change(number) {
      write(work, 'site-modules/profile/manifests/web.pp', webProfile(number))
      git('commit', '--quiet', '--all', '--message', `Change ${number}`)
    },
    push,
  }
}

function write(root, path, text) {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

function siteFiles(vhosts, names) {
  return {
    'environment.conf': 'modulepath = site-modules:modules\n',
    'hiera.yaml': `---
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: node, path: "nodes/%{trusted.certname}.yaml" }
  - { name: system, path: "os/%{facts.os.family}.yaml" }
  - { name: common, path: common.yaml }
`,
    'data/common.yaml': '---\nprofile::web::timeout: 60\nprofile::web::admin: webmaster@example.test\n',
    'data/os/Debian.yaml': '---\nprofile::web::packages: [curl, logrotate, ssl-cert]\n',
    ...Object.fromEntries(names.map((name) => [`data/nodes/${name}.yaml`, nodeData(vhosts)])),
    'manifests/site.pp': 'node /^web/ {\n  include role::web\n}\n\nnode default {\n}\n',
    'site-modules/role/manifests/web.pp': 'class role::web {\n  include profile::web\n}\n',
    'site-modules/profile/manifests/web.pp': webProfile(0),
    'site-modules/profile/manifests/site.pp': siteDefinition,
    'site-modules/profile/templates/robots.txt.erb': robots,
    'site-modules/profile/templates/index.html.epp': index,
    'site-modules/profile/files/favicon.ico': 'no icon\n',
  }
}

function nodeData(vhosts) {
  const sites = Array.from({ length: vhosts }, (_, number) => {
    const name = `shop${number}.example.test`
    return `  ${name}:
    port: ${number % 3 === 0 ? 443 : 80}
    ssl: ${number % 3 === 0}
    aliases: [www.${name}, static.${name}]
    backend: http://10.0.${number % 7}.${number}:8080/
    closed: [/admin, /internal/${number}]
`
  })
  return `---\nprofile::web::sites:\n${sites.join('')}`
}

const webProfile = (number) => `# What web servers have; revision ${number}.
class profile::web (
  Hash[String[1], Hash] $sites,
  Array[String[1]] $packages,
  Integer[1] $timeout,
  String[1] $admin,
) {
  class { 'apache':
    default_vhost => false,
    mpm_module    => 'event',
    serveradmin   => $admin,
    timeout       => $timeout,
  }
  include apache::mod::headers
  include apache::mod::rewrite
  include apache::mod::proxy
  include apache::mod::proxy_http
  include apache::mod::ssl
  include apache::mod::status

  ensure_packages($packages)

  file { '/srv/www':
    ensure => directory,
    owner  => 'root',
    group  => 'root',
    mode   => '0755',
  }
  file { '/srv/www/revision':
    ensure  => file,
    content => "${number}\\n",
  }
  $sites.each |$name, $site| {
    profile::site { $name:
      * => $site,
    }
  }
}
`

const siteDefinition = `# One site: its virtual host, its folders, its files, its logs.
define profile::site (
  Integer[1, 65535] $port,
  Boolean $ssl,
  Array[String[1]] $aliases,
  String[1] $backend,
  Array[String[1]] $closed,
) {
  $root = "/srv/www/\${name}"

  apache::vhost { $name:
    port            => $port,
    ssl             => $ssl,
    docroot         => "\${root}/public",
    serveraliases   => $aliases,
    docroot_owner   => 'www-data',
    docroot_group   => 'www-data',
    proxy_pass      => [{ 'path' => '/app', 'url' => $backend }],
    headers         => ['set X-Frame-Options "SAMEORIGIN"', "set X-Site \\"\${name}\\""],
    request_headers => ["set X-Site \${name}"],
    rewrites        => [
      { 'comment' => 'no admin', 'rewrite_rule' => $closed.map |$path| { "^\${path} - [F]" } },
    ],
    directories     => [
      { 'path' => "\${root}/public", 'options' => ['FollowSymLinks'], 'allow_override' => ['None'], 'require' => 'all granted' },
      { 'path' => "\${root}/private", 'require' => 'all denied' },
    ],
    setenvif        => ['Remote_Addr "127.0.0.1" local'],
    require         => File[$root],
  }

  file { [$root, "\${root}/private", "\${root}/tmp"]:
    ensure => directory,
    owner  => 'www-data',
    group  => 'www-data',
    mode   => '0750',
  }
  file { "\${root}/public/robots.txt":
    ensure  => file,
    content => template('profile/robots.txt.erb'),
  }
  file { "\${root}/public/index.html":
    ensure  => file,
    content => epp('profile/index.html.epp', { 'name' => $name, 'aliases' => $aliases }),
  }
  file { "\${root}/public/favicon.ico":
    ensure => file,
    source => 'puppet:///modules/profile/favicon.ico',
  }
  file { "/etc/logrotate.d/site-\${name}":
    ensure  => file,
    mode    => '0644',
    content => @("END"),
      /var/log/apache2/\${name}*.log {
        weekly
        rotate 12
        compress
        missingok
      }
      | END
  }
}
`

const robots = `# <%= @name %> on <%= @facts['networking']['hostname'] %>
User-agent: *
<%- @closed.sort.each do |path| -%>
Disallow: <%= path %>
<%- end -%>
`

const index = `<%- | String $name, Array[String] $aliases | -%>
<title><%= $name %></title>
<%- $aliases.each |$alias| { -%>
<link rel="alternate" href="http://<%= $alias %>/">
<%- } -%>
`
