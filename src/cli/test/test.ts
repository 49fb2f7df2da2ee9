import { existsSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatPublicSettings } from '../../machine/settings/public-settings.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { openGemDirectory } from '../../node/gems/configured-gems.ts'
import { runSuite } from '../../workbench/spec/suite-run.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import type { Option } from '../command/options.ts'
import { toRspecArguments } from './rspec-arguments.ts'

const testOptions = [
  {
    flags: '-f, --format <name>',
    doc: 'Output format: progress, documentation, json, junit, or the class of a formatter; may be repeated. Default: the format in .rspec, or progress.',
    repeated: true,
  },
  { flags: '-o, --out <file>', doc: 'File for the output of the format before it; may be repeated.', repeated: true },
  { flags: '-j, --jobs <n>', doc: 'Number of processes. Default: number of CPU cores.' },
  {
    flags: '-e, --example <text>',
    doc: 'Run examples whose description contains this text; may be repeated.',
    repeated: true,
  },
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
    flags: '--gem-path <dir>',
    doc: 'Directory with installed gems, such as vendor/bundle/ruby/3.1.0; may be repeated.',
    repeated: true,
  },
  { flags: '--load-path <dir>', doc: "Directory for Ruby's load path; may be repeated.", repeated: true },
  { flags: '--facter-version <version>', doc: 'Facter version of the facts of on_supported_os.' },
  {
    flags: '--puppet-version <version>',
    doc: 'Version of Puppet that the suite sees. Default: the supported version.',
  },
] as const satisfies readonly Option[]

const issues = defineIssues({
  NO_SUITE: {
    text: (a: { folder: string }) => `Could not find a suite: ${a.folder} does not contain the directory spec`,
    hint: () => 'Run the command in the directory of a module.',
  },
  BAD_COUNT: {
    text: (a: { option: string; value: string }) =>
      `Invalid value '${a.value}' for ${a.option}: expected a positive number`,
  },
})

/** The command `plumb test`. */
export const testCommand = defineCommand({
  name: 'test',
  summary: 'Run the rspec-puppet suite of a module.',
  description: `Runs the suite in spec/ unchanged, with the compiler of this program in place of Puppet's: classes, defined
types, hosts, functions, types and type aliases. RSpec runs in the installed Ruby (ruby_path, or 'ruby');
rspec-puppet, puppetlabs_spec_helper, voxpupuli-test and rspec-puppet-facts need not be installed.
on_supported_os reads the gem facterdb.

Files are distributed to several processes. The output and the exit code are RSpec's: 0, or 1 if an example failed.
Modules are those in spec/fixtures/modules, or those of --modulepath.

  plumb test
  plumb test spec/classes/init_spec.rb
  plumb test spec/classes/init_spec.rb:42
  plumb test --format documentation --jobs 4
  plumb test --format progress --format junit --out results.xml
  plumb test --example 'on debian-12' --modulepath ../modules`,
  usage: '[paths...]',
  options: testOptions,
  run: runTest,
})

async function runTest({ args, options, settings: given, io }: CommandInvocation<typeof testOptions>): Promise<number> {
  const settings = loadSettings({ given, runMode: 'user' })
  const folder = process.cwd()
  if (!statSync(resolve(folder, 'spec'), { throwIfNoEntry: false })?.isDirectory())
    throwIssue(issues.NO_SUITE, { folder })
  const gems = openGemDirectory(settings).path
  return runSuite({
    folder,
    arguments: toRspecArguments(args, options, (path) => existsSync(resolve(folder, path))),
    jobs: parseCount('--jobs', options.jobs) ?? availableParallelism(),
    ruby: settings.ruby_path === '' ? 'ruby' : settings.ruby_path,
    loadPath: (options.loadPath ?? []).map((path) => resolve(path)),
    gemPaths: [...(options.gemPath ?? []).map((path) => resolve(path)), gems],
    modulepath: given['modulepath'] === undefined ? [] : settings.modulepath,
    facterVersion: options.facterVersion,
    puppetVersion: options.puppetVersion,
    warn: (message) => printMessage('Warning', message, io),
    exampleTimeout: parseCount('--example-timeout', options.exampleTimeout)!,
    strict: settings.strict,
    certname: settings.certname,
    settings: formatPublicSettings(settings),
    rubyTimeout: settings.ruby_timeout,
  })
}

function parseCount(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  return Number.isInteger(number) && number > 0 ? number : throwIssue(issues.BAD_COUNT, { option, value })
}
