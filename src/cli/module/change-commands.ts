import { existsSync } from 'node:fs'
import { toPrintable } from '../../base/text/printable.ts'
import { InstalledModules } from '../../deploy/module-tool/installed-modules.ts'
import { listChangedFiles } from '../../deploy/module-tool/module-checksums.ts'
import {
  type InstalledRelease,
  type InstallResult,
  installModule,
  upgradeModule,
} from '../../deploy/module-tool/module-installation.ts'
import { uninstallModule } from '../../deploy/module-tool/module-removal.ts'
import { defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import {
  findModuleRoot,
  ignoreChangesOption,
  ignoreDependenciesOption,
  offlineOption,
  printNotice,
  readModulePlaces,
  targetDirOption,
  withModuleTool,
} from './module-context.ts'
import { type Branch, formatTree } from './tree-text.ts'

/** The command `plumb module install`. */
export const installCommand = defineCommand({
  name: 'install',
  summary: 'Install a module from the Forge or from an archive, with its dependencies.',
  description: `Installs the newest release of a module that meets the dependencies of the installed modules, and missing dependencies.
Checksums are verified; an interrupted installation leaves no incomplete module. Installed dependencies stay unchanged if
they are sufficient, otherwise they are upgraded within their major version. Modules of a Git-backed environment are
installed by its Puppetfile instead.

  plumb module install puppetlabs-ntp
  plumb module install puppetlabs-ntp --version '>= 9.0.0 < 11.0.0' --environment test
  plumb module install pkg/acme-web-1.2.0.tar.gz --target-dir /etc/puppetlabs/code/modules
  plumb module install puppetlabs-ntp --module_repository https://forge.example.com
  plumb module install puppetlabs-ntp --offline      # from earlier downloads

Exits with 0, or with 1 if the module was not installed.`,
  usage: '<name>',
  options: [
    { flags: '-f, --force', doc: 'Replace an installed module. Implies --ignore-dependencies.' },
    targetDirOption,
    ignoreDependenciesOption,
    offlineOption,
    // biome-ignore format: one line
    { flags: '--version <requirement>', doc: "Version of the module, or a range: '1.2.3', '>= 1.0.0 < 2.0.0', '2.x'. Default: the newest." },
    renderAs,
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    const isJson = options.renderAs === 'json'
    const places = await readModulePlaces(invocation)
    const target = places.modulepath[0]!
    printNotice(`Preparing to install into ${target} ...`, io, isJson)
    const request = {
      ...{ name: args[0]!, version: options.version, force: options.force === true },
      ignoresDependencies: options.ignoreDependencies === true,
    }
    const result = await withModuleTool(invocation, places, (context) => installModule(context, request, target))
    printInstallResult(result, io, isJson)
    return 0
  },
})

/** The command `plumb module upgrade`. */
export const upgradeCommand = defineCommand({
  name: 'upgrade',
  summary: 'Upgrade an installed module, with its dependencies.',
  description: `Replaces a module by its newest release that meets the dependencies of the other installed modules. These are upgraded if
necessary, within their major version.

  plumb module upgrade puppetlabs-ntp
  plumb module upgrade puppetlabs-ntp --version 9.2.1

Exits with 0, also if there is no newer release, or with 1 if the module was not upgraded.`,
  usage: '<name>',
  options: [
    {
      flags: '-f, --force',
      doc: 'Upgrade a changed module, also against the dependencies. Implies --ignore-dependencies.',
    },
    ignoreDependenciesOption,
    ignoreChangesOption,
    offlineOption,
    { flags: '--version <requirement>', doc: 'Version of the module, or a range. Default: the newest.' },
    renderAs,
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    const isJson = options.renderAs === 'json'
    const name = args[0]!
    printNotice(`Preparing to upgrade '${name.replace('/', '-')}' ...`, io, isJson)
    const request = {
      ...{ name, version: options.version, force: options.force === true },
      ignoresDependencies: options.ignoreDependencies === true,
      ignoresChanges: options.ignoreChanges === true,
    }
    const places = await readModulePlaces({ ...invocation, options: {} })
    const result = await withModuleTool(invocation, places, (context) => upgradeModule(context, request))
    printInstallResult(result, io, isJson)
    return 0
  },
})

/** The command `plumb module uninstall`. */
export const uninstallCommand = defineCommand({
  name: 'uninstall',
  summary: 'Uninstall a module.',
  description: `Removes a module from the modulepath. A module with local changes, or that another module requires, is not removed.

  plumb module uninstall puppetlabs-ntp
  plumb module uninstall puppetlabs-ntp --version 9.2.1 --modulepath /etc/puppetlabs/code/modules

Exits with 0, or with 1 if the module was not removed.`,
  usage: '<name>',
  options: [
    { flags: '-f, --force', doc: 'Remove the module even if it is changed or required.' },
    ignoreChangesOption,
    { flags: '--version <requirement>', doc: 'Remove the module only if this version, or range, is installed.' },
    renderAs,
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    const { version } = options
    const isJson = options.renderAs === 'json'
    const name = args[0]!.replace('/', '-')
    const shown = version === undefined ? '' : ` (${formatPrefixed(version)})`
    printNotice(`Preparing to uninstall '${name}'${shown} ...`, io, isJson)
    const { modulepath } = await readModulePlaces({ ...invocation, options: {} })
    const installed = new InstalledModules(modulepath.filter((path) => existsSync(path)))
    const flags = { force: options.force === true, ignoresChanges: options.ignoreChanges === true }
    const removed = await uninstallModule(installed, { name, version, ...flags })
    if (isJson) {
      const { directory } = removed
      io.out(`${JSON.stringify({ name, version: removed.version ?? null, directory }, undefined, 2)}\n`)
    } else {
      const old = removed.version === undefined ? '' : ` (${formatPrefixed(removed.version)})`
      io.out(`${toPrintable(`Removed '${name}'${old} from ${removed.directory}`)}\n`)
    }
    return 0
  },
})

/** The command `plumb module changes`. */
export const changesCommand = defineCommand({
  name: 'changes',
  summary: 'List files of an installed module that were changed.',
  description: `Compares the files of a module with its checksums.json, or with the checksums in its metadata.json.

  plumb module changes /etc/puppetlabs/code/modules/ntp

Exits with 0, or with 1 if the module has no checksums.`,
  usage: '<path>',
  options: [renderAs],
  async run({ args, options, io }) {
    const changed = await listChangedFiles(findModuleRoot(args[0]!))
    if (options.renderAs === 'json') io.out(`${JSON.stringify(changed, undefined, 2)}\n`)
    else {
      if (changed.length === 0) printNotice('No modified files', io, false)
      else printMessage('Warning', `${changed.length} files modified`, io)
      io.out(`${changed.map(toPrintable).join('\n')}\n`)
    }
    return 0
  },
})

function printInstallResult(result: InstallResult, io: Io, isJson: boolean): void {
  if (isJson) {
    io.out(`${JSON.stringify(result, undefined, 2)}\n`)
    return
  }
  if (result.kind === 'unchanged') {
    const [first = '', ...rest] = result.message.split('\n')
    printNotice([first, ...rest.map((line) => `  ${line}`)].join('\n'), io, false)
    return
  }
  const lines = formatTree([toBranch(result.tree, result.directory, io.color)])
  io.out(`${toPrintable(result.directory)}\n${lines.map((line) => `${line}\n`).join('')}`)
}

function toBranch(release: InstalledRelease, base: string, color: boolean): Branch {
  const { name, version, previous, action, directory, dependencies } = release
  const versions = action === 'upgrade' ? `v${previous} -> v${version}` : `v${version}`
  const shown = color ? `\u001b[0;36m${versions}\u001b[0m` : versions
  const elsewhere = directory === base ? '' : ` [${toPrintable(directory)}]`
  return {
    text: `${name} (${shown})${elsewhere}`,
    below: dependencies.map((each) => toBranch(each, base, color)),
  }
}

function formatPrefixed(version: string): string {
  return /^\d/.test(version) ? `v${version}` : version
}
