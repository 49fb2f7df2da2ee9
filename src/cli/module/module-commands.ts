import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { getSystemErrorCode, isMissingFileError } from '../../base/system-error.ts'
import type { LogLevel } from '../../language/host.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { createConsoleLog, toLogLevel } from '../../node/agent/log.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import { createRubyOptions } from '../../node/agent/ruby/ruby-options.ts'
import { collectFacts } from '../../node/facts/collection.ts'
import { NodeRuby } from '../../ruby/node/node-ruby.ts'
import { extractSettings } from '../command/arguments.ts'
import type { Io } from '../command/command.ts'
import { findEnvironmentFolder } from '../input/code-source.ts'

/** A command defined by a module, with its summary. */
export interface ModuleCommand {
  readonly name: string
  readonly summary: string
}

/** True for a command defined by a module: `puppet/application/NAME.rb` in the plug-ins or in a module. */
export function isModuleCommand(name: string, words: readonly string[]): boolean {
  if (!/^[a-z]\w*$/.test(name)) return false
  const { settings: given } = extractSettings(words, new Set())
  return listCommandNames(listLibraries(loadSettings({ given, runMode: 'user' }))).includes(name)
}

/**
 * Lists the commands that modules define. Starts Ruby only if there are any. `given` contains the
 * settings of the command line.
 */
export async function listModuleCommands(
  given: Readonly<Record<string, string>>,
  io: Io,
): Promise<readonly ModuleCommand[]> {
  const settings = loadSettings({ given, runMode: 'user' })
  const names = listCommandNames(listLibraries(settings))
  if (names.length === 0) return []
  return withRuby(settings, io, 'warning', async (ruby) => {
    const summaries = checkJsonObject(
      parseJson(String(await ruby.call('summaries_of_commands', [JSON.stringify(names)]))),
      '',
    )
    return names.flatMap((name) => {
      const summary = summaries[name]
      return typeof summary === 'string' ? [{ name, summary }] : []
    })
  })
}

/** Runs the command of a module in Ruby, and returns its exit status. */
export async function runModuleCommand(name: string, given: readonly string[], io: Io): Promise<number> {
  const { words, settings: texts } = extractSettings(given, new Set())
  const own = words.filter((word) => !['--debug', '-d', '--verbose', '-v'].includes(word))
  const isDebug = words.includes('--debug') || words.includes('-d')
  const isVerbose = words.includes('--verbose') || words.includes('-v')
  const settings = loadSettings({ given: texts, runMode: 'user' })
  const least = isDebug ? 'debug' : isVerbose ? 'info' : settings.log_level
  return withRuby(settings, io, least, async (ruby) => {
    const order = JSON.stringify({ name, words: own })
    const { out, err, status } = checkJsonObject(
      parseJson(String(await ruby.call('run_command_of_module', [order]))),
      name,
    )
    io.out(String(out))
    io.err(String(err))
    return Number(status)
  })
}

async function withRuby<Result>(
  settings: Settings,
  io: Io,
  least: LogLevel,
  work: (ruby: NodeRuby) => Promise<Result>,
): Promise<Result> {
  requireTrustedFolders(settings)
  const facts = await collectFacts(localSystem, { factDirectories: [], legacy: true, log: () => {} })
  const log = createConsoleLog(io, least)
  const options = createRubyOptions({ settings, facts, loadPath: listLibraries(settings), debug: least === 'debug' })
  const ruby = new NodeRuby(options, ({ level, message }) => log[toLogLevel(level)](message))
  try {
    return await work(ruby)
  } finally {
    await ruby.close()
  }
}

/** Ruby load path: downloaded plug-ins, then the `lib` folders of modules in local directories. */
function listLibraries(settings: Settings): readonly string[] {
  const folder = settings.code_repo === '' ? findEnvironmentFolder(settings.environment, settings) : undefined
  const own = folder === undefined ? [] : [join(folder, 'modules')]
  const paths = settings.modulepath.length > 0 ? settings.modulepath : [...own, ...settings.basemodulepath]
  return [
    settings.plugindest,
    ...paths.flatMap((path) => listFolderEntries(path).map((name) => join(path, name, 'lib'))),
  ]
}

function listCommandNames(libraries: readonly string[]): readonly string[] {
  const files = libraries.flatMap((folder) => listFolderEntries(join(folder, 'puppet/application')))
  return [...new Set(files.flatMap((file) => /^([a-z]\w*)\.rb$/.exec(file)?.[1] ?? []))].sort()
}

function listFolderEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (isMissingFileError(error) || getSystemErrorCode(error) === 'ENOTDIR' || getSystemErrorCode(error) === 'EACCES')
      return []
    throw error
  }
}
