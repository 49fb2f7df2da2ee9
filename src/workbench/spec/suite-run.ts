import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { puppetVersion } from '../../base/puppet-version.ts'
import { startChildProcess } from '../../base/threads/child-process.ts'
import { describeBuiltinTypes } from '../../node/agent/ruby/ruby-run.ts'
import { rubyBuildFolder } from '../../ruby/vm/distribution.ts'
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
const startFile = fileURLToPath(new URL('ruby/start.rb', import.meta.url))
const prelude = fileURLToPath(new URL('native-ruby/prelude', rubyBuildFolder))

/**
 * Runs a suite in an installed Ruby, with our compiler in place of rspec-puppet. Returns the exit status of RSpec: 0, or
 * 1 if an example failed. Throws SUITE_….
 */
export async function runSuite(options: SuiteOptions): Promise<number> {
  const { ruby, folder, jobs, settings, rubyTimeout, modulepath: modules, warn } = options
  const module = options.takeReads && readModuleName(folder)
  const server = await CompilerServer.open(
    jobs,
    { settings, ...(rubyTimeout !== undefined && { rubyTimeout }) },
    module,
  )
  try {
    const own = dirname(server.path)
    const fixtures = join(own, 'modules')
    const modulepath = modules.length > 0 ? modules : [join(folder, 'spec', 'fixtures', 'modules')]
    const warning = linkModuleFixtures(readModuleFixtures(folder), fixtures, modulepath)
    if (warning !== undefined) warn(warning)
    const file = join(own, 'options.json')
    writeFileSync(file, JSON.stringify(toRubyOptions(options, server.path, fixtures)), { mode: 0o600 })
    const child = startChildProcess(() =>
      spawn(ruby, [...plainMessages, startFile, file], { cwd: folder, stdio: 'inherit' }),
    )
    const status = await waitForSuite(child, options)
    if (existsSync(server.readsFile)) options.takeReads?.(readFileSync(server.readsFile, 'utf8'))
    return status
  } finally {
    await server.close()
  }
}

async function waitForSuite(child: ChildProcess, { ruby, exampleTimeout }: SuiteOptions): Promise<number> {
  const end = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', end).on('SIGTERM', end)
  try {
    const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (status === noRspecStatus) throwIssue(issues.SUITE_RSPEC_MISSING, {})
    if (status === loadTimeoutStatus) throwIssue(issues.SUITE_LOAD_TIMEOUT, { seconds: exampleTimeout })
    return status ?? throwIssue(issues.SUITE_ENDED, { how: `signal ${signal}` })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throwIssue(issues.SUITE_RUBY_MISSING, { program: ruby })
    throw error
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}

/** The options as the Ruby side reads them. */
function toRubyOptions(options: SuiteOptions, socket: string, fixtures: string): object {
  const { jobs, loadPath, gemPaths, modulepath, facterVersion, exampleTimeout, strict, certname } = options
  return {
    socket,
    recordsReads: options.takeReads !== undefined,
    prelude,
    puppetVersion: options.puppetVersion ?? puppetVersion,
    loadPath,
    gemPaths: gemPaths.filter((path) => existsSync(path)),
    modulepath,
    fixtures,
    facterVersion,
    jobs,
    timeout: exampleTimeout,
    arguments: options.arguments,
    settings: { ...options.settings, strict, certname },
    types: describeBuiltinTypes(),
  }
}
