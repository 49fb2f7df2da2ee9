// A control repository as a site has one: roles and profiles, modules with files, ERB and EPP templates, functions and
// facts in Ruby, data in three levels. Each node gets some 200 resources.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const names = ['apt', 'cron', 'firewall', 'logrotate', 'monitoring', 'ntp', 'postfix', 'ssh', 'sudo', 'users']
const largeFile = 8 * 1024 * 1024

/** The bare repository with its branch `production`, and pushes to it. */
export function makeRepository(folder) {
  const [bare, work] = [join(folder, 'code.git'), join(folder, 'work')]
  mkdirSync(work)
  for (const [path, text] of Object.entries(siteFiles())) write(work, path, text)
  const git = (...words) => execFileSync('git', words, { cwd: work, encoding: 'utf8', stdio: 'pipe' }).trim()
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  git('init', '--quiet', '--initial-branch=production')
  git('config', 'user.name', 'Soak')
  git('config', 'user.email', 'soak@example.test')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Control repository')
  git('push', '--quiet', bare, 'production')
  // The bare repository has what is committed later, too: git itself takes no push while any other ref is broken.
  writeFileSync(join(bare, 'objects/info/alternates'), `${join(work, '.git/objects')}\n`)
  let number = 0
  return {
    bare,
    /** Moves `production` to a change of one manifest, as people do all day; answers the commit. */
    change() {
      number++
      write(work, 'site/profile/manifests/base.pp', baseProfile(number))
      git('commit', '--quiet', '--all', '--message', `Change ${number}`)
      const commit = git('rev-parse', 'HEAD')
      git('--git-dir', bare, 'update-ref', 'refs/heads/production', commit)
      return commit
    },
  }
}

function write(root, path, text) {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

function siteFiles() {
  return {
    'environment.conf': 'modulepath = site:modules\n',
    'hiera.yaml': `---
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: node, path: "nodes/%{trusted.certname}.yaml" }
  - { name: system, path: "os/%{facts.os.family}.yaml" }
  - { name: common, path: common.yaml }
`,
    'data/common.yaml': `---\nlookup_options:\n  'users::accounts': { merge: deep }\n${names.map((name) => `${name}::level: common\n`).join('')}${accounts()}`,
    'data/os/Debian.yaml': `---\n${names.map((name) => `${name}::packages: [${name}, ${name}-doc]\n`).join('')}`,
    'manifests/site.pp': 'node default {\n  include profile::base\n}\n',
    'site/profile/manifests/base.pp': baseProfile(0),
    'site/profile/files/large.bin': Buffer.alloc(largeFile, 'large file of the site\n'),
    ...Object.assign({}, ...names.map(moduleFiles)),
  }
}

const baseProfile = (number) => `# What each node has.
class profile::base {
${names.map((name) => `  include ${name}`).join('\n')}
  file { '/etc/revision': content => "${number}\\n" }
}
`

function accounts() {
  const each = (number) => `  user${number}: { uid: ${2000 + number}, groups: [staff, team${number % 4}] }\n`
  return `users::accounts:\n${Array.from({ length: 12 }, (_, number) => each(number)).join('')}`
}

function moduleFiles(name) {
  const at = (path) => `modules/${name}/${path}`
  const numbered = (count, path, text) =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [at(path(number)), text(number)]))
  return {
    [at('manifests/init.pp')]: init(name),
    [at('manifests/entry.pp')]: entry(name),
    [at('templates/main.conf.erb')]: mainTemplate,
    [at('templates/entry.conf.epp')]: entryTemplate,
    ...numbered(
      4,
      (number) => `files/part${number}.conf`,
      (number) => `# ${name}\n${`part = ${number}\n`.repeat(60)}`,
    ),
    ...numbered(
      3,
      (number) => `lib/facter/${name}_${number}.rb`,
      (number) => `Facter.add('${name}_${number}') { setcode { '${number}' } }\n`,
    ),
    ...numbered(2, (number) => `lib/puppet/functions/${name}/helper${number}.rb`, helper(name)),
    [at('facts.d/site.txt')]: `${name}_site=one\n`,
  }
}

const init = (name) => `class ${name}(
  Array[String[1]] $packages,
  String[1] $level,
  Hash[String[1], Hash] $accounts = {},
) {
  package { $packages: ensure => installed }
  file { '/etc/${name}': ensure => directory, mode => '0755' }
  file { '/etc/${name}/main.conf':
    content => template('${name}/main.conf.erb'),
    notify  => Service['${name}'],
  }
  Integer[0, 3].each |$number| {
    file { "/etc/${name}/part\${number}.conf":
      source  => "puppet:///modules/${name}/part\${number}.conf",
      require => Package[$packages[0]],
    }
    ${name}::entry { "${name} entry \${number}": number => $number }
  }
  $accounts.each |$user, $account| {
    user { $user: ensure => present, uid => $account['uid'], groups => $account['groups'] }
  }
  service { '${name}': ensure => running, enable => true }
}
`

const entry = (name) => `define ${name}::entry(Integer $number) {
  file { "/etc/${name}/entry\${number}.conf":
    content => epp('${name}/entry.conf.epp', { 'number' => $number, 'host' => $facts['networking']['hostname'] }),
    owner   => 'root',
    mode    => '0644',
  }
}
`

const mainTemplate = `# <%= @name %> of <%= @facts['networking']['fqdn'] %>, level <%= @level %>
<% @packages.sort.each do |package| -%>
package = <%= package %>
<% end -%>
memory = <%= @facts['memory']['system']['total_bytes'] %>
`

const entryTemplate = `<%- | Integer $number, String $host | -%>
<%- Integer[1, 5].each |$line| { -%>
entry <%= $number %>.<%= $line %> = <%= $host %>
<%- } -%>
`

const helper = (name) => (number) =>
  `Puppet::Functions.create_function(:'${name}::helper${number}') do
  dispatch(:helper) { param 'String', :text }
  def helper(text)
    text.upcase
  end
end
`
