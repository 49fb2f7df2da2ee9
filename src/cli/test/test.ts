import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { runInterruptibly } from '../../machine/system/interruption.ts'
import { requireOutputPath } from '../../machine/system/writable-file.ts'
import { findRootAbove, findTestRoot } from '../../workbench/manifest-tests/test-code.ts'
import {
  countResults,
  formatFailures,
  formatJUnit,
  formatSummary,
  formatTestName,
  isFailed,
  type TestCounts,
  toRspecJson,
} from '../../workbench/manifest-tests/test-report.ts'
import type { TestResult } from '../../workbench/manifest-tests/test-suite.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { printError } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'
import { onTerminationSignal } from '../command/termination-signals.ts'
import { listChangedFiles } from './changed-files.ts'
import { prepareFixtures } from './fixtures.ts'
import { runFleetSurvey } from './fleet-survey.ts'
import { listGemFolders, listTestManifests, runManifestTests } from './manifest-tests.ts'
import { hasSuite, runSpecSuite, sharedTestOptions, suiteOptions } from './spec-suite.ts'
import { selectChangedTests, type TestSelection } from './test-selection.ts'
import { FileChanges } from './watch.ts'

const testOptions = [
  ...sharedTestOptions,
  ...suiteOptions,
  { flags: '-w, --watch', doc: 'Run tests again when files change that they read.' },
  {
    flags: '--only-changed <ref>',
    doc: 'Run only tests that read files which differ from this commit, or which changed since the last such run.',
  },
  { flags: '--offline', doc: 'Use only fixtures that are in the cache.' },
  { flags: '--update-fixtures', doc: 'Resolve the versions of all fixtures again, and write .fixtures.lock.' },
  { flags: '--update', doc: 'Write the golden catalogs of test manifests instead of comparing them.' },
  {
    flags: '--facts <facts>',
    doc: 'Instead of tests, compile each class with the facts of all systems in FacterDB and all nodes in the store: fleet.',
    choices: ['fleet'],
  },
  renderAs,
] as const satisfies readonly Option[]

const issues = defineIssues({
  NO_TESTS: {
    text: (a: { paths: readonly string[] }) => `No tests found in ${a.paths.join(', ')}`,
    hint: () => 'Tests are suites of rspec-puppet in the directory spec, and files whose names end with _test.pp.',
  },
  TEST_OPTION: {
    text: (a: { option: string }) => `--${a.option} is an option of rspec-puppet suites; test manifests do not have it`,
    hint: () => "Run 'plumb test spec'.",
  },
  TEST_FORMAT: {
    text: (a: { format: string }) =>
      a.format === '' ? '--out needs a --format of its own' : `Unknown format '${a.format}' of test manifests`,
    hint: (a) => formatSuggestion(a.format, formats) ?? `Formats: ${formats.join(', ')}.`,
  },
  TEST_KINDS: {
    text: (a: { format: string }) => `The format ${a.format} cannot contain both kinds of tests of this directory`,
    hint: () => "Run 'plumb test spec' and 'plumb test manifests'.",
  },
})

/** The command `plumb test`. */
export const testCommand = defineCommand({
  name: 'test',
  summary: 'Run the tests of a module or a control repository.',
  description: `Runs two kinds of tests, of the current directory or of the given files and directories:

- suites of rspec-puppet in spec/, unchanged, with the compiler of this program in place of Puppet's. RSpec runs in the
  installed Ruby (ruby_path, or 'ruby'), or without one in the built-in Ruby ('plumb gem install rspec'); rspec-puppet,
  puppetlabs_spec_helper, voxpupuli-test and rspec-puppet-facts need not be installed. on_supported_os reads the gem
  facterdb ('plumb facts db update'). Examples are distributed to several processes.
- test manifests, files whose names end with _test.pp, which need no Ruby: code for a node and expectations about its
  catalog, once for each system in metadata.json whose facts FacterDB contains.

  # manifests/init_test.pp
  test('serves the time') || {
    class { 'ntp': servers => ['ntp.example.com'] }
    expect_resource(File['/etc/ntp.conf'], { content => /server ntp.example.com/ })
    expect_order(Package['ntp'], File['/etc/ntp.conf'], Service['ntp'])
  }

The output has the form of RSpec's. Modules are those in spec/fixtures/modules, or those of --modulepath. Exits with
0, or with 1 if a test failed or none was found.

  plumb test
  plumb test spec/classes/init_spec.rb:42 --format documentation
  plumb test spec --format progress --format junit --out results.xml
  plumb test manifests/init_test.pp --example 'serves'
  plumb test manifests --update            # write the golden catalogs of expect_catalog()
  plumb test --watch                       # run again what a change affects
  plumb test --only-changed main           # run what differs from the branch main
  plumb test --facts fleet                 # compile each class with the facts of all systems and nodes`,
  usage: '[paths...]',
  options: testOptions,
  run: runTests,
})

