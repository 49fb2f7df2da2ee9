import { throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { formatFullName } from '../../node/gems/compact-index.ts'
import { openGemDirectory, openGemInstaller } from '../../node/gems/configured-gems.ts'
import { GemDirectory, type InstalledGem } from '../../node/gems/gem-directory.ts'
import type { InstallOptions } from '../../node/gems/gem-installation.ts'
import { uninstallGem } from '../../node/gems/gem-removal.ts'
import { parseRequirements } from '../../node/gems/gem-requirement.ts'
import { type CliCommand, type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { usageIssues } from '../command/usage-errors.ts'

const installDirOption = {
  flags: '-i, --install-dir <dir>',
  doc: 'Directory of gems; default: $vardir/gems.',
} as const satisfies Option

const versionOption = {
  flags: '--version <requirement>',
  doc: "Version of the gem, or bounds: '~> 1.2', '>= 1.0, < 2.0'.",
} as const satisfies Option

const installOptions = [
  versionOption,
  { flags: '--source <url>', doc: 'Gem server, instead of gem_sources; may be repeated.', repeated: true },
  installDirOption,
  { flags: '--local <file>', doc: 'Install the gem in this file; its dependencies must be installed.' },
  { flags: '--prerelease', doc: 'Accept prereleases.' },
  { flags: '--ignore-dependencies', doc: 'Install the gem without its dependencies.' },
  renderAs,
] as const

const uninstallOptions = [
  versionOption,
  { flags: '-a, --all', doc: 'Uninstall all versions of the gem.' },
  installDirOption,
  { flags: '--ignore-dependencies', doc: 'Uninstall the gem even if other gems require it.' },
  renderAs,
] as const

const listOptions = [installDirOption, renderAs] as const

/** The command `plumb gem`. */
export const gemCommand: CliCommand = {
  name: 'gem',
  summary: 'Install, list and uninstall gems for Ruby code on this node.',
  description: `Manages gems in pure Ruby in $vardir/gems, which Ruby code of modules can require. No Ruby is needed.

  plumb gem install toml-rb --version '~> 2.2'
  plumb gem list

Exits with 0, or with 1 for an error.`,
  commands: [
    defineCommand({
      name: 'install',
      summary: 'Install a gem and its dependencies.',
      description: `Installs the newest accepted version of a gem that supports Ruby 3.4, and its dependencies that are not installed yet.
Checksums are verified; an interrupted installation leaves no incomplete gem. Gems with C extensions are rejected.

  plumb gem install toml-rb
  plumb gem install toml-rb --version '~> 2.2' --source https://gems.example.com
  plumb gem install --local ./toml-rb-2.2.0.gem

Exits with 0, or with 1 if the gem was not installed.`,
      usage: '[name]',
      options: installOptions,
      run: runInstall,
    }),
    defineCommand({
      name: 'list',
      summary: 'List installed gems with their versions.',
      description: `Lists the gems in the directory, the newest version first.

  plumb gem list
  plumb gem list toml-rb --render-as json

Exits with 0.`,
      usage: '[name]',
      options: listOptions,
      run: runList,
    }),
    defineCommand({
      name: 'uninstall',
      summary: 'Uninstall a gem.',
      description: `Uninstalls one version of a gem, or all versions. A gem that another gem requires is not uninstalled.

  plumb gem uninstall toml-rb
  plumb gem uninstall toml-rb --version 2.2.0

Exits with 0, or with 1 if the gem was not uninstalled.`,
      usage: '<name>',
      options: uninstallOptions,
      run: runUninstall,
    }),
  ],
}

async function runInstall(invocation: CommandInvocation<typeof installOptions>): Promise<number> {
  const { args, options, settings: given, io } = invocation
  const [name] = args
  if (name === undefined && options.local === undefined)
    throwIssue(usageIssues.MISSING_ARGUMENT, { option: 'plumb gem install <name>' })
  const settings = loadSettings({ given, runMode: 'user' })
  const isJson = options.renderAs === 'json'
  const order: InstallOptions = {
    ...(options.version !== undefined && { requirements: parseRequirements(options.version) }),
    prerelease: options.prerelease === true,
    ignoresDependencies: options.ignoreDependencies === true,
    fetching: (file) => isJson || io.out(`Fetching ${file}\n`),
  }
  const sources = options.local === undefined ? options.source : []
  const installer = openGemInstaller(settings, openDirectory(invocation), sources)
  try {
    const installed =
      options.local === undefined
        ? await installer.install(name!, order)
        : await installer.installFile(options.local, order)
    if (isJson) printJson(installed, io)
    else {
      for (const gem of installed) io.out(`Successfully installed ${formatFullName(gem)}\n`)
      io.out(`${formatQuantity(installed.length, 'gem')} installed\n`)
    }
    return 0
  } finally {
    await installer.close()
  }
}

async function runList(invocation: CommandInvocation<typeof listOptions>): Promise<number> {
  const { args, options, io } = invocation
  const gems = (await openDirectory(invocation).list()).filter(({ name }) => args[0] === undefined || name === args[0])
  if (options.renderAs === 'json') printJson(gems, io)
  else
    for (const name of new Set(gems.map((each) => each.name))) {
      const versions = gems.filter((each) => each.name === name).map(({ version }) => version)
      io.out(`${toPrintable(name)} (${versions.map(toPrintable).join(', ')})\n`)
    }
  return 0
}

async function runUninstall(invocation: CommandInvocation<typeof uninstallOptions>): Promise<number> {
  const { args, options, io } = invocation
  const removed = await uninstallGem(openDirectory(invocation), args[0]!, {
    ...(options.version !== undefined && { version: options.version }),
    all: options.all === true,
    ignoresDependencies: options.ignoreDependencies === true,
  })
  if (options.renderAs === 'json') printJson(removed, io)
  else for (const gem of removed) io.out(`Successfully uninstalled ${formatFullName(gem)}\n`)
  return 0
}

function openDirectory({
  options,
  settings,
}: Pick<CommandInvocation<readonly [typeof installDirOption]>, 'options' | 'settings'>): GemDirectory {
  if (options.installDir !== undefined) return new GemDirectory(options.installDir)
  return openGemDirectory(loadSettings({ given: settings, runMode: 'user' }))
}

function printJson(gems: readonly InstalledGem[], io: Io): void {
  const shown = gems.map(({ name, version, platform, dependencies }) => ({ name, version, platform, dependencies }))
  io.out(`${JSON.stringify(shown, undefined, 2)}\n`)
}
