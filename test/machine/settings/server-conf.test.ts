import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatDiagnosticLine, PuppetError } from '../../../src/base/issue.ts'
import { settingDefinitions } from '../../../src/machine/settings/definitions/index.ts'
import { type KeyMeaning, serverKeys } from '../../../src/machine/settings/server-conf/keys.ts'
import {
  getSettingOrigins,
  listServerConfWarnings,
  loadSettings,
  type SettingName,
} from '../../../src/machine/settings/settings.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** A confdir and a conf.d beside it, with these files. */
function installed(files: Readonly<Record<string, string>>, puppetConf = ''): Readonly<Record<string, string>> {
  const folder = scratchFolder('server-conf')
  const confD = join(folder, 'conf.d')
  mkdirSync(confD)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(confD, name), text)
  writeFileSync(join(folder, 'puppet.conf'), puppetConf)
  return { confdir: folder, server_config: confD }
}

const remarksOn = (given: Readonly<Record<string, string>>) =>
  listServerConfWarnings({ given }).map((each) => [
    formatDiagnosticLine(each).replaceAll(`${given['confdir']}/`, ''),
    each.hint,
  ])

describe('conf.d of a Puppet Server', () => {
  it.each<[file: string, text: string, setting: SettingName, value: unknown]>([
    ['webserver.conf', 'webserver: { ssl-port: 18140 }', 'serverport', 18140],
    ['webserver.conf', 'webserver.ssl-host = 127.0.0.1', 'bindaddress', '127.0.0.1'],
    ['webserver.conf', 'webserver { ssl-cert: /c.pem }', 'hostcert', '/c.pem'],
    ['webserver.conf', 'webserver { ssl-key: "/k.pem" }', 'hostprivkey', '/k.pem'],
    ['webserver.conf', 'webserver { ssl-ca-cert: /ca.pem }', 'localcacert', '/ca.pem'],
    ['webserver.conf', 'webserver { ssl-crl-path: /crl.pem }', 'hostcrl', '/crl.pem'],
    ['puppetserver.conf', 'jruby-puppet: { max-active-instances: 3 }', 'compile_workers', 3],
    ['puppetserver.conf', 'jruby-puppet: { max-queued-requests: 12 }', 'max_queued_requests', 12],
    ['puppetserver.conf', 'jruby-puppet: { max-queued-requests: -1 }', 'max_queued_requests', 0],
    ['puppetserver.conf', 'jruby-puppet: { max-retry-delay: 90 }', 'max_retry_delay', 90],
    ['puppetserver.conf', 'jruby-puppet: { server-code-dir: /code }', 'codedir', '/code'],
    ['puppetserver.conf', 'jruby-puppet: { master-var-dir: /v }', 'vardir', '/v'],
    ['puppetserver.conf', 'http-client: { connect-timeout-milliseconds: 1500 }', 'http_connect_timeout', 2],
    ['puppetserver.conf', 'versioned-code: { code-id-command: /id }', 'code_id_command', '/id'],
    ['puppetserver.conf', 'versioned-code { code-content-command: /content }', 'code_content_command', '/content'],
    ['ca.conf', 'certificate-authority: { allow-subject-alt-names: true }', 'allow-subject-alt-names', true],
    [
      'ca.conf',
      'certificate-authority { allow-authorization-extensions: yes }',
      'allow-authorization-extensions',
      true,
    ],
    ['ca.conf', 'certificate-authority.allow-auto-renewal: false', 'allow-auto-renewal', false],
    ['ca.conf', 'certificate-authority { enable-infra-crl: true }', 'enable-infra-crl', true],
    ['metrics.conf', 'metrics: { server-id: compiler1 }', 'metrics_server_id', 'compiler1'],
    ['ca.conf', 'certificate-authority.auto-renewal-cert-ttl: 60d', 'auto-renewal-cert-ttl', 60 * 86400],
  ])('%s: %s', (file, text, setting, value) => {
    const given = installed({ [file]: text })
    expect(loadSettings({ given, runMode: 'server' })[setting]).toEqual(value)
    const asAgent = (more: Readonly<Record<string, string>>) => loadSettings({ given: more, runMode: 'agent' })[setting]
    expect(asAgent(given)).toEqual(asAgent({ ...given, server_config: '' }))
    expect(listServerConfWarnings({ given })).toEqual([])
  })

  it('is stronger than puppet.conf and weaker than the command line, and says where a value comes from', () => {
    const conf = '[server]\nserverport = 2\nmax_retry_delay = 7\n[main]\nserverport = 1\nbindaddress = ::1\n'
    const given = installed({ 'webserver.conf': '\nwebserver: {\n  ssl-port: 3\n}\n' }, conf)
    const of = (more: Readonly<Record<string, string>>) => {
      const source = { given: { ...given, ...more }, runMode: 'server' } as const
      return [loadSettings(source).serverport, getSettingOrigins(source).serverport.replace(given['confdir']!, '')]
    }
    expect(of({})).toEqual([3, '/conf.d/webserver.conf:3'])
    expect(of({ serverport: '4' })).toEqual([4, 'command line'])
    expect(of({ server_config: '' })).toEqual([2, `[server] of /puppet.conf`])
    expect(loadSettings({ given, runMode: 'agent' }).serverport).toBe(1)
    const origins = getSettingOrigins({ given, runMode: 'server' })
    expect([origins.bindaddress, origins.ca_ttl]).toEqual([`[main] of ${given['confdir']}/puppet.conf`, 'default'])
  })

  it('takes auth.conf from the file that has its rules', () => {
    const given = installed({ 'rules.conf': 'authorization: { version: 1, rules: [] }' })
    expect(loadSettings({ given, runMode: 'server' }).auth_conf).toBe(join(given['server_config']!, 'rules.conf'))
  })

  it('says unknown keys with the place and the nearest name, and each without effect with the reason', () => {
    const given = installed({
      'a.conf': 'webserver: {\n  ssl-prot: 1\n  access-log-config: x\n}\nwebsrever: { a: 1, b: 2 }\n',
      'metrics.conf': 'metrics: { server-id: x, registries: { a: 1 } }',
      'old.ini': '[jetty]\n',
    })
    expect(remarksOn(given)).toEqual([
      [
        'Unknown setting webserver.ssl-prot of Puppet Server is ignored (file: conf.d/a.conf, line: 2, column: 3)',
        "Did you mean 'webserver.ssl-port'?",
      ],
      [
        expect.stringMatching(/^webserver.access-log-config has no effect: .* access_log and access_log_form/),
        undefined,
      ],
      [expect.stringMatching(/^Unknown setting websrever of Puppet Server is ignored/), "Did you mean 'webserver'?"],
      [expect.stringMatching(/^metrics.registries has no effect/), undefined],
      [expect.stringMatching(/^conf.d\/old.ini is ignored/), undefined],
    ])
  })

  it('gives no reason that speaks of a setting of ours that is not there', () => {
    const meanings = Object.values(serverKeys).flatMap((section) =>
      'without' in section || 'setting' in section ? [section as KeyMeaning] : Object.values(section),
    )
    const named = meanings.flatMap((meaning) =>
      'without' in meaning ? (meaning.without.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []) : [meaning.setting],
    )
    const others = ['environment_classes']
    expect(named.filter((name) => !Object.hasOwn(settingDefinitions, name) && !others.includes(name))).toEqual([])
    expect(named.length).toBeGreaterThan(20)
  })

  it.each<[name: string, files: Readonly<Record<string, string>>, message: RegExp]>([
    [
      'a value twice',
      { 'a.conf': 'webserver.ssl-port: 1', 'b.conf': 'webserver { ssl-port: 1 }' },
      /set twice.*a\.conf:1.*b\.conf, line: 1/,
    ],
    ['what is no HOCON', { 'a.conf': 'webserver: {' }, /Expected '}' .*a\.conf, line: 1/],
    ['an include', { 'a.conf': 'include "/etc/shadow"' }, /include is not supported/],
    ['a list for a word', { 'a.conf': 'webserver.ssl-port: [1]' }, /webserver\.ssl-port must be a string.*line: 1/],
    [
      'a wrong value',
      { 'a.conf': '\nwebserver.ssl-port: x' },
      /Cannot convert '"x"' to an integer for parameter: serverport .*a\.conf, line: 2/,
    ],
  ])('refuses %s, with the place', (_, files, message) => {
    const given = installed(files)
    const load = () => loadSettings({ given, runMode: 'server' })
    expect(load).toThrow(PuppetError)
    expect(load).toThrow(message)
    expect(() => loadSettings({ given, runMode: 'agent' })).not.toThrow()
  })

  it('is found below /etc/puppetlabs when called by Puppet’s names, whose confdir it may move', () => {
    const env = { HOME: '/nobody', PLUMB_FOLDERS: 'puppet' }
    expect(loadSettings({ env }).server_config).toMatch(/puppetlabs\/(etc\/)?puppetserver\/conf\.d$/)
    const given = installed({ 'puppetserver.conf': 'jruby-puppet.server-conf-dir: /elsewhere' })
    const { confdir, ...others } = given
    expect(loadSettings({ given: others, env, runMode: 'server' }).confdir).toBe('/elsewhere')
    expect(loadSettings({ given, env, runMode: 'server' }).confdir).toBe(confdir)
  })

  it('named by a puppet.conf does not lead away from that puppet.conf', () => {
    const { confdir = '', server_config } = installed({
      'puppetserver.conf': 'jruby-puppet.server-conf-dir: /elsewhere',
    })
    writeFileSync(join(confdir, 'puppet.conf'), `[main]\nserver_config = ${server_config}\nca_ttl = 3d\n`)
    const settings = loadSettings({ env: { HOME: '/x', PLUMB_CONFDIR: confdir }, runMode: 'server' })
    expect([settings.confdir, settings.ca_ttl]).toEqual([confdir, 3 * 86400])
  })

  const ofDebian = '/etc/puppet/puppetserver/conf.d'
  it.skipIf(!existsSync(ofDebian))('of Debian’s package is known key by key (needs Puppet Server)', () => {
    const folder = scratchFolder('server-conf')
    cpSync(ofDebian, join(folder, 'conf.d'), { recursive: true })
    const given = { server_config: join(folder, 'conf.d') }
    const env = { HOME: folder, PLUMB_FOLDERS: 'puppet' }
    const settings = loadSettings({ given, env, runMode: 'server' })
    expect([settings.vardir, settings.codedir]).toEqual(['/var/lib/puppetserver', '/etc/puppet/code'])
    expect(settings.auth_conf).toBe(join(folder, 'conf.d/auth.conf'))
    expect(listServerConfWarnings({ given, env }).filter(({ code }) => code === 'SERVER_CONF_UNKNOWN')).toEqual([])
  })
})
