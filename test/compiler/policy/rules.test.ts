import { describe, expect, it } from 'vitest'
import { isActiveFinding } from '../../../src/compiler/policy/check-policies.ts'
import { checked, lineOf } from './check.ts'

/** A rule as a site would have it, a manifest that it accepts, and one that it refuses. */
interface Case {
  readonly rule: string
  /** The rule's lines in a file of policies. */
  readonly text: string
  /** The function that it names. */
  readonly code?: string
  readonly accepts: string
  readonly refuses: string
  /** The findings of the second: resource, parameter, detail. */
  readonly finds: readonly string[]
}

const vhost = `define vhost(Boolean $ssl = false, Optional[String] $cert = undef, Integer $port = 80) { }\n`

const cases: readonly Case[] = [
  {
    rule: 'no_mode_0777',
    text: `type: File\nparameters: { properties: { mode: { not: { pattern: '777$' } } } }`,
    accepts: `file { '/a': mode => '0755' } file { '/b': }`,
    refuses: `file { '/a': mode => '0777' } file { '/b': mode => '0755' }`,
    finds: ['File[/a] mode: mode is "0777", which is not allowed'],
  },
  {
    rule: 'no_world_writable',
    text: `type: file\nparameters: { properties: { mode: { not: { pattern: '[2367]$' } } } }`,
    accepts: `file { '/a': mode => '0775' }`,
    refuses: `file { '/a': mode => '0662' }`,
    finds: ['File[/a] mode: mode is "0662", which is not allowed'],
  },
  {
    rule: 'no_package_latest',
    text: `type: Package\nparameters: { properties: { ensure: { not: { const: latest } } } }`,
    accepts: `package { 'a': ensure => '1.2' } package { 'b': ensure => installed }`,
    refuses: `package { 'a': ensure => latest }`,
    finds: ['Package[a] ensure: ensure is "latest", which is not allowed'],
  },
  {
    rule: 'vhosts_have_tls',
    text: `type: Vhost\nparameters: { required: [ssl], properties: { ssl: { const: true } } }`,
    accepts: `${vhost} vhost { 'a': ssl => true }`,
    refuses: `${vhost} vhost { 'a': } vhost { 'b': ssl => true }`,
    finds: ['Vhost[a] ssl: ssl is false, and must be true'],
  },
  {
    rule: 'tls_has_certificate',
    text: `type: Vhost\nparameters: { if: { properties: { ssl: { const: true } } }, then: { required: [cert] } }`,
    accepts: `${vhost} vhost { 'a': ssl => true, cert => '/c' } vhost { 'b': }`,
    refuses: `${vhost} vhost { 'a': ssl => true }`,
    finds: ['Vhost[a] cert: cert is missing'],
  },
  {
    rule: 'ports_are_allowed',
    text: `type: Vhost\nparameters: { properties: { port: { enum: [80, 443, 8443] } } }`,
    accepts: `${vhost} vhost { 'a': port => 8443 }`,
    refuses: `${vhost} vhost { 'a': port => 8080 }`,
    finds: ['Vhost[a] port: port is 8080, and must be one of [80,443,8443]'],
  },
  {
    rule: 'no_exec',
    text: `type: Exec\nresource: false`,
    accepts: `notify { 'a': }`,
    refuses: `exec { '/bin/true': }`,
    finds: ['Exec[/bin/true] -: is not allowed'],
  },
  {
    rule: 'exec_is_bounded',
    text: `type: Exec\nparameters: { anyOf: [{ required: [onlyif] }, { required: [unless] }, { required: [creates] }, { properties: { refreshonly: { const: true } }, required: [refreshonly] }] }`,
    accepts: `exec { '/bin/a': creates => '/a' } exec { '/bin/b': refreshonly => true }`,
    refuses: `exec { '/bin/a': timeout => 5 }`,
    finds: ['Exec[/bin/a] -: must match a schema in anyOf'],
  },
  {
    rule: 'files_have_owner',
    text: `type: File\ntitle: /etc/*\nparameters: { required: [owner, group] }`,
    accepts: `file { '/etc/a': owner => 'root', group => 'root' } file { '/tmp/a': }`,
    refuses: `file { '/etc/a': owner => 'root' } file { '/etc/.b': group => 'x' }`,
    finds: ['File[/etc/a] group: group is missing', 'File[/etc/.b] owner: owner is missing'],
  },
  {
    rule: 'no_foreign_tags',
    text: `type: [Notify, File]\nresource: { properties: { tags: { items: { not: { enum: [deprecated] } } } } }`,
    accepts: `notify { 'a': tag => 'fine' }`,
    refuses: `notify { 'a': tag => 'deprecated' }`,
    finds: ['Notify[a] -: tags.0 is "deprecated", which is not allowed'],
  },
  {
    rule: 'passwords_are_sensitive',
    text: `type: User\nparameters: { properties: { password: { type: object, properties: { __ptype: { const: Sensitive } }, required: [__ptype] } } }`,
    accepts: `user { 'a': password => Sensitive('x') }`,
    refuses: `user { 'a': password => 'x' }`,
    finds: ['User[a] password: password is "x", and must be object'],
  },
  {
    rule: 'no_ensure_absent_root',
    text: `type: User\ntitle: root\nparameters: { properties: { ensure: { not: { const: absent } } } }`,
    accepts: `user { 'root': ensure => present } user { 'a': ensure => absent }`,
    refuses: `user { 'root': ensure => absent }`,
    finds: ['User[root] ensure: ensure is "absent", which is not allowed'],
  },
  {
    rule: 'sources_are_ours',
    text: `type: File\nparameters: { properties: { source: { pattern: '^puppet:///modules/' } } }`,
    accepts: `file { '/a': content => 'x' }`,
    refuses: `file { '/a': source => 'http://example.com/x' }`,
    finds: ['File[/a] source: source is "http://example.com/x", and must match pattern "^puppet:///modules/"'],
  },
  {
    rule: 'groups_are_unique',
    text: `type: User\nparameters: { properties: { groups: { uniqueItems: true } } }`,
    accepts: `user { 'a': groups => ['x', 'y'] }`,
    refuses: `user { 'a': groups => ['x', 'y', 'x'] }`,
    finds: ['User[a] groups: groups is ["x","y","x"], and must NOT have duplicate items'],
  },
  {
    rule: 'only_known_parameters',
    text: `type: Vhost\nparameters: { properties: { ssl: true, port: { type: integer, minimum: 1024 } }, additionalProperties: false }`,
    accepts: `${vhost} vhost { 'a': port => 1024 }`,
    refuses: `${vhost} vhost { 'a': port => 1024, cert => '/c' }`,
    finds: ['Vhost[a] cert: cert is not allowed'],
  },
  {
    rule: 'by_reference',
    text: `type: File\nparameters: { $defs: { user: { enum: [root, www] } }, properties: { owner: { $ref: '#/$defs/user' }, group: { $ref: '#/$defs/user' } } }`,
    accepts: `file { '/a': owner => 'www', group => 'root' }`,
    refuses: `file { '/a': owner => 'www', group => 'games' }`,
    finds: ['File[/a] group: group is "games", and must be one of ["root","www"]'],
  },
  {
    rule: 'node_has_ntp',
    text: `function: policies::node_has_ntp`,
    code: `function policies::node_has_ntp(Array[Hash] $resources) {
  unless $resources.any |$each| { $each['type'] == 'Class' and $each['title'] == 'Ntp' } { ['There is no time service'] }
}`,
    accepts: `class ntp {} include ntp`,
    refuses: `class other {} include other`,
    finds: ['the catalog -: There is no time service'],
  },
  {
    rule: 'files_by_function',
    text: `type: File\nfunction: policies::writable`,
    code: `function policies::writable($files) {
  $files.filter |$file| { String($file['parameters']['mode']) =~ /[2367]$/ }
}`,
    accepts: `file { '/a': mode => '0755' } notify { 'mode': }`,
    refuses: `file { '/a': mode => '0757' } file { '/b': }`,
    finds: ['File[/a] -: '],
  },
  {
    rule: 'services_are_packaged',
    text: `function: policies::services_are_packaged`,
    code: `function policies::services_are_packaged(Array[Hash] $resources) {
  $packages = $resources.filter |$each| { $each['type'] == 'Package' }.map |$each| { $each['title'] }
  $resources.filter |$each| { $each['type'] == 'Service' and !($each['title'] in $packages) }
    .map |$each| { $each + { 'message' => "no package \${each['title']}", 'parameter' => 'ensure' } }
}`,
    accepts: `package { 'nginx': } service { 'nginx': }`,
    refuses: `service { 'nginx': } package { 'apache2': }`,
    finds: ['Service[nginx] ensure: no package nginx'],
  },
  {
    rule: 'no_temporary_files',
    text: `type: File\nfunction: policies::no_temporary_files`,
    code: `function policies::no_temporary_files($files) {
  $files.filter |$file| { $file['title'] =~ /\\A\\/tmp/ }.map |$file| { File[$file['title']] }
}`,
    accepts: `file { '/var/a': }`,
    refuses: `file { '/tmp/a': }`,
    finds: ['File[/tmp/a] -: '],
  },
]

