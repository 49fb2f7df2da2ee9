import { defineIssues } from '../../base/issue.ts'
import { truncateForDisplay as shorten } from '../../machine/archive/issues.ts'

type Action = 'install' | 'upgrade' | 'uninstall'

/** A version as in messages of Puppet's module tool: with `v` before a digit. */
export function formatModuleVersion(version: string | undefined): string {
  const text = version ?? '???'
  return /^\d/.test(text) ? `v${text}` : text
}

/** The versions of a request: `v1.0.0`, or for an upgrade `v1.0.0 -> v2.0.0`. */
interface Versions {
  readonly action: Action
  readonly requested: string | undefined
  readonly installed?: string | undefined
}

function formatVersions({ action, requested, installed }: Versions): string {
  if (action === 'upgrade') return `${formatModuleVersion(installed)} -> ${formatModuleVersion(requested)}`
  return formatModuleVersion(installed ?? requested)
}

/** An installed module in a message. */
export interface ShownModule {
  readonly name: string
  readonly version: string | undefined
  /** Folder of the module path that contains the module. */
  readonly folder: string
}

/** Errors of `plumb module`; the messages are those of `plumb module`. Lines after the first are indented when printed. */
export const moduleToolIssues = defineIssues({
  MODULE_TOO_MANY_DEPENDENCIES: {
    text: (a: { name: string; most: number; what: string }) =>
      `The dependencies of '${a.name}' have more than ${a.most} ${a.what}`,
    hint: () => 'Install only this module: --ignore-dependencies.',
  },
  MODULE_SEARCH_TOO_LONG: {
    text: (a: { name: string; most: number }) =>
      `Found no versions that meet all dependencies of '${a.name}' in ${a.most} steps`,
    hint: () => 'Give a version with --version, or install only this module: --ignore-dependencies.',
  },
  MODULE_NAME_INVALID: {
    text: (a: { name: string; action: Action }) =>
      [
        `Could not ${a.action} module '${shorten(a.name)}'`,
        `The name '${shorten(a.name)}' is invalid`,
        `  Did you mean \`plumb module ${a.action} puppetlabs-${shorten(a.name)}\`?`,
      ].join('\n'),
  },
  MODULE_SLUG_INVALID: {
    text: (a: { name: string }) => `'${shorten(a.name)}' is not a valid module name`,
    hint: () => 'Give the full name: OWNER-NAME.',
  },
  MODULE_RANGE_INVALID: {
    text: (a: { range: string }) => `Unparsable version range: "${shorten(a.range)}"`,
    hint: () => "Give a version or a range: '1.2.3', '>= 1.0.0 < 2.0.0', '2.x'.",
  },
  MODULE_ALREADY_INSTALLED: {
    text: (a: { name: string; requested: string; installed: string | undefined; isChanged: boolean }) =>
      [
        `Could not install module '${a.name}' (${formatModuleVersion(a.requested)})`,
        `Module '${a.name}' (${formatModuleVersion(a.installed)}) is already installed`,
        ...(a.isChanged ? ['  Installed module has had changes made locally'] : []),
        '  Use `plumb module upgrade` to install a different version',
        '  Use `plumb module install --force` to re-install only this module',
      ].join('\n'),
  },
  MODULE_NO_CANDIDATE: {
    text: (a: Versions & { name: string; source: string }) =>
      [
        `Could not ${a.action} '${a.name}' (${formatVersions(a)})`,
        ...(a.requested === 'latest'
          ? [`No releases are available from ${a.source}`, `  Does '${a.name}' have at least one published release?`]
          : [`No releases matching '${a.requested}' are available from ${a.source}`]),
      ].join('\n'),
  },
  MODULE_NO_SOLUTION: {
    text: (a: Versions & { name: string; reasons: readonly string[] }) =>
      [
        `Could not ${a.action} module '${a.name}' (${formatVersions(a)})`,
        ...(a.reasons.length > 0
          ? [
              'The requested version cannot satisfy one or more of the following installed modules:',
              ...a.reasons.map((reason) => `  ${reason}`),
              '',
            ]
          : ['The requested version cannot satisfy all dependencies']),
        a.action === 'install'
          ? `Use \`plumb module install '${a.name}' --ignore-dependencies\` to install only this module`
          : `Use \`plumb module upgrade '${a.name}' --ignore-dependencies\` to upgrade only this module`,
      ].join('\n'),
  },
  MODULE_CONFLICT: {
    text: (a: {
      name: string
      requested: string
      dependency: { readonly name: string; readonly version: string } | undefined
      folder: string
      current: { readonly name: string; readonly version: string | undefined } | undefined
    }) =>
      [
        `Could not install module '${a.name}' (${formatModuleVersion(a.requested)})`,
        a.dependency
          ? `Dependency '${a.dependency.name}' (${formatModuleVersion(a.dependency.version)}) would overwrite ${a.folder}`
          : `Installation would overwrite ${a.folder}`,
        ...(a.current
          ? [
              `  Currently, '${a.current.name}' (${formatModuleVersion(a.current.version)}) is installed to that directory`,
            ]
          : []),
        a.dependency
          ? '  Use `plumb module install --ignore-dependencies` to install only this module'
          : '  Use `plumb module install --force` to install this module anyway',
      ].join('\n'),
  },
  MODULE_NOT_INSTALLED: {
    text: (a: { name: string; action: Action; suggestions: readonly string[] }) =>
      [
        `Could not ${a.action} module '${shorten(a.name)}'`,
        `Module '${shorten(a.name)}' is not installed`,
        ...a.suggestions.map((each) => `  You may have meant \`plumb module ${a.action} ${each}\``),
        ...(a.action === 'upgrade' ? ['  Use `plumb module install` to install this module'] : []),
      ].join('\n'),
  },
  MODULE_TWICE: {
    text: (a: { name: string; action: Action; modules: readonly ShownModule[] }) =>
      [
        `Could not ${a.action} module '${a.name}'`,
        `Module '${a.name}' appears multiple places in the module path`,
        ...a.modules.map(
          ({ version, folder }) => `  '${a.name}' (${formatModuleVersion(version)}) was found in ${folder}`,
        ),
        '  Use the `--modulepath` option to limit the search to specific directories',
      ].join('\n'),
  },
  MODULE_LOCAL_CHANGES: {
    text: (a: Versions & { name: string }) =>
      [
        `Could not ${a.action} module '${a.name}' (${formatVersions(a)})`,
        'Installed module has had changes made locally',
        a.action === 'upgrade'
          ? '  Use `plumb module upgrade --ignore-changes` to upgrade this module anyway'
          : '  Use `plumb module uninstall --ignore-changes` to uninstall this module anyway',
      ].join('\n'),
  },
  MODULE_NO_NEWER: {
    text: (a: {
      name: string
      requested: string
      installed: string
      newer: number
      possibleCulprits: readonly string[]
    }) => {
      const versions = formatVersions({ action: 'upgrade', ...a })
      return [
        `Could not upgrade module '${a.name}' (${versions})`,
        ...(a.newer === 0
          ? [`The installed version is already the latest version matching ${versions}`]
          : [
              `There are ${a.newer} newer versions`,
              '  No combination of dependency upgrades would satisfy all dependencies',
              ...(a.possibleCulprits.length === 0
                ? []
                : [
                    '  Dependencies will not be automatically upgraded across major versions',
                    '  Upgrading one or more of these modules may permit the upgrade to succeed:',
                    ...a.possibleCulprits.map((each) => `  - ${each}`),
                  ]),
            ]),
        '  Use `plumb module upgrade --force` to upgrade only this module',
      ].join('\n')
    },
  },
  MODULE_DOWNGRADE: {
    text: (a: { name: string; requested: string; installed: string }) =>
      [
        `Could not upgrade module '${a.name}' (${formatVersions({ action: 'upgrade', ...a })})`,
        'Downgrading is not allowed.',
      ].join('\n'),
  },
  MODULE_NO_VERSION_MATCHES: {
    text: (a: { name: string; range: string; modules: readonly ShownModule[] }) =>
      [
        `Could not uninstall module '${a.name}' (${formatModuleVersion(a.range)})`,
        `No installed version of '${a.name}' matches (${formatModuleVersion(a.range)})`,
        ...a.modules.map(
          ({ version, folder }) => `  '${a.name}' (${formatModuleVersion(version)}) is installed in ${folder}`,
        ),
      ].join('\n'),
  },
  MODULE_REQUIRED: {
    text: (a: {
      name: string
      requested: string | undefined
      installed: string | undefined
      requiredBy: readonly { readonly name: string; readonly version: string | undefined; readonly range: string }[]
    }) =>
      [
        `Could not uninstall module '${a.name}'${a.requested === undefined ? '' : ` (v${a.requested})`}`,
        `Other installed modules have dependencies on '${a.name}' (${formatModuleVersion(a.installed)})`,
        ...a.requiredBy.map(
          (each) =>
            `  '${each.name}' (${formatModuleVersion(each.version)}) requires '${a.name}' (${formatModuleVersion(each.range)})`,
        ),
        '  Use `plumb module uninstall --force` to uninstall this module anyway',
      ].join('\n'),
  },
  MODULE_NOT_CACHED: {
    text: (a: { names: readonly string[]; folder: string }) =>
      `No release of ${a.names.join(', ')} has been downloaded to ${a.folder}`,
    hint: () => 'Run the command once without --offline.',
  },
  MODULE_NO_ROOT: {
    text: (a: { path: string }) => `Could not find a valid module at "${shorten(a.path)}"`,
    hint: () => 'Give a directory with a metadata.json, or a directory in it.',
  },
  MODULE_NO_CHECKSUMS: {
    text: (_: object) => 'No file containing checksums found.',
    hint: () => 'Only modules with a checksums.json can be compared with their release.',
  },
  MODULE_TARGET_BLOCKED: {
    text: (a: { name: string; requested: string; folder: string; why: 'not a directory' | 'permission' }) =>
      [
        `Could not install module '${a.name}' (${a.requested})`,
        ...(a.why === 'permission'
          ? [
              `Permission is denied when trying to create directory '${a.folder}'.`,
              'A potential solution is to check the ownership and permissions of parent directories.',
            ]
          : [
              `Path '${a.folder}' exists but is not a directory.`,
              `A potential solution is to rename the path and then "mkdir -p '${a.folder}'"`,
            ]),
      ].join('\n'),
  },
  MODULE_IN_REPOSITORY: {
    text: (a: { repository: string }) => `The modules of ${a.repository} are those of its commits`,
    hint: () => 'Add the module to the Puppetfile of the control repository, or name a directory with --target-dir.',
  },
  MODULE_EXISTS: {
    text: (a: { folder: string }) => `The directory ${shorten(a.folder)} already exists`,
    hint: () => 'Give another directory with --target-dir, or remove this one.',
  },
  PACKAGE_LINK: {
    text: (a: { path: string; target: string }) =>
      `Symlinks in modules are not allowed: ${shorten(a.path)} -> ${shorten(a.target)}`,
    hint: () => 'Replace the symlink by its file, or exclude it with a pattern in .pdkignore.',
  },
  PACKAGE_PATH: {
    text: (a: { path: string; why: string }) => `The path ${shorten(a.path)} cannot be packed: ${a.why}`,
    hint: () => 'Rename the file, or exclude it with a pattern in .pdkignore.',
  },
  PACKAGE_TOO_LARGE: {
    text: (a: { most: number; what: string }) => `The module has more than ${a.most} ${a.what}`,
    hint: () => 'Exclude files with patterns in .pdkignore.',
  },
  MODULE_METADATA_INVALID: {
    text: (a: { file: string; why: string }) => `${shorten(a.file)} is not valid: ${shorten(a.why)}`,
    hint: () => 'Run `plumb module check` to list all problems.',
  },
})