type TestInvocation = CommandInvocation<typeof testOptions>

async function runTests(invocation: TestInvocation): Promise<number> {
  const { args, options, settings: given, io } = invocation
  const settings = loadSettings({ given, runMode: 'user' })
  if (options.facts === 'fleet') {
    const survey = { gemFolders: listGemFolders(settings, options.gemPath), asJson: options.renderAs === 'json' }
    return runFleetSurvey(args[0] ?? '.', survey, settings, io)
  }
  const specs = args.filter(isSpecPath)
  const isSuite = specs.length > 0 || options.pattern !== undefined || (args.length === 0 && hasSuite('.'))
  const others = args.length === 0 && options.pattern === undefined ? ['.'] : args.filter((path) => !isSpecPath(path))
  // Other folders, such as a home, are not searched for tests.
  const isSearched = args.length > 0 || findRootAbove('.') !== undefined
  const manifests = isSearched ? listTestManifests(others) : []
  if (!isSuite && manifests.length === 0) throwIssue(issues.NO_TESTS, { paths: others })
  const { tag, seed, jobs, failFast } = options
  const [unused] = Object.entries({ tag, seed, jobs, 'fail-fast': failFast }).filter(([, value]) => value !== undefined)
  if (!isSuite && unused) throwIssue(issues.TEST_OPTION, { option: unused[0] })
  const machineFormat = options.format?.find((name) => name !== 'progress' && name !== 'documentation')
  if (isSuite && manifests.length > 0 && machineFormat !== undefined)
    throwIssue(issues.TEST_KINDS, { format: machineFormat })
  const selection = { isSuite, specs, manifests }
  await prepareAllFixtures(selection, invocation, settings)
  if (options.watch === true) return watchTests(selection, invocation, settings)
  const { onlyChanged } = options
  const changed = onlyChanged === undefined ? undefined : await listChangedFiles(process.cwd(), onlyChanged)
  return runSelection(selectChangedTests(selection, changed, settings, io), invocation, settings)
}

async function prepareAllFixtures(
  { isSuite, manifests }: TestSelection,
  { options, settings: given, io }: TestInvocation,
  settings: Settings,
): Promise<void> {
  const { offline: isOffline = false, updateFixtures: isUpdated = false } = options
  const modulepath = given['modulepath'] === undefined ? [] : settings.modulepath
  for (const root of new Set([...(isSuite ? [process.cwd()] : []), ...manifests.map(findTestRoot)]))
    await prepareFixtures(root, { isUpdated, isOffline, modulepath }, settings, io)
}

async function runSelection(
  { isSuite, specs, manifests }: TestSelection,
  invocation: TestInvocation,
  settings: Settings,
): Promise<number> {
  if (!isSuite && manifests.length === 0) invocation.io.err('The changes affect no test\n')
  const { watch = false, onlyChanged } = invocation.options
  const records = watch || onlyChanged !== undefined
  const status = isSuite ? await runSpecSuite(process.cwd(), specs, invocation, settings, records) : 0
  return manifests.length > 0 ? Math.max(status, await printManifestTests(manifests, invocation, settings)) : status
}

