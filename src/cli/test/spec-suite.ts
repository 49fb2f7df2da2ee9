import { existsSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatPublicSettings } from '../../machine/settings/public-settings.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { openGemDirectory } from '../../node/gems/configured-gems.ts'
import { runSuite, type SuiteOptions } from '../../workbench/spec/suite-run.ts'
import type { CommandInvocation } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import type { Option } from '../command/options.ts'
import { getFacterDbFolder } from '../facts/facts-db.ts'
import { updateReadRecord } from './read-record.ts'
import { suiteFolders, toRspecArguments } from './rspec-arguments.ts'

/** Options that only suites of rspec-puppet have. */
export const suiteOptions = [
  { flags: '-o, --out <file>', doc: 'File for the output of the format before it; may be repeated.', repeated: true },
  { flags: '-j, --jobs <n>', doc: 'Number of processes. Default: number of CPU cores.' },
  {
    flags: '-t, --tag <tag>',
    doc: "Run examples with this tag, or without it ('~slow'); may be repeated.",
    repeated: true,
  },
  { flags: '--fail-fast', doc: 'Stop after the first failure.' },
  { flags: '--seed <number>', doc: 'Run the examples in the random order of this seed.' },
  { flags: '-P, --pattern <glob>', doc: 'Run the files that match this pattern.' },
  { flags: '--example-timeout <seconds>', doc: 'End an example after this time.', default: '120' },
  {
    flags: '--ruby <program>',
    doc: "Ruby of the suite: a program, or 'built-in'. Default: ruby_path, or 'ruby' if RSpec is installed, or built-in.",
  },
  { flags: '--load-path <dir>', doc: "Directory for Ruby's load path; may be repeated.", repeated: true },
  { flags: '--facter-version <version>', doc: 'Facter version of the facts of on_supported_os.' },
  {
    flags: '--puppet-version <version>',
    doc: 'Version of Puppet that the suite sees. Default: the supported version.',
  },
] as const satisfies readonly Option[]

/** Options that suites share with test manifests. */
export const sharedTestOptions = [
  {
    flags: '-f, --format <name>',
    doc: 'Output format: progress, documentation, json, junit, or the class of an RSpec formatter; may be repeated. Default: the format in .rspec, or progress.',
    repeated: true,
  },
  {
    flags: '-e, --example <text>',
    doc: 'Run tests whose description contains this text; may be repeated.',
    repeated: true,
  },
  {
    flags: '--gem-path <dir>',
    doc: 'Directory with installed gems, such as vendor/bundle/ruby/3.1.0; may be repeated.',
    repeated: true,
  },
] as const satisfies readonly Option[]

const issues = defineIssues({
  BAD_COUNT: {
    text: (a: { option: string; value: string }) =>
      `Invalid value '${a.value}' for ${a.option}: expected a positive number`,
  },
})

/** True if a folder contains a suite of rspec-puppet. */
export function hasSuite(folder: string): boolean {
  return suiteFolders.some((name) => statSync(resolve(folder, 'spec', name), { throwIfNoEntry: false })?.isDirectory())
}

type SuiteInvocation = CommandInvocation<readonly [...typeof suiteOptions, ...typeof sharedTestOptions]>

/** Runs the suite in a folder. Returns RSpec's exit status. Throws SUITE_…, BAD_COUNT, OUT_WITHOUT_FORMAT. */
export async function runSpecSuite(
  folder: string,
  paths: readonly string[],
  { options, settings: given, io }: Pick<SuiteInvocation, 'options' | 'settings' | 'io'>,
  settings: Settings,
  recordsReads = false,
): Promise<number> {
  const { example, tag, failFast, pattern } = options
  // The examples of a filter read less than the whole file.
  const isWhole = (example ?? tag ?? failFast ?? pattern) === undefined && !paths.some((path) => /[:[]/.test(path))
  let reads: string | undefined
  const began = Date.now()
  const gems = openGemDirectory(settings).path
  const status = await runSuite({
    takeReads: recordsReads ? (lines) => (reads = lines) : undefined,
    folder,
    arguments: toRspecArguments(paths, options, (path) => existsSync(resolve(folder, path))),
    jobs: parseCount('--jobs', options.jobs) ?? availableParallelism(),
    ...chooseRuby(options.ruby ?? settings.ruby_path),
    loadPath: (options.loadPath ?? []).map((path) => resolve(path)),
    gemPaths: [...(options.gemPath ?? []).map((path) => resolve(path)), gems, getFacterDbFolder(settings)],
    modulepath: given['modulepath'] === undefined ? [] : settings.modulepath,
    facterVersion: options.facterVersion,
    puppetVersion: options.puppetVersion,
    warn: (message) => printMessage('Warning', message, io),
    exampleTimeout: parseCount('--example-timeout', options.exampleTimeout)!,
    strict: settings.strict,
    certname: settings.certname,
    settings: formatPublicSettings(settings),
    rubyTimeout: settings.ruby_timeout,
    generators: settings.generators,
  })
  if (isWhole && reads !== undefined && status <= 1) await updateReadRecord(folder, { reads, began }, settings)
  return status
}

/** Chooses the Ruby by its program; without one, an installed Ruby is used if it has RSpec. */
function chooseRuby(program: string): Pick<SuiteOptions, 'ruby' | 'rubyKind'> {
  if (program === 'built-in') return { ruby: '', rubyKind: 'built-in' }
  return program === '' ? { ruby: 'ruby', rubyKind: 'any' } : { ruby: program, rubyKind: 'installed' }
}

function parseCount(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  return Number.isInteger(number) && number > 0 ? number : throwIssue(issues.BAD_COUNT, { option, value })
}
