import { dirname, resolve } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { expandBraces } from '../../base/text/glob.ts'
import { defineBoolean, defineDuration, parseSetting } from '../../machine/settings/kinds.ts'
import { parsePuppetConf } from '../../machine/settings/puppet-conf.ts'
import { formatSetting, resolveSettingName, type Settings } from '../../machine/settings/settings.ts'

const issues = defineIssues({
  MODULEPATH_TOO_LONG: {
    text: (a: { count: number; bound: number }) =>
      `The modulepath has ${a.count} directories, which exceeds the limit of ${a.bound}`,
  },
  // Puppet: settings.rb, InterpolationError
  UNKNOWN_REFERENCE: {
    text: (a: { param: string; expression: string }) =>
      `Error converting value for param '${a.param}': Could not find value for ${a.expression}`,
  },
})

/** Settings of an environment.conf, with defaults filled in. */
export interface EnvironmentSettings {
  /** Entries as written, with `$basemodulepath` and other variables replaced. */
  readonly modulepath: readonly string[]
  /** A file or folder; a relative path starts at the environment's root. */
  readonly manifest: string
  readonly configVersion: string | undefined
  /** Seconds; `Infinity` for `unlimited`. */
  readonly environmentTimeout: number
  readonly staticCatalogs: boolean
  readonly richData: boolean
}

/** The default folder of manifests; it may be missing. */
export const standardManifest = 'manifests'

/** Names of the valid settings. Puppet: settings/environment_conf.rb. */
const known = [
  'modulepath',
  'manifest',
  'config_version',
  'environment_timeout',
  'environment_data_provider',
  'static_catalogs',
  'rich_data',
]

/**
 * Parses an environment.conf; `text` is `undefined` if the file is missing. Throws on invalid lines
 * or values, and warns about ignored settings in Puppet's words.
 */
export function readEnvironmentConf(
  { file, text }: { readonly file: string; readonly text: string | undefined },
  environment: string,
  settings: Settings,
): { readonly settings: EnvironmentSettings; readonly warnings: readonly string[] } {
  const sections = parsePuppetConf({ file, text: text ?? '' })
  const main = sections.get('main') ?? new Map<string, string>()
  const getValue = (name: string): string | undefined => {
    const given = main.get(name)
    return given === undefined ? undefined : interpolate(name, given, own.has(name) ? undefined : environment, settings)
  }
  const getFlag = (name: string, otherwise: boolean): boolean => {
    const given = getValue(name)
    // Puppet does not validate the flags in environment.conf, and treats an empty value as true.
    return given === undefined ? otherwise : given === '' || parseSetting({ name, text: given }, flag)
  }
  const lifetime = getValue('environment_timeout')
  return {
    settings: {
      modulepath: parseModulepath(getValue('modulepath')) ?? ['modules', ...settings.basemodulepath],
      manifest: getValue('manifest') ?? standardManifest,
      configVersion: getValue('config_version') || settings.config_version || undefined,
      environmentTimeout:
        lifetime === undefined
          ? settings.environment_timeout
          : parseSetting({ name: 'environment_timeout', text: lifetime }, timeout),
      staticCatalogs: getFlag('static_catalogs', settings.static_catalogs),
      richData: getFlag('rich_data', settings.rich_data),
    },
    warnings: [
      ...listIgnoredSettingWarnings(file, [...sections.keys()], [...main.keys()]),
      ...[...own].flatMap((name) => listInterpolationWarnings(name, getValue(name), dirname(file))),
    ],
  }
}

/**
 * Throws MODULEPATH_TOO_LONG, GLOB_TOO_LONG or GLOB_TOO_WIDE: a push with such settings is rejected
 * before a server loads its code.
 */
function parseModulepath(value: string | undefined): readonly string[] | undefined {
  const folders = value?.split(':').filter(Boolean)
  const { bound } = budgets.environment.moduleFolders
  if (folders && folders.length > bound) throwIssue(issues.MODULEPATH_TOO_LONG, { count: folders.length, bound })
  for (const folder of folders ?? []) expandBraces(folder)
  return folders
}

/**
 * Settings in which `$environment` is not replaced, since the location of code must not depend on
 * the environment's name.
 */
const own: ReadonlySet<string> = new Set(['modulepath', 'manifest'])

function listInterpolationWarnings(name: string, value: string | undefined, root: string): string[] {
  if (value === undefined || !/\$(environment\b|\{environment\})/.test(value)) return []
  const parts = name === 'modulepath' ? value.split(':') : [value]
  const shown = parts.map((part) => (part.startsWith('$') ? part : resolve(root, part))).join(':')
  return [
    `You cannot interpolate $environment within '${name}' when using directory environments. Its value will remain ${shown}.`,
  ]
}

const timeout = defineDuration({ doc: 'Cache lifetime of the environment.' })
const flag = defineBoolean({ doc: 'Whether.' })

function interpolate(param: string, value: string, environment: string | undefined, settings: Settings): string {
  return value.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? ''
    if (name === 'environment') return environment ?? whole
    const setting = resolveSettingName(name)
    return setting
      ? formatSetting(settings, setting)
      : throwIssue(issues.UNKNOWN_REFERENCE, { param, expression: whole })
  })
}

function listIgnoredSettingWarnings(file: string, sections: readonly string[], names: readonly string[]): string[] {
  const ignored = sections.filter((name) => name !== 'main')
  const unknown = names.filter((name) => !known.includes(name))
  const warnings: string[] = []
  if (ignored.length > 0)
    warnings.push(
      `Invalid sections in environment.conf at '${file}'. Environment conf may not have sections. The following sections are being ignored: '${ignored.join(',')}'`,
    )
  if (unknown.length > 0)
    warnings.push(
      `Invalid settings in environment.conf at '${file}'. The following unknown setting(s) are being ignored: ${unknown.join(', ')}`,
    )
  return warnings
}
