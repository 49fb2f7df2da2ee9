/** Roles, each of four profiles of its own beside those of all. */
const roles = ['web', 'db', 'lb', 'cache', 'mail', 'build', 'queue', 'log', 'mon', 'store']
const profiles = 24
const regions = ['north', 'south', 'east']

/** The nodes of the fleet: of each role some, with classification and facts as a site has them. */
export function fleetNodes(count) {
  return Array.from({ length: count }, (_, at) => {
    const role = roles[at % roles.length]
    const region = regions[at % regions.length]
    const name = `${role}${at}.fleet.test`
    const facts = { region, rack: `r${at % 17}`, datacenter: { name: region, row: at % 5 } }
    const parameters = { role, tier: at % 4 === 0 ? 'test' : 'live', owner: `team${at % 6}` }
    return { name, facts, parameters, classes: at % 9 === 0 ? { audit: { level: 2 } } : at % 3 === 0 ? ['audit'] : [] }
  })
}

/** A control repository of roles and profiles, with data in levels, code in Ruby, and what nodes export for each other. */
export function fleetFiles() {
  const numbers = Array.from({ length: profiles }, (_, number) => number)
  return {
    'environment.conf': 'modulepath = site:modules\n',
    'hiera.yaml': hiera,
    'README.md': 'A fleet.\n',
    'manifests/site.pp': 'File { backup => false }\nnode default {\n  include base\n  include "role::${role}"\n}\n',
    'data/common.yaml': commonData(numbers),
    ...Object.fromEntries(roles.map((role, at) => [`data/role/${role}.yaml`, roleData(role, at)])),
    ...Object.fromEntries(
      regions.map((region) => [
        `data/region/${region}.yaml`,
        `---\nbase::region: ${region}\nbase::servers: [ntp1.${region}.test, ntp2.${region}.test]\n`,
      ]),
    ),
    ...Object.fromEntries(
      [3, 14, 15, 92].map((at) => [
        `data/nodes/${roles[at % roles.length]}${at}.fleet.test.yaml`,
        `---\nbase::motd: "Node ${at}."\nbase::packages: [node${at}]\n`,
      ]),
    ),
    ...Object.assign({}, ...roles.map(roleFiles)),
    ...Object.assign({}, ...numbers.map(profileFiles)),
    ...base,
    ...kit,
    ...audit,
  }
}

const hiera = `---
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: node, path: "nodes/%{trusted.certname}.yaml" }
  - { name: role, path: "role/%{role}.yaml" }
  - { name: region, path: "region/%{facts.region}.yaml" }
  - { name: system, path: "os/%{facts.os.family}.yaml" }
  - { name: common, path: common.yaml }
`

const commonData = (numbers) => `---
lookup_options:
  base::packages: { merge: { strategy: unique } }
  base::limits: { merge: deep }
base::motd: "On %{facts.networking.hostname}, for %{lookup('base::owner')}."
base::owner: everyone
base::region: none
base::servers: [ntp.test]
base::packages: [curl, rsync]
base::limits:
  files: { soft: 1024, hard: 4096 }
  processes: { soft: 100, hard: 200 }
audit::level: 1
${numbers.map((number) => `profile::p${number}::port: ${8000 + number}\nprofile::p${number}::peers: [a${number}.test, b${number}.test]\n`).join('')}`

const roleData = (role, at) => `---
base::owner: team-${role}
base::packages: [${role}-tools]
base::limits:
  files: { hard: ${8192 + at} }
profile::p${(at * 2) % profiles}::port: ${9000 + at}
`

/** A role has profiles of its own, and some that others have. */
function roleFiles(role, at) {
  const own = [at * 2, at * 2 + 1, at + 7, at + 13].map((number) => `profile::p${number % profiles}`)
  const included = [...new Set(own)].map((name) => `  include ${name}\n`).join('')
  const more = role === 'mon' ? '  include kit::watcher\n' : role === 'lb' ? '  include kit::balancer\n' : ''
  return { [`site/role/manifests/${role}.pp`]: `# The role ${role}.\nclass role::${role} {\n${included}${more}}\n` }
}

function profileFiles(number) {
  const name = `p${number}`
  const engine = number % 2 === 0 ? 'erb' : 'epp'
  const content =
    engine === 'erb'
      ? `template('profile/${name}.erb')`
      : `epp('profile/${name}.epp', { 'port' => $port, 'peers' => $peers })`
  return {
    [`site/profile/manifests/${name}.pp`]: `# Profile ${number}.
class profile::${name} (
  Integer[1, 65535] $port,
  Array[String[1]] $peers,
  String[1] $mode = '0644',
) {
  package { '${name}': ensure => installed }
  -> file { '/etc/${name}.conf':
    mode    => $mode,
    content => ${content},
  }
  ~> service { '${name}': ensure => running }
  file { '/etc/${name}.d/static.conf':
    source => ['puppet:///modules/profile/${name}.%{region}.conf', 'puppet:///modules/profile/${name}.conf'],
  }
  kit::entry { '${name}':
    value => ${number % 3 === 0 ? `kit::label('${name}', $port)` : number % 3 === 1 ? `kit_sum($port, ${number})` : `kit::joined($peers)`},
  }
  if $facts['datacenter']['row'] > ${number % 5} {
    notify { "${name} in row \${facts['datacenter']['row']}": }
  }
  @@kit::check { "${name} of \${trusted['certname']}":
    port => $port,
    tag  => ['${name}', "row_\${facts['datacenter']['row']}"],
  }
}
`,
    [`site/profile/templates/${name}.${engine}`]:
      engine === 'erb'
        ? `# ${name} on <%= @facts['networking']['hostname'] %>\nport = <%= @port %>\n<% @peers.each do |peer| -%>\npeer <%= peer %> <%= scope['base::region'] %>\n<% end -%>\n<%= scope.call_function('kit::label', ['${name}', @port]) %>\n`
        : `<%- | Integer $port, Array $peers | -%>\n# ${name} of <%= $facts['rack'] %>\nport = <%= $port %>\n<% $peers.each |$peer| { -%>\npeer <%= $peer %>\n<% } -%>\n`,
    [`site/profile/files/${name}.conf`]: `# ${name}\nrevision = 1\n`,
    [`site/profile/templates/unused/${name}.erb`]: '# Nobody uses it.\n',
  }
}