/** Runs the tests, and again those that changes of files affect, until a signal. Returns the status of the last run. */
async function watchTests(selection: TestSelection, invocation: TestInvocation, settings: Settings): Promise<number> {
  const { io, options } = invocation
  const stop = new AbortController()
  onTerminationSignal(() => stop.abort())
  const changes = new FileChanges(process.cwd(), stop.signal)
  const written = new Set(options.out?.map((path) => relative('.', path)))
  let status = 0
  let changed: readonly string[] | undefined
  while (!stop.signal.aborted) {
    try {
      const found = await runSelection(selectChangedTests(selection, changed, settings, io), invocation, settings)
      if (!stop.signal.aborted) status = found
    } catch (error) {
      if (stop.signal.aborted) break
      printError(error, io)
      status = 1
    }
    do {
      if (!stop.signal.aborted) io.err('Waiting for changes\n')
      changed = (await changes.next())?.filter((path) => !written.has(path))
    } while (changed?.length === 0 && !stop.signal.aborted)
  }
  return status
}

/** True for a path of a suite of rspec-puppet, also with lines (`init_spec.rb:42`) or ids (`init_spec.rb[1:2]`). */
function isSpecPath(path: string): boolean {
  const [file = ''] = path.split(/[:[]/, 1)
  return file.endsWith('.rb') || (existsSync(file) && /(?:^|\/)spec(?:\/|$)/.test(file) && !file.endsWith('.pp'))
}

/** Runs test manifests and prints their results. Returns 1 if a test failed, otherwise 0. */
async function printManifestTests(
  files: readonly string[],
  { options, io }: TestInvocation,
  settings: Settings,
): Promise<number> {
  const outputs = listOutputs(options)
  const format = outputs.find(({ file }) => file === undefined)?.format
  const { example: only = [], update: isUpdated = false } = options
  const gemFolders = listGemFolders(settings, options.gemPath)
  const results: TestResult[] = []
  const began = performance.now()
  const take = (result: TestResult) => {
    results.push(result)
    if (format === 'progress') io.out(isFailed(result) ? 'F' : '.')
    if (format === 'documentation') io.out(`${isFailed(result) ? 'FAILED' : 'ok'} ${formatTestName(result)}\n`)
  }
  for (const { file } of outputs) if (file !== undefined) await requireOutputPath(file)
  const interrupted = await runInterruptibly((signal) =>
    runManifestTests(files, { only, isUpdated, gemFolders, signal }, settings, take),
  )
  if (interrupted !== undefined) return interrupted
  const counts = countResults(results, (performance.now() - began) / 1000)
  for (const output of outputs) {
    const report = formatReport(output.format, results, counts)
    if (output.file !== undefined) await localFiles.write(output.file, report, reportMode)
    else io.out(report)
  }
  return counts.failures > 0 || counts.tests === 0 ? 1 : 0
}

/** Permissions of a report, which build servers read. */
const reportMode = 0o644

/** An output of test manifests: a format, and a file for it; undefined for standard output. */
interface TestOutput {
  readonly format: string
  readonly file: string | undefined
}

const formats = ['progress', 'documentation', 'json', 'junit']

/**
 * Pairs formats with files as RSpec does for its own: the files belong to the last formats. Throws TEST_FORMAT.
 */
function listOutputs({ format = ['progress'], out = [] }: TestInvocation['options']): readonly TestOutput[] {
  const unknown = format.find((name) => !formats.includes(name))
  if (unknown !== undefined) throwIssue(issues.TEST_FORMAT, { format: unknown })
  if (out.length > format.length) throwIssue(issues.TEST_FORMAT, { format: '' })
  const printed = format.length - out.length
  return format.map((name, at) => ({ format: name, file: at < printed ? undefined : out[at - printed] }))
}

function formatReport(format: string, results: readonly TestResult[], counts: TestCounts): string {
  if (format === 'json') return `${JSON.stringify(toRspecJson(results, counts))}\n`
  if (format === 'junit') return formatJUnit(results, counts)
  return `\n${formatFailures(results)}${formatSummary(counts)}`
}
