import { PuppetError } from '../../base/issue.ts'
import { definitions } from '../../machine/settings/definitions/index.ts'
import { setInConf } from '../../machine/settings/edit-conf.ts'
import { type Definition, parseSetting } from '../../machine/settings/kinds.ts'
import { printSetting, type SettingName, type Settings, settingNamed } from '../../machine/settings/settings.ts'
import type { PuppetServer } from './puppet-server.ts'

/** A setting of the Puppet Server, and the reason if it is not migrated. */
export interface MovedSetting {
  readonly section: string
  readonly name: string
  readonly value: string
  /** The source of the setting. */
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
export function movedSettings(
  { settings, sections, serverConf }: PuppetServer,
  code: { readonly name: string; readonly value: string } | undefined,
): readonly MovedSetting[] {
  const written = [...sections].flatMap(([section, values]) =>
    [...values].map(([name, value]) => moved({ section, name, value, from: settings.config }, settings)),
  )
  const ofConfD = [...serverConf.values]
    .filter(([name]) => name !== 'auth_conf')
    .map(([name, { text, key, span }]) =>
      moved({ section: 'server', name, value: text, from: `${key} of ${span.source.file}` }, settings),
    )
  const isOfPuppetDb = ['storeconfigs_backend', 'reports', 'facts_terminus'].some((name) =>
    [...sections.values()].some((values) => /\bpuppetdb\b/.test(values.get(name) ?? '')),
  )
  const named = (name: string, value: string, from: string, section = 'server') => ({ section, name, value, from })
  const ignored = serverConf.ignored.map(({ key, value, reason, file }) => ({
    ...{ section: 'conf.d', name: key, value, from: file, left: reason },
  }))
  return [
    ...written.filter(({ name }) => name !== 'certname'),
    named('certname', settings.certname, settings.config, 'main'),
    ...ofConfD,
    ...ignored,
    ...(isOfPuppetDb ? [named('store', 'puppetdb', 'puppetdb.conf')] : []),
    ...(code ? [named(code.name, code.value, 'the code')] : []),
  ]
}

function moved(given: MovedSetting, settings: Settings): MovedSetting {
  const name = settingNamed(given.name)
  if (name === undefined) return { ...given, left: 'unknown setting' }
  if (places.has(name)) return { ...given, left: 'path of the Puppet Server; this server uses its own' }
  if (name === 'autosign' && isAutosignFile(settings.autosign)) return { ...given, left: 'the file is copied' }
  // Resolve references to other settings with the values of the Puppet Server.
  const value = given.value.includes('$') ? printSetting(settings, name) : given.value
  try {
    parseSetting({ name, text: value }, definitions[name] as Definition<unknown>)
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
export function withSettings(text: string, all: readonly MovedSetting[]): string {
  return all
    .filter(({ left }) => left === undefined)
    .reduce((conf, { section, name, value }) => setInConf(conf, section, name, value), text)
}
