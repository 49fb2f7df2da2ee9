import { fail } from '../../../base/issue.ts'
import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm, issues } from '../issues.ts'
import {
  anything,
  boolean,
  coercedBoolean,
  inspect,
  listOf,
  oneOf,
  parsedBy,
  plain,
  text,
  withAliases,
} from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** Options for the package manager: words, and hashes that become `key=value`. */
const options = parsedBy((value: Value): readonly string[] => {
  const flags = (each: unknown): string[] => {
    if (Array.isArray(each)) return each.flatMap(flags)
    if (typeof each === 'object' && each !== null)
      return Object.keys(each)
        .sort()
        .map((key) => `${key}=${String((each as Readonly<Record<string, unknown>>)[key])}`)
    return [String(each)]
  }
  return flags(plain(value))
})

const version = parsedBy((value: Value): string => {
  const given = String(plain(value))
  const valid = 'Valid values are present, absent, purged, disabled, latest. Valid values match /./.'
  return given === '' ? fail(issues.INVALID_VALUE, { value: inspect(given), valid }) : given
})

const readOnly = parameter(anything, 'A read-only parameter set by the package.')

const name = parsedBy((value: Value): string => {
  if (typeof value === 'string') return value
  return complainAboutForm(`Name must be a String not ${Array.isArray(value) ? 'Array' : typeof value}`)
})

/** Software packages. */
export const packageType = defineType('package', {
  doc: 'Manage packages.',
  features: {
    reinstallable: 'The provider can reinstall packages.',
    installable: 'The provider can install packages.',
    uninstallable: 'The provider can uninstall packages.',
    upgradeable: 'The provider can upgrade to the latest version of a package.',
    purgeable: 'The provider can purge packages.',
    versionable: 'The provider can read and select versions.',
    version_ranges: 'The provider can ensure version ranges.',
    holdable: 'The provider can hold packages back from upgrades.',
    install_only: 'The provider accepts options to only install packages, never update.',
    install_options: 'The provider accepts options for the installer.',
    uninstall_options: 'The provider accepts options for the uninstaller.',
    disableable: 'The provider can disable packages.',
    supports_flavors: 'The provider accepts flavors.',
    package_settings: 'The provider accepts package settings.',
    virtual_packages: 'The provider accepts virtual package names.',
    targetable: 'The provider accepts the command to manage packages with.',
  },
  attributes: {
    ensure: property(
      withAliases(version, { installed: 'present' }),
      'present, absent, purged, latest, disabled, or a version.',
      {
        default: 'present',
        valueNeeds: {
          present: undefined,
          absent: undefined,
          purged: 'purgeable',
          latest: 'upgradeable',
          disabled: 'disableable',
          '*': 'versionable',
        },
      },
    ),
    name: namevar(name, 'The name of the package.'),
    provider: parameter(anything, 'The backend.'),
    command: parameter(text, 'The command to manage the package with.', {
      needs: 'targetable',
    }),
    package_settings: property(anything, 'Settings of the package.', { needs: 'package_settings' }),
    flavor: property(text, 'The flavor of the package.', { needs: 'supports_flavors' }),
    source: parameter(text, 'The path or URL of the package file.'),
    instance: readOnly,
    status: readOnly,
    adminfile: parameter(text, 'A file with defaults for installing packages.'),
    responsefile: parameter(text, 'A file with answers to prompts of the package.'),
    configfiles: parameter(oneOf('keep', 'replace'), 'The handling of modified configuration files on an upgrade.', {
      default: 'keep',
    }),
    category: readOnly,
    platform: readOnly,
    root: readOnly,
    vendor: readOnly,
    description: readOnly,
    allowcdrom: parameter(oneOf('true', 'false'), 'If true, apt may use CD-ROM sources.'),
    enable_only: parameter(coercedBoolean, 'If true, a module is enabled but not installed.', { default: false }),
    install_only: parameter(boolean, 'If true, the package is only installed, never updated.', {
      default: false,
      needs: 'install_only',
    }),
    install_options: parameter({ ...options, list: true as const }, 'Options for the installer.', {
      needs: 'install_options',
    }),
    uninstall_options: parameter({ ...options, list: true as const }, 'Options for the uninstaller.', {
      needs: 'uninstall_options',
    }),
    allow_virtual: parameter(boolean, 'If true, names of virtual packages are accepted.', {
      default: (resource) => !['apt', 'aptitude', 'dpkg'].includes(resource.provider?.name ?? ''),
      needs: 'virtual_packages',
    }),
    reinstall_on_refresh: parameter(oneOf('true', 'false'), 'If true, a refresh reinstalls the package.', {
      default: 'false',
    }),
    mark: property(oneOf('hold', 'none'), '`hold` excludes the package from upgrades.', {
      needs: 'holdable',
    }),
  },
  identity(resource) {
    const { provider, name } = resource
    const command = provider?.features?.includes('targetable') ? (resource.get('command') ?? ':default') : undefined
    const symbol = provider && `:${provider.name}`
    return [command === ':default' ? command : inspect(command), inspect(name), symbol ?? 'nil']
  },
  autorequire: {
    file: (resource) => [
      resource.get('responsefile'),
      resource.get('adminfile'),
      resource.get('source')?.startsWith('/') ? resource.get('source') : undefined,
    ],
  },
  validate(resource) {
    const ensure = resource.get('ensure')
    if (resource.has('mark') && (ensure === 'absent' || ensure === 'purged'))
      complainAboutForm('You cannot use "mark" property while "ensure" is one of ["absent", "purged"]')
    if (ensure === 'disabled' && resource.has('flavor'))
      resource.failAttribute('flavor', 'Cannot have both `ensure => disabled` and `flavor`')
    if (ensure === 'disabled' && resource.given.has('enable_only'))
      resource.failAttribute('enable_only', 'Cannot have both `ensure => disabled` and `enable_only => true`')
    if (resource.get('enable_only') === true && resource.has('flavor'))
      resource.failAttribute('enable_only', 'Cannot have both `enable_only => true` and `flavor`')
  },
})

/** A package resource. */
export type PackageResource = ManagedResource<(typeof packageType)['attributes']>

/** Joins several lists of options. */
export const optionsOf = (
  resource: PackageResource,
  name: 'install_options' | 'uninstall_options',
): readonly string[] => listOf(text).parse([...(resource.get(name) ?? [])])