const file = ({ rule, text }: Case, more = '') =>
  `rules:\n  ${rule}:\n    message: As it is to be\n${text.replace(/^/gm, '    ')}\n${more}`
const filesOf = (each: Case, more = '') => ({
  'policies/rules.yaml': file(each, more),
  ...(each.code && { 'policies/rules.pp': each.code }),
})
const exception = (rule: string) =>
  `exceptions:\n  - { rule: ${rule}, until: 2026-06-30, reason: until it is mended }\n`

describe.each(cases)('rule $rule', (each) => {
  const { rule, accepts, refuses, finds } = each
  const errors = finds.map((found) => `error ${rule}: ${found}`)

  it('accepts', () => {
    expect(checked({ manifest: accepts, files: filesOf(each) }).findings).toEqual([])
  })

  it('refuses', () => {
    const { findings } = checked({ manifest: refuses, files: filesOf(each) })
    expect(findings.map(lineOf)).toEqual(errors)
    expect(findings.every(isActiveFinding)).toBe(true)
  })

  it('makes an exception until its last day has passed', () => {
    const on = (now: string) => checked({ manifest: refuses, files: filesOf(each, exception(rule)), now }).findings
    const [last, later] = [on('2026-06-30T23:59:59Z'), on('2026-07-01T00:00:00Z')]
    expect(last.map(lineOf)).toEqual(errors.map((line) => `${line} [until 2026-06-30]`))
    expect(last.some(isActiveFinding)).toBe(false)
    expect(later.map(lineOf)).toEqual(errors.map((line) => `${line} (until 2026-06-30)`))
    expect(later.every(isActiveFinding)).toBe(true)
  })
})
