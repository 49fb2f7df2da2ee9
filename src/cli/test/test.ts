import { defineIssues, throwIssue } from '../../base/issue.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import {
  countResults,
  formatFailures,
  formatJUnit,
  formatSummary,
  formatTestName,
  isFailed,
  toRspecJson,
} from '../../workbench/manifest-tests/test-report.ts'
import type { TestResult } from '../../workbench/manifest-tests/test-suite.ts'
import { defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { runFleetSurvey } from './fleet-survey.ts'
import { listGemFolders, listTestManifests, runManifestTests } from './manifest-tests.ts'

const issues = defineIssues({
  NO_TESTS: {
    text: (a: { paths: readonly string[] }) => `No tests found in ${a.paths.join(', ')}`,
    hint: () => 'Test manifests have names that end with _test.pp.',
  },
})

/** The command `plumb test`. */
export const testCommand = defineCommand({
  name: 'test',
  summary: 'Test modules and control repositories.',
  description: `Runs the tests in files whose names end with _test.pp, of the current directory or of the given files and
directories. A test compiles a catalog from the code in its block, once for each operating system in metadata.json whose
facts FacterDB contains, and checks the expectations about the catalog. Other modules are those of --modulepath and
spec/fixtures/modules. Exits with 0, or with 1 if a test failed or none was found.

  # manifests/init_test.pp
  test('serves the time') || {
    class { 'ntp': servers => ['ntp.example.com'] }
    expect_resource(File['/etc/ntp.conf'], { content => /server ntp.example.com/ })
    expect_order(Package['ntp'], File['/etc/ntp.conf'], Service['ntp'])
  }

  plumb test
  plumb test manifests/init_test.pp --example 'serves' --format documentation
  plumb test --update                      # write the golden catalogs of expect_catalog()
  plumb test --facts fleet                 # compile each class with the facts of all systems and nodes`,
  usage: '[paths...]',
  options: [
    {
      flags: '-f, --format <format>',
      doc: 'Output format: progress, documentation, json (as of RSpec) or junit.',
      choices: ['progress', 'documentation', 'json', 'junit'],
      default: 'progress',
    },
    { flags: '-e, --example <text>', doc: 'Run only tests whose name contains this text.' },
    { flags: '--update', doc: 'Write the golden catalogs instead of comparing them.' },
    {
      flags: '--facts <facts>',
      doc: 'Instead of tests, compile each class with the facts of all systems in FacterDB and all nodes in the store: fleet.',
      choices: ['fleet'],
    },
    renderAs,
    { flags: '--gem-path <dir>', doc: 'Directory of gems that contains facterdb; may be repeated.', repeated: true },
  ],
  async run({ args, options, settings: given, io }) {
    const settings = loadSettings({ given, runMode: 'user' })
    const paths = args.length === 0 ? ['.'] : args
    const gemFolders = listGemFolders(settings, options.gemPath)
    if (options.facts === 'fleet')
      return runFleetSurvey(paths[0]!, { gemFolders, asJson: options.renderAs === 'json' }, settings, io)
    const files = listTestManifests(paths)
    if (files.length === 0) throwIssue(issues.NO_TESTS, { paths })
    const { format, example: only, update: isUpdated = false } = options
    const results: TestResult[] = []
    const began = performance.now()
    await runManifestTests(files, { only, isUpdated, gemFolders }, settings, (result) => {
      results.push(result)
      if (format === 'progress') io.out(isFailed(result) ? 'F' : '.')
      if (format === 'documentation') io.out(`${isFailed(result) ? 'FAILED' : 'ok'} ${formatTestName(result)}\n`)
    })
    const counts = countResults(results, (performance.now() - began) / 1000)
    if (format === 'json') io.out(`${JSON.stringify(toRspecJson(results, counts))}\n`)
    else if (format === 'junit') io.out(formatJUnit(results, counts))
    else io.out(`\n${formatFailures(results)}${formatSummary(counts)}`)
    return counts.failures > 0 || counts.tests === 0 ? 1 : 0
  },
})
