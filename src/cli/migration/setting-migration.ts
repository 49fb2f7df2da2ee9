import { PuppetError } from '../../base/issue.ts'
import { settingDefinitions } from '../../machine/settings/definitions/index.ts'
import { parseSetting, type SettingDefinition } from '../../machine/settings/kinds.ts'
import { setConfValue } from '../../machine/settings/puppet-conf-editor.ts'
import { formatSetting, resolveSettingName, type SettingName, type Settings } from '../../machine/settings/settings.ts'
import type { PuppetServer } from './puppet-server.ts'

/** A setting of the Puppet Server, and the reason if it is not migrated. */
export interface MovedSetting {
  readonly section: string
  readonly name: string
  readonly value: string
  /** The source of the setting for messages, such as the path of puppet.conf. */
  readonly from: string
  /** The reason why the setting is not migrated; undefined for a migrated setting. */
  readonly left?: string
}

/** Settings with paths of the Puppet Server. Their files are copied to the paths of this server. */
const places: ReadonlySet<string> = new Set<SettingName>([
  'confdir',
  'vardir',
  'codedir',
  'rundir',
  'logdir',
  'statedir',
  'publicdir',
  'config',
  'environmentpath',
  'basemodulepath',
  'ssldir',
  'certdir',
  'privatekeydir',
  'publickeydir',
  'requestdir',
  'localcacert',
  'hostcrl',
  'hostcert',
  'hostprivkey',
  'hostpubkey',
  'hostcsr',
  'cadir',
  'server_config',
  'server_datadir',
  'reportdir',
  'bucketdir',
  'libdir',
  'plugindest',
  'pluginfactdest',
  'pidfile',
  'auth_conf',
  'route_file',
  'hiera_config',
  'trusted_oid_mapping_file',
  'csr_attributes',
  'deviceconfig',
])

/**
 * All configured settings of a Puppet Server, with a reason for each setting that is not migrated, then the settings
 * for the code.
 */
export function listMovedSettings(
  { settings, sections, serverConf }: PuppetServer,
  code: { readonly name: string; readonly value: string } | undefined,
): readonly MovedSetting[] {
  const written = [...sections].flatMap(([section, values]) =>
    [...values].map(([name, value]) => migrateSetting({ section, name, value, from: settings.config }, settings)),
  )
  const ofConfD = [...serverConf.values]
    .filter(([name]) => name !== 'auth_conf')
    .map(([name, { text, key, span }]) =>
      migrateSetting({ section: 'server', name, value: text, from: `${key} of ${span.source.file}` }, settings),
    )
  const isOfPuppetDb = ['storeconfigs_backend', 'reports', 'facts_terminus'].some((name) =>
    [...sections.values()].some((values) => /\bpuppetdb\b/.test(values.get(name) ?? '')),
  )
  const createSetting = (name: string, value: string, from: string, section = 'server') => ({
    section,
    name,
    value,
    from,
  })
  const ignored = serverConf.ignored.map(({ key, value, reason, file }) => ({
    ...{ section: 'conf.d', name: key, value, from: file, left: reason },
  }))
  return [
    ...written.filter(({ name }) => name !== 'certname'),
    createSetting('certname', settings.certname, settings.config, 'main'),
    ...ofConfD,
    ...ignored,
    ...(isOfPuppetDb ? [createSetting('store', 'puppetdb', 'puppetdb.conf')] : []),
    ...(code ? [createSetting(code.name, code.value, 'the code')] : []),
  ]
}

function migrateSetting(given: MovedSetting, settings: Settings): MovedSetting {
  const name = resolveSettingName(given.name)
  if (name === undefined) return { ...given, left: 'unknown setting' }
  if (places.has(name)) return { ...given, left: 'path of the Puppet Server; this server uses its own' }
  if (name === 'autosign' && isAutosignFile(settings.autosign)) return { ...given, left: 'the file is copied' }
  // Resolve references to other settings with the values of the Puppet Server.
  const value = given.value.includes('$') ? formatSetting(settings, name) : given.value
  try {
    parseSetting({ name, text: value }, settingDefinitions[name] as SettingDefinition<unknown>)
  } catch (error) {
    if (error instanceof PuppetError) return { ...given, left: error.message }
    throw error
  }
  return { ...given, name, value }
}

/** True for an autosign.conf, which is copied; an autosign program is not. */
export function isAutosignFile(autosign: string): boolean {
  return autosign.startsWith('/') && autosign.endsWith('autosign.conf')
}

/** Adds the migrated settings to the text of a puppet.conf. */
export function addMigratedSettings(text: string, all: readonly MovedSetting[]): string {
  return all
    .filter(({ left }) => left === undefined)
    .reduce((conf, { section, name, value }) => setConfValue(conf, section, name, value), text)
}
