import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { Json } from '../../../base/json/json-checks.ts'
import { provideProgramFolder } from '../../../base/program/program-files.ts'
import { NoAnswerError } from '../../../base/threads/worker-thread.ts'
import { getProcessEnvironment } from '../../../ruby/node/environment-variables.ts'
import { loadDistributionSync, type RubyDistribution } from '../../../ruby/vm/distribution.ts'
import type { CompilerServer } from '../compiler-server.ts'
import type { SuiteFiles } from './suite-disk.ts'
import { SuiteRuby } from './suite-ruby.ts'
import { SuiteWorkers } from './suite-workers.ts'

/** A suite to run in the built-in Ruby. */
export interface BuiltInSuite {
  readonly server: CompilerServer
  /** The folder of the module. */
  readonly folder: string
  /** Existing folder for temporary files of the suite. */
  readonly scratch: string
  /** Options as the Ruby side reads them. */
  readonly rubyOptions: object
  /** Folders with installed gems. */
  readonly gemPaths: readonly string[]
  /** Files that the suite can read and, for reports, write. */
  readonly files: SuiteFiles
  /** Time for loading the spec files, in seconds. */
  readonly loadTimeout: number
  /** Ends the suite when aborted. */
  readonly signal: AbortSignal
}

const issues = defineIssues({
  SUITE_RUBY_FAILED: {
    text: (a: { reason: string }) => `The built-in Ruby ended before the suite: ${a.reason}`,
    hint: () => 'Install Ruby and RSpec to run suites that the built-in Ruby cannot run.',
  },
})

/** Folders in which Debian installs gems in pure Ruby. */
export const debianGemFolders = ['/usr/share/rubygems-integration/all'] as const

/** Folder of Debian's Ruby libraries. */
const debianLibraries = '/usr/lib/ruby/vendor_ruby'

const specFolder = fileURLToPath(new URL('../ruby', import.meta.url))
const startCode = "require 'plumb_spec/built_in/start'; nil"

/**
 * Runs a suite in the built-in Ruby: one Ruby loads the spec files, and copies of it in other threads run the examples.
 * Returns the exit status, or `loadTimeout` if the spec files do not load in time. Throws SUITE_RUBY_FAILED.
 */
export async function runBuiltInSuite(suite: BuiltInSuite): Promise<number | 'loadTimeout'> {
  const ruby = shareLibrary(loadDistributionSync('nodeSnapshot'))
  const rubyFolder = provideProgramFolder(specFolder, join(suite.scratch, 'spec/ruby'))
  const temporary = join(suite.scratch, 'tmp')
  mkdirSync(temporary)
  const gems = [...suite.gemPaths, ...debianGemFolders]
  const files = {
    readable: [...suite.files.readable, rubyFolder, debianLibraries, ...gems],
    writable: [...suite.files.writable, temporary],
  }
  const workers = new SuiteWorkers((answers) => new SuiteRuby(loaded ?? ruby, files, server.connectThread(), answers))
  const { server, signal } = suite
  let loaded: RubyDistribution | undefined
  const first = new SuiteRuby(ruby, files, server.connectThread(), workers.answers)
  const end = () => first.giveUp('it was interrupted')
  signal.addEventListener('abort', end)
  try {
    const status = await loadSuite(first, { ...suite, rubyFolder }, { GEM_PATH: gems.join(':'), TMPDIR: temporary })
    if (status !== null) return status
    loaded = { ...ruby, snapshot: await first.takeSnapshot() }
    signal.throwIfAborted()
    return Number(await first.call('run_suite', []))
  } catch (error) {
    return throwIssue(issues.SUITE_RUBY_FAILED, { reason: (error as Error).message })
  } finally {
    signal.removeEventListener('abort', end)
    await workers.close()
    await first.close()
  }
}

/** Loads the spec files. Returns an exit status if there is nothing to run. */
async function loadSuite(
  ruby: SuiteRuby,
  { folder, rubyFolder, rubyOptions, loadTimeout }: BuiltInSuite & { readonly rubyFolder: string },
  variables: Readonly<Record<string, string>>,
): Promise<number | 'loadTimeout' | null> {
  const begin: Json = {
    load_path: [join(rubyFolder, 'lib'), rubyFolder],
    libraries: [],
    env: { ...getProcessEnvironment(), ...variables },
    cwd: folder,
    debug: false,
  }
  await ruby.call('begin_node', [begin])
  await ruby.call('evaluate', [startCode, 'suite'])
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ruby.giveUp('the spec files did not load in time')
  }, loadTimeout * 1000)
  try {
    return (await ruby.call('load_suite', [JSON.stringify(rubyOptions)])) as number | null
  } catch (error) {
    if (isLate && error instanceof NoAnswerError) return 'loadTimeout'
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the same Ruby with its library in memory that threads share. */
function shareLibrary(ruby: RubyDistribution): RubyDistribution {
  const bytes = new Uint8Array(new SharedArrayBuffer(ruby.library.bytes.length))
  bytes.set(ruby.library.bytes)
  return { ...ruby, library: { ...ruby.library, bytes } }
}
