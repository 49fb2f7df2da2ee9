import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { settingDefinitions } from '../../../src/machine/settings/definitions/index.ts'
import { unusedSettings } from '../../../src/machine/settings/definitions/unused.ts'
import { formatPublicSettings } from '../../../src/machine/settings/public-settings.ts'
import { parsePuppetConf } from '../../../src/machine/settings/puppet-conf.ts'
import { formatSetting, listSettingsWarnings, loadSettings } from '../../../src/machine/settings/settings.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

function confdirWith(text: string): string {
  const confdir = scratchFolder('settings')
  writeFileSync(join(confdir, 'puppet.conf'), text)
  return confdir
}

const failing = (work: () => unknown): PuppetError => {
  try {
    work()
  } catch (error) {
    if (error instanceof PuppetError) return error
    throw error
  }
  throw new Error('did not fail')
}

describe('loadSettings', () => {
  it('takes the command line before the section, the section before main, main before the default', () => {
    const confdir = confdirWith('[main]\nserver = main.test\nruninterval = 1h\n[agent]\nserver = agent.test\n')
    const env = { HOME: '/home/x', PLUMB_CONFDIR: confdir }
    expect(loadSettings({ env }).server).toBe('main.test')
    expect(loadSettings({ env, runMode: 'agent' }).server).toBe('agent.test')
    expect(loadSettings({ env, runMode: 'agent', given: { server: 'flag.test' } }).server).toBe('flag.test')
    expect(loadSettings({ env }).runinterval).toBe(3600)
    expect(loadSettings({ env }).serverport).toBe(8140)
  })

  it('fills in other settings, given ones too', () => {
    const settings = loadSettings({ given: { confdir: '/c', vardir: '/v', certname: 'n.test', ssldir: '/s' } })
    expect(settings.hostcert).toBe('/s/certs/n.test.pem')
    expect(settings.statedir).toBe('/v/state')
    expect(settings.ca_name).toBe('Puppet CA: n.test')
    expect(settings.splaylimit).toBe(1800)
    expect(formatSetting(settings, 'environmentpath')).toBe('/c/code/environments')
  })

  it('has commits seem to be in the same place for every server', () => {
    const given = { confdir: '/c', vardir: '/v', code_repo: '/srv/code.git' }
    expect(loadSettings({ given }).environmentpath).toEqual(['/etc/plumb/code/environments'])
    expect(loadSettings({ given: { ...given, environmentpath: '/e' } }).environmentpath).toEqual(['/e'])
  })

  it("takes masterport, Puppet's old name of serverport", () => {
    const env = {
      PLUMB_CONFDIR: confdirWith('[main]\nserverport = 1\ncertname = n.$masterport\n[agent]\nmasterport = 2\n'),
    }
    expect([loadSettings({ env }).serverport, loadSettings({ env }).certname]).toEqual([1, 'n.1'])
    expect(loadSettings({ env, runMode: 'agent' }).serverport).toBe(2)
    expect(listSettingsWarnings({ env })).toEqual([])
  })

  it.each([
    [{ runintervall: '1' }, "Could not find setting 'runintervall'", "Did you mean 'runinterval'?"],
    [{ runinterval: 'soon' }, `Invalid duration format '"soon"' for parameter: runinterval`, /to a duration such as/],
    [
      { strict: 'very' },
      "Could not initialize global default settings: Invalid value 'very' for parameter strict. Allowed values are 'off', 'warning', 'error'",
      /off, warning, error/,
    ],
    [{ noop: 'perhaps' }, `Invalid value '"perhaps"' for boolean parameter: noop`, /true or false/],
    [{ ssldir: '$certdir', certdir: '$ssldir' }, "Setting 'ssldir' refers to itself", undefined],
    [
      { config: '/nowhere/puppet.conf' },
      'Could not load /nowhere/puppet.conf: No such file or directory - /nowhere/puppet.conf',
      undefined,
    ],
  ])('refuses %j', (given, message, hint) => {
    const { diagnostic } = failing(() => loadSettings({ given: given as Record<string, string> }))
    expect(diagnostic.message).toBe(message)
    if (hint) expect(diagnostic.hint).toMatch(hint)
  })
})

