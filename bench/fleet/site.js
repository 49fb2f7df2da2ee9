// A control repository of some roles, each node's catalog of some 150 resources; and the commits that change it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Kinds of commits, in turn: nobody's, one role's data, one role's template, all nodes' data, a comment. */
export const kinds = ['readme', 'role data', 'role template', 'common data', 'comment']

/** A bare repository with its first commit; `commit` makes the next ones. A catalog has three resources for each service. */
export function fleetRepository(folder, roles, services = 40) {
  const [bare, work] = [join(folder, 'code.git'), join(folder, 'code/environments/production')]
  for (const each of [bare, work]) rmSync(each, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const git = (...words) => execFileSync('git', words, { cwd: work, encoding: 'utf8' }).trim()
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', bare])
  git('init', '--quiet', '--initial-branch=production')
  git('config', 'user.name', 'Bench')
  git('config', 'user.email', 'bench@example.test')
  git('remote', 'add', 'origin', bare)
  /** The state of the code: what each catalog has to say. */
  const state = { common: 0, data: Array(roles).fill(0), template: Array(roles).fill(0), note: 0 }
  const write = (files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(work, path, '..'), { recursive: true })
      writeFileSync(join(work, path), text)
    }
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message', 'A change')
    return { id: git('rev-parse', 'HEAD'), state: structuredClone(state) }
  }
  const first = { kind: 'first', ...write({ ...fixed, ...all(state, roles, services) }) }
  git('push', '--quiet', 'origin', 'production')
  return {
    bare,
    environmentpath: join(folder, 'code/environments'),
    first,
    push: () => git('push', '--quiet', 'origin', 'production'),
    /** The nth commit; not pushed yet. */
    commit(number) {
      const kind = kinds[number % kinds.length]
      const role = (number * 7) % roles
      if (kind === 'role data') state.data[role] = number
      if (kind === 'role template') state.template[role] = number
      if (kind === 'common data') state.common = number
      if (kind === 'readme' || kind === 'comment') state.note = number
      return { kind, ...write({ ...all(state, roles, services) }) }
    },
  }
}

/** The text that a node's catalog has to have, by its role and the state of the code. */
export function expectedText(state, role) {
  return `common ${state.common} data ${state.data[role]} template ${state.template[role]}\n`
}

const fixed = {
  'hiera.yaml': `---
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: node, path: "nodes/%{trusted.certname}.yaml" }
  - { name: role, path: "roles/%{facts.role}.yaml" }
  - { name: system, path: "os/%{facts.os.family}.yaml" }
  - { name: common, path: common.yaml }
`,
  'data/os/Debian.yaml': '---\nprofile::base::packages: [curl, logrotate, ssl-cert]\n',
  'modules/profile/manifests/base.pp': `class profile::base (Integer $common, Array[String] $packages, Hash $services) {
  package { $packages: ensure => installed }
  file { '/etc/fleet': ensure => directory }
  $services.each |$name, $service| { profile::service { $name: * => $service } }
}
`,
  'modules/profile/manifests/service.pp': `define profile::service (Integer $port, Array[String] $hosts, Boolean $tls = false) {
  file { "/etc/fleet/\${name}.conf":
    ensure  => file,
    mode    => '0640',
    content => epp('profile/service.epp', { 'name' => $name, 'port' => $port, 'hosts' => $hosts, 'tls' => $tls }),
    require => File['/etc/fleet'],
  }
  file { "/etc/fleet/\${name}.d": ensure => directory }
  ~> service { "fleet-\${name}": ensure => running, enable => true, subscribe => File["/etc/fleet/\${name}.conf"] }
}
`,
  'modules/profile/templates/service.epp': `<%- | String $name, Integer $port, Array $hosts, Boolean $tls | -%>
# <%= $name %> of <%= $facts['networking']['fqdn'] %>
<% $hosts.each |$host| { -%>
listen <%= $host %>:<%= $port %><% if $tls { %> tls<% } %>
<% } -%>
`,
  'modules/profile/files/motd': 'Be kind.\n',
  'modules/profile/files/logo': 'x'.repeat(20_000),
  'modules/profile/files/rules': 'allow all\n',
  'modules/profile/lib/facter/role.rb': "Facter.add(:role) { setcode { 'none' } }\n",
}

function all(state, roles, services) {
  const each = Array.from({ length: roles }, (_, role) => role)
  return {
    'README.md': `Revision ${state.note}.\n`,
    'manifests/site.pp': `node default { include "role::r\${facts['role']}" } # revision ${state.note}\n`,
    'data/common.yaml': `---\nprofile::base::common: ${state.common}\nprofile::base::services:\n${servicesText(services)}`,
    ...Object.fromEntries(
      each.map((role) => [`data/roles/${role}.yaml`, `---\nrole::r${role}::data: ${state.data[role]}\n`]),
    ),
    ...Object.fromEntries(each.map((role) => [`modules/role/manifests/r${role}.pp`, roleClass(role)])),
    ...Object.fromEntries(
      each.map((role) => [
        `modules/role/templates/r${role}.erb`,
        `common <%= scope['profile::base::common'] %> data <%= @data %> template ${state.template[role]}\n`,
      ]),
    ),
  }
}

const roleClass = (role) => `class role::r${role} (Integer $data) {
  include profile::base
  file { '/etc/fleet/role': ensure => file, content => template('role/r${role}.erb') }
  file { '/etc/motd': ensure => file, source => 'puppet:///modules/profile/motd' }
  file { '/etc/logo': ensure => file, source => 'puppet:///modules/profile/logo' }
  file { '/etc/rules': ensure => file, source => 'puppet:///modules/profile/rules' }
}
`

const servicesText = (services) =>
  Array.from(
    { length: services },
    (_, number) =>
      `  service${number}: { port: ${8000 + number}, hosts: [10.0.0.${number}, 10.0.1.${number}], tls: ${number % 2 === 0} }\n`,
  ).join('')
