import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { startChildProcess } from '../../base/program/child-process.ts'
import { provideProgramFolder } from '../../base/program/program-files.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { runInterruptibly } from '../../machine/system/interruption.ts'
import { describeBuiltinTypes } from '../../node/agent/ruby/ruby-run.ts'
import { rubyBuildFolder } from '../../ruby/vm/distribution.ts'
import { runBuiltInSuite } from './built-in/built-in-suite.ts'
import { listModuleFolders } from './built-in/suite-disk.ts'
import { CompilerServer } from './compiler-server.ts'
import { linkModuleFixtures, readModuleFixtures, readModuleName } from './module-fixtures.ts'
import type { SpecSettings } from './spec-compiler.ts'

/** Options of a run. */
export interface SuiteOptions extends SpecSettings {
  /** The folder of the module. */
  readonly folder: string
  /** Arguments for RSpec. */
  readonly arguments: readonly string[]
  /** Number of compiler threads, and of Ruby processes. */
  readonly jobs: number
  /** Program of the installed Ruby. */
  readonly ruby: string
  /** The Ruby of the suite: an installed one, the built-in one, or the built-in one if no RSpec is installed. */
  readonly rubyKind: 'installed' | 'built-in' | 'any'
  /** Folders before Ruby's load path, such as those of gems without a gemspec. */
  readonly loadPath: readonly string[]
  /** Folders with installed gems. */
  readonly gemPaths: readonly string[]
  /** Folders with modules; empty for the ones that the suite sets. */
  readonly modulepath: readonly string[]
  /** Facter version of `on_supported_os`. */
  readonly facterVersion: string | undefined
  /** Limit for one example, in seconds. */
  readonly exampleTimeout: number
  /** Version of Puppet that the suite sees. */
  readonly puppetVersion: string | undefined
  readonly strict: string
  readonly certname: string
  /** Receives the text of the recorded reads at the end: lines of JSON, each a spec file and a path in the module. */
  readonly takeReads?: ((lines: string) => void) | undefined
  /** Prints a warning. */
  warn(message: string): void
}

const issues = defineIssues({
  SUITE_RUBY_MISSING: {
    text: (a: { program: string }) => `Could not start '${a.program}' as the Ruby of the suite`,
    hint: () => 'Install Ruby 3.1 or later, or set ruby_path to its program.',
  },
  SUITE_RSPEC_MISSING: {
    text: () => 'RSpec is not installed in the Ruby of the suite',
    hint: () =>
      "Run 'plumb gem install rspec', install the package ruby-rspec, or name the directory of a bundle with --gem-path.",
  },
  SUITE_ENDED: {
    text: (a: { how: string }) => `The Ruby process of the suite ended before the suite: ${a.how}`,
    hint: () => 'Run the suite with --jobs 1 and --format documentation to find the file.',
  },
  SUITE_LOAD_TIMEOUT: {
    text: (a: { seconds: number }) => `The spec files did not load within ${a.seconds} seconds`,
    hint: () => 'Look for an endless loop outside of examples, or raise --example-timeout.',
  },
})

/** Exit status of our Ruby code if RSpec is missing. */
const noRspecStatus = 97
/** Exit status of our Ruby code if the spec files do not load in time. */
const loadTimeoutStatus = 98

/** Options for error messages without suggestions, which our Ruby code for older versions does not expect. */
const plainMessages = ['--disable-did_you_mean', '--disable-error_highlight']
const specFolder = fileURLToPath(new URL('ruby', import.meta.url))
const nativeFolder = fileURLToPath(new URL('native-ruby', rubyBuildFolder))

/**
 * Runs a suite with our compiler in place of rspec-puppet. Returns the exit status of RSpec: 0, or 1 if an example failed;
 * after a signal, its exit status.
 * Throws SUITE_….
 */
export async function runSuite(options: SuiteOptions): Promise<number> {
  return runInterruptibly((signal) => runServedSuite(options, signal))
}