describe('settingsWarnings', () => {
  it('names each unknown setting, its section, and the nearest one', () => {
    const confdir = confdirWith('certnam = a\n[agent]\nservr = puppet.test\nxyzzy = 1\nreport = false\n')
    const warnings = listSettingsWarnings({ given: { confdir }, env: {} })
    const file = join(confdir, 'puppet.conf')
    expect(warnings.map(({ severity, message, hint }) => [severity, message, hint])).toEqual([
      ['warning', `Unknown setting 'certnam' in section [main] of ${file} is ignored`, "Did you mean 'certname'?"],
      ['warning', `Unknown setting 'servr' in section [agent] of ${file} is ignored`, "Did you mean 'server'?"],
      ['warning', `Unknown setting 'xyzzy' in section [agent] of ${file} is ignored`, undefined],
    ])
  })

  it('leaves a file that cannot be read to who needs it', () => {
    expect(listSettingsWarnings({ given: { confdir: confdirWith('what is this\n') }, env: {} })).toEqual([])
    expect(listSettingsWarnings({ given: { confdir: '/nowhere' }, env: {} })).toEqual([])
  })
})

describe('parsePuppetConf', () => {
  it.each(['constructor', '__proto__'])('reads a section %s', (name) => {
    const sections = parsePuppetConf({ file: 'puppet.conf', text: `[${name}]\nserver = a.test\n` })
    expect([...sections.keys()]).toEqual(['main', name])
  })

  it('reads as Puppet does', () => {
    const sections = parsePuppetConf({
      file: 'puppet.conf',
      text: '# comment\ncertname = early.test\n[main]\n  server = "quoted.test"  \nvardir=/v # why\nca_server="a\n[master]\nautosign = true\n',
    })
    expect(sections.get('main')).toEqual(
      new Map([
        ['certname', 'early.test'],
        ['server', 'quoted.test'],
        ['vardir', '/v # why'],
        ['ca_server', 'a'],
      ]),
    )
    expect(sections.get('server')?.get('autosign')).toBe('true')
  })

  it('names the place of a line that makes no sense', () => {
    const error = failing(() => parsePuppetConf({ file: '/etc/puppet.conf', text: '[main]\nwhat is this\n' }))
    expect(error.message).toBe('Could not match line what is this (file: /etc/puppet.conf, line: 2, column: 1)')
  })
})

describe('publicSettings', () => {
  it.each([
    ['none, and nothing set', {}, 'puppetdb'],
    ['sqlite', { store: 'sqlite' }, 'puppetdb'],
    ['none, and memory set', { storeconfigs_backend: 'memory' }, 'memory'],
  ])('has the backend of exported resources that Puppet has: with the store %s', (_, given, expected) => {
    const confdir = confdirWith('')
    expect(formatPublicSettings(loadSettings({ given: { confdir, ...given } })).storeconfigs_backend).toBe(expected)
  })
})

describe('settings with passwords', () => {
  it('are hidden from code', () => {
    const url = 'postgresql://plumb:h7Kq@db.example.test/plumb'
    const given = { confdir: confdirWith(''), store: url, store_replicas: url, ca_store: url, ldappassword: 'h7Kq' }
    expect(JSON.stringify(formatPublicSettings(loadSettings({ given })))).not.toContain('h7Kq')
  })
})

describe('the table of settings', () => {
  it('has none that nothing reads', () => {
    const src = resolve(import.meta.dirname, '../../../src')
    const texts = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:ts|rb)$/.test(path))
      .map((path) => readFileSync(join(src, path), 'utf8'))
    const all = texts.join('\n')
    const readNames = Object.keys(settingDefinitions).filter((name) => !Object.hasOwn(unusedSettings, name))
    // Taken so that a puppet.conf of Puppet's has no unknown settings; there is nothing to be done about them.
    const takenOnly = ['disable_i18n', 'ignoremissingtypes']
    const unread = readNames.filter((name) => {
      const mentions = all.match(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g')) ?? []
      return mentions.length < 2
    })
    expect(unread).toEqual(takenOnly)
  })
})
