import { throwIssue } from '../../../base/issue.ts'
import { compareCodeUnits } from '../../../base/text/code-unit-order.ts'
import type { Value } from '../../../language/values/value.ts'
import {
  addAliases,
  anyKind,
  booleanKind,
  coercedBoolean,
  createEnumKind,
  createListKind,
  createParsedKind,
  inspectPlainValue,
  textKind,
  toPlainText,
  toPlainValue,
} from '../attribute-kinds.ts'
import { failWithFormError, failWithMessage, issues } from '../issues.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** Puts an option with spaces in double quotes, which are passed to the package manager (Puppet: parameter/package_options.rb). */
function quoteOption(option: string): string {
  return option.includes(' ') ? `"${option.replaceAll('"', '\\"')}"` : option
}

/** Options for the package manager: words, and hashes that become `key=value`, in the order of their keys. */
const options = createParsedKind((value: Value): readonly string[] =>
  [toPlainValue(value)].flat().flatMap((each) => {
    if (typeof each === 'string') return [quoteOption(each)]
    if (typeof each !== 'object' || each === null || Array.isArray(each) || each instanceof Uint8Array)
      return failWithFormError('Expected either a string or hash of options')
    return Object.entries(each)
      .map(([key, value]) => [quoteOption(key), quoteOption(String(value))] as const)
      .sort(([a], [b]) => compareCodeUnits(a, b))
      .map(([key, value]) => `${key}=${value}`)
  }),
)

const environment = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (!/^\w+=/.test(given)) failWithMessage(`Invalid environment setting '${given}'`)
  return given
})

const version = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  const valid = 'Valid values are present, absent, purged, disabled, latest. Valid values match /./.'
  return given === '' ? throwIssue(issues.INVALID_VALUE, { value: inspectPlainValue(given), valid }) : given
})

const readOnly = defineParameter(anyKind, 'A read-only parameter set by the package.')

const name = createParsedKind((value: Value): string => {
  if (typeof value === 'string') return value
  return failWithFormError(`Name must be a String not ${Array.isArray(value) ? 'Array' : typeof value}`)
})

/** The resource type `package`: software packages. */
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
    ensure: defineProperty(
      addAliases(version, { installed: 'present' }),
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
    name: defineNamevar(name, 'The name of the package.'),
    provider: defineParameter(anyKind, 'The backend.'),
    command: defineParameter(textKind, 'The command to manage the package with.', {
      needs: 'targetable',
    }),
    package_settings: defineProperty(anyKind, 'Settings of the package.', { needs: 'package_settings' }),
    flavor: defineProperty(textKind, 'The flavor of the package.', { needs: 'supports_flavors' }),
    source: defineParameter(textKind, 'The path or URL of the package file.'),
    instance: readOnly,
    status: readOnly,
    adminfile: defineParameter(textKind, 'A file with defaults for installing packages.'),
    responsefile: defineParameter(textKind, 'A file with answers to prompts of the package.'),
    configfiles: defineParameter(
      createEnumKind('keep', 'replace'),
      'The handling of modified configuration files on an upgrade.',
      {
        default: 'keep',
      },
    ),
    category: readOnly,
    platform: readOnly,
    root: readOnly,
    vendor: readOnly,
    description: readOnly,
    allowcdrom: defineParameter(createEnumKind('true', 'false'), 'If true, apt may use CD-ROM sources.'),
    enable_only: defineParameter(coercedBoolean, 'If true, a module is enabled but not installed.', { default: false }),
    install_only: defineParameter(booleanKind, 'If true, the package is only installed, never updated.', {
      default: false,
      needs: 'install_only',
    }),
    environment: defineParameter(
      createListKind(environment),
      'Environment variables of all package commands, as `NAME=value`.',
    ),
    install_options: defineParameter({ ...options, list: true as const }, 'Options for the installer.', {
      needs: 'install_options',
    }),
    uninstall_options: defineParameter({ ...options, list: true as const }, 'Options for the uninstaller.', {
      needs: 'uninstall_options',
    }),
    allow_virtual: defineParameter(booleanKind, 'If true, names of virtual packages are accepted.', {
      default: (resource) => !['apt', 'aptitude', 'dpkg'].includes(resource.provider?.name ?? ''),
      needs: 'virtual_packages',
    }),
    reinstall_on_refresh: defineParameter(
      createEnumKind('true', 'false'),
      'If true, a refresh reinstalls the package.',
      {
        default: 'false',
      },
    ),
    mark: defineProperty(createEnumKind('hold', 'none'), '`hold` excludes the package from upgrades.', {
      needs: 'holdable',
    }),
  },
  identity(resource) {
    const { provider, name } = resource
    const command = provider?.features?.includes('targetable') ? (resource.get('command') ?? ':default') : undefined
    const symbol = provider && `:${provider.name}`
    return [command === ':default' ? command : inspectPlainValue(command), inspectPlainValue(name), symbol ?? 'nil']
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
      failWithFormError('You cannot use "mark" property while "ensure" is one of ["absent", "purged"]')
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