async function runServedSuite(options: SuiteOptions, signal: AbortSignal): Promise<number> {
  const { folder, jobs, settings, rubyTimeout, generators = [], modulepath: modules, warn } = options
  const module = options.takeReads && readModuleName(folder)
  const server = await CompilerServer.open(
    jobs,
    { settings, generators, ...(rubyTimeout !== undefined && { rubyTimeout }) },
    module,
  )
  try {
    signal.throwIfAborted()
    const own = dirname(server.path)
    const fixtures = join(own, 'modules')
    const modulepath = modules.length > 0 ? modules : [join(folder, 'spec', 'fixtures', 'modules')]
    const warning = linkModuleFixtures(readModuleFixtures(folder), fixtures, modulepath)
    if (warning !== undefined) warn(warning)
    const status = await runRuby(server, options, fixtures, modulepath, signal)
    if (existsSync(server.readsFile)) options.takeReads?.(readFileSync(server.readsFile, 'utf8'))
    return status
  } finally {
    await server.close()
  }
}

/** Runs the suite in the Ruby that the options name. Throws SUITE_…. */
async function runRuby(
  server: CompilerServer,
  options: SuiteOptions,
  fixtures: string,
  modulepath: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { folder, rubyKind, ruby, gemPaths, exampleTimeout: loadTimeout } = options
  const scratch = dirname(server.path)
  const prelude = join(provideProgramFolder(nativeFolder, join(scratch, 'native-ruby')), 'prelude')
  const rubyOptions = toRubyOptions(options, server.path, { fixtures, prelude })
  const installed = rubyKind === 'built-in' ? undefined : await runInstalledRuby(options, scratch, rubyOptions)
  if (typeof installed === 'number') return installed
  if (rubyKind === 'installed') {
    if (installed === 'no RSpec') throwIssue(issues.SUITE_RSPEC_MISSING, {})
    throwIssue(issues.SUITE_RUBY_MISSING, { program: ruby })
  }
  const files = {
    readable: [folder, ...options.loadPath.map(getGemFolder), ...listModuleFolders([...modulepath, fixtures])],
    writable: listReports(options.arguments, folder),
  }
  const status = await runBuiltInSuite({ server, folder, scratch, rubyOptions, gemPaths, files, loadTimeout, signal })
  return checkStatus(status === 'loadTimeout' ? loadTimeoutStatus : status, options)
}

/** Runs a suite in an installed Ruby. Returns the exit status, or what is missing. */
async function runInstalledRuby(
  options: SuiteOptions,
  scratch: string,
  rubyOptions: object,
): Promise<number | 'no Ruby' | 'no RSpec'> {
  const file = join(scratch, 'options.json')
  writeFileSync(file, JSON.stringify(rubyOptions), { mode: 0o600 })
  const startFile = join(provideProgramFolder(specFolder, join(scratch, 'spec/ruby')), 'start.rb')
  const child = startChildProcess(() =>
    spawn(options.ruby, [...plainMessages, startFile, file], { cwd: options.folder, stdio: 'inherit' }),
  )
  const end = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', end).on('SIGTERM', end)
  try {
    const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (status === noRspecStatus) return 'no RSpec'
    return checkStatus(status ?? throwIssue(issues.SUITE_ENDED, { how: `signal ${signal}` }), options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) return 'no Ruby'
    throw error
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}

/** Returns an exit status of RSpec. Throws for a status of our Ruby code. */
function checkStatus(status: number, { exampleTimeout }: SuiteOptions): number {
  if (status === noRspecStatus) throwIssue(issues.SUITE_RSPEC_MISSING, {})
  if (status === loadTimeoutStatus) throwIssue(issues.SUITE_LOAD_TIMEOUT, { seconds: exampleTimeout })
  return status
}

/** Returns the folder of the gem for a folder of the load path: gems have files beside `lib`. */
function getGemFolder(path: string): string {
  return basename(path) === 'lib' ? dirname(path) : path
}

/** Returns the files of `--out`, which RSpec writes. */
function listReports(words: readonly string[], folder: string): readonly string[] {
  return words.flatMap((word, index) => (words[index - 1] === '--out' ? [resolve(folder, word)] : []))
}

/** The options as the Ruby side reads them. */
function toRubyOptions(
  options: SuiteOptions,
  socket: string,
  folders: { readonly fixtures: string; readonly prelude: string },
): object {
  const { jobs, loadPath, gemPaths, modulepath, facterVersion, exampleTimeout, strict, certname } = options
  return {
    socket,
    recordsReads: options.takeReads !== undefined,
    puppetVersion: options.puppetVersion ?? puppetVersion,
    loadPath,
    gemPaths: gemPaths.filter((path) => existsSync(path)),
    modulepath,
    ...folders,
    facterVersion,
    jobs,
    timeout: exampleTimeout,
    arguments: options.arguments,
    settings: { ...options.settings, strict, certname },
    types: describeBuiltinTypes(),
  }
}