const base = {
  'site/base/manifests/init.pp': `# All nodes.
class base (
  String[1] $motd,
  String[1] $owner,
  String[1] $region,
  Array[String[1]] $servers,
  Array[String[1]] $packages,
  Hash[String[1], Base::Limit] $limits,
) {
  package { $packages: ensure => installed }
  file { '/etc/motd': content => "\${motd}\\n\${kit::joined($servers)}\\n" }
  file { '/etc/owner': content => "\${owner} \${base::short($region)} \${facts['os']['distro']['codename']}\\n" }
  $limits.each |$name, $limit| { base::limit { $name: * => $limit } }
  @@host { $trusted['certname']:
    ip           => $facts['networking']['ip'],
    host_aliases => [$facts['networking']['hostname']],
    tag          => [$role, "rack_\${facts['rack']}"],
  }
  Host <<| tag == "rack_\${facts['rack']}" |>>
}
`,
  'site/base/manifests/limit.pp': `define base::limit (Integer $soft, Integer $hard) {
  file { "/etc/limits.d/\${name}": content => epp('base/limit.epp', { 'soft' => $soft, 'hard' => $hard }) }
}
`,
  'site/base/types/limit.pp': 'type Base::Limit = Struct[{ soft => Integer, hard => Integer }]\n',
  'site/base/functions/short.pp': 'function base::short(String $text) >> String { $text[0, 2] }\n',
  'site/base/templates/limit.epp':
    '<%- | Integer $soft, Integer $hard | -%>\nsoft = <%= $soft %>\nhard = <%= $hard %>\n',
}

const kit = {
  'modules/kit/manifests/entry.pp': `define kit::entry (String $value) {
  file { "/etc/kit/\${name}": content => "\${value}\\n", tag => 'kit' }
}
`,
  'modules/kit/manifests/check.pp': `define kit::check (Integer $port) {
  kit_port { $name: port => $port, comment => kit::label($name, $port) }
}
`,
  'modules/kit/manifests/watcher.pp': 'class kit::watcher {\n  Kit::Check <<| |>>\n}\n',
  'modules/kit/manifests/balancer.pp': `class kit::balancer {
  Kit::Check <<| tag == 'p0' or tag == 'p1' |>>
  Host <<| tag == 'web' |>>
}
`,
  'modules/kit/lib/puppet/functions/kit/label.rb': `# A name and a number.
Puppet::Functions.create_function(:'kit::label') do
  dispatch :label do
    param 'String', :name
    param 'Integer', :port
  end

  def label(name, port)
    format('%s:%05d', name.upcase, port)
  end
end
`,
  'modules/kit/lib/puppet/functions/kit/joined.rb': `Puppet::Functions.create_function(:'kit::joined') do
  def joined(values)
    values.sort.join(', ')
  end
end
`,
  'modules/kit/lib/puppet/functions/kit/unused.rb': `Puppet::Functions.create_function(:'kit::unused') do
  def unused(value)
    value
  end
end
`,
  'modules/kit/lib/puppet/parser/functions/kit_sum.rb': `module Puppet::Parser::Functions
  newfunction(:kit_sum, type: :rvalue) do |args|
    (args[0] + args[1]).to_s
  end
end
`,
  'modules/kit/lib/puppet/parser/functions/kit_unused.rb': `module Puppet::Parser::Functions
  newfunction(:kit_unused, type: :rvalue) do |args|
    args[0]
  end
end
`,
  'modules/kit/lib/puppet/type/kit_port.rb': `Puppet::Type.newtype(:kit_port) do
  ensurable
  newparam(:name, namevar: true)
  newproperty(:port)
  newproperty(:comment)
end
`,
  'modules/kit/lib/puppet/provider/kit_port/ruby.rb': `Puppet::Type.type(:kit_port).provide(:ruby) do
  mk_resource_methods
end
`,
  'modules/kit/lib/facter/rack.rb': "Facter.add(:rack) { setcode { 'r0' } }\n",
}

const audit = {
  'modules/audit/manifests/init.pp': `class audit (Integer $level) {
  file { '/etc/audit.conf': content => template('audit/audit.erb') }
  file { '/etc/audit.rules': source => 'puppet:///modules/audit/rules' }
}
`,
  'modules/audit/templates/audit.erb': "level = <%= @level %>\ntier = <%= @tier %>\nowner = <%= scope['::owner'] %>\n",
  'modules/audit/files/rules': 'watch /etc\n',
}
