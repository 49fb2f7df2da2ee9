import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { isNight, nightlySuites } from './test/support/nightly.ts'

/**
 * The name of a suite shows its kind, and the kind what it needs. `test/kinds.test.ts` and `test/support/in-process.ts`
 * enforce this.
 *
 * - `NAME.test.ts` needs Node and git.
 * - `NAME.e2e.test.ts` starts processes or servers, or changes its process.
 * - `NAME.oracle.test.ts` needs real Puppet, its modules, or another peer.
 *
 * Suites share processes and leave them as they were, so that the product is loaded once per process. A suite of the other
 * two kinds that cannot do so has a process of its own and contains a line `// Own process: REASON`.
 */
const e2e = 'test/**/*.e2e.test.ts'
const oracle = 'test/**/*.oracle.test.ts'

/** Suites recorded with modules that Debian does not have; they are compared if `CLOUD_MODULES` names their folder. */
const ofCloudModules: ReadonlySet<string> = new Set([
  'test/compiler/hiera/aws/hiera-ssm-paramstore.e2e.test.ts',
  'test/compiler/hiera/azure/azure-key-vault.e2e.test.ts',
])

/** Suites recorded with modules for Windows, which Debian does not have; they are compared if `WINDOWS_MODULES` names their folder. */
const ofWindowsModules: ReadonlySet<string> = new Set([
  'test/node/resources/beside-puppet/windows-types.test.ts',
  'test/node/resources/scheduled-task/scheduled-task.test.ts',
])

/** The suite recorded with a puppet-strings that is newer than Debian's, compared if `STRINGS_LIBRARIES` names its folders. */
const ofNewerStrings = 'test/workbench/docs/reference.test.ts'

/** The suite with real agents of OpenVox, which runs where `OPENVOX_SOURCES` names the sources; Debian does not have them. */
const ofOpenvoxAgents =
  process.env['OPENVOX_SOURCES'] === undefined ? ['test/interop/openvox/agents.oracle.test.ts'] : []

/** The suite recorded with apk, which Debian does not have, compared if `APK` names the folder of the program. */
const ofApk = 'test/node/resources/package-managers/apk.test.ts'

/** Suites for which real Puppet works for minutes each: with real package managers, those of e2e, and three others. */
const slow =
  /\/package-managers\/|\.e2e\.test\.ts$|\/(?:lookup\/lookup|module\/module-commands|commands\/submission)\.test\.ts$/

/** Suites with recorded answers, which `npm run test:oracle` compares with those of the program now; slow ones only at night. */
const recorded = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .flatMap((file) => {
    const [, folder, name] = /^(.*)\/recorded\/([^/]+)\.json$/.exec(file) ?? []
    return name === undefined ? [] : ['.test.ts', '.e2e.test.ts'].map((ending) => `test/${folder}/${name}${ending}`)
  })
  .filter((suite) => existsSync(suite) && (isNight || !slow.test(suite)))
  .filter((suite) => process.env['CLOUD_MODULES'] !== undefined || !ofCloudModules.has(suite))
  .filter((suite) => process.env['WINDOWS_MODULES'] !== undefined || !ofWindowsModules.has(suite))
  .filter((suite) => process.env['OPENVOX_SOURCES'] !== undefined || !/OpenVox 8/.test(readFileSync(suite, 'utf8')))
  .filter((suite) => process.env['STRINGS_LIBRARIES'] !== undefined || suite !== ofNewerStrings)
  .filter((suite) => process.env['APK'] !== undefined || suite !== ofApk)

/** Suites whose recorded answers are compared in this run: none while recordings are rewritten. */
const compared = process.env['UPDATE'] === '1' ? [] : recorded

const every = {
  exclude: isNight ? [] : [...nightlySuites],
  globalSetup: ['test/support/machine.ts'],
  setupFiles: ['test/support/removed-folders.ts', 'test/support/ruby-regexps.ts'],
  // Real Puppet reads what programs print as the locale says; a bare machine has none, and then no more than ASCII.
  env: { LC_ALL: 'C.UTF-8' },
  pool: 'forks' as const,
  chaiConfig: { truncateThreshold: 0 },
}

/** Suites that state why they need a process of their own, and nightly ones, for which its start costs little. */
const ownProcess = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:e2e|oracle)\.test\.ts$/.test(file))
  .map((file) => `test/${file}`)
  .filter((file) => nightlySuites.includes(file) || /^\/\/ Own process: /m.test(readFileSync(file, 'utf8')))

/** Suites that start programs. */
const starting = ['test/support/bounded-programs.ts']

/** Suites that share processes. */
const shared = { isolate: false, setupFiles: ['test/support/unchanged-process.ts', ...every.setupFiles] }

/** A hang ends after five minutes: CI may be ten times slower than this machine. */
const patient = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } }

/** Suites that ask another program, such as real Puppet. */
const askingPuppet = {
  ...every,
  ...patient,
  env: { ...every.env, TEST_KIND: 'oracle' },
  maxWorkers: 4,
  sequence: { groupOrder: 3 },
}

/** Suites about modules' Ruby on a node, repeated with an installed Ruby; those that also run real Puppet, only at night. */
const ofNativeRuby = [
  'test/ruby/node/*.test.ts',
  'test/cli/apply/apply.e2e.test.ts',
  'test/node/agent/deferred-{functions,values}.e2e.test.ts',
  'test/node/facts/ruby-facts.{e2e.test,test}.ts',
  'test/node/resources/ruby/*.test.ts',
  'test/node/resources/beside-puppet/{ruby-*,late-provider,values}.e2e.test.ts',
  ...(isNight
    ? [
        'test/node/agent/network-modules.oracle.test.ts',
        'test/node/facts/ruby-facts.oracle.test.ts',
        'test/node/resources/beside-puppet/{concat,inifile,ruby-modules,stdlib,web}.oracle.test.ts',
      ]
    : []),
]

/** Seconds that a test in the process may take; the machine of CI may be several times slower. */
const seconds = process.env['CI'] === 'true' ? 150 : 30

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...every,
          name: 'in-process',
          include: ['test/**/*.test.ts'],
          exclude: [e2e, oracle],
          ...shared,
          setupFiles: ['test/support/in-process.ts', ...shared.setupFiles],
          testTimeout: seconds * 1000,
          hookTimeout: seconds * 1000,
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...every,
          ...patient,
          ...shared,
          setupFiles: [...starting, ...shared.setupFiles],
          name: 'e2e',
          include: [e2e],
          exclude: [...every.exclude, ...ownProcess],
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...every,
          ...patient,
          setupFiles: [...starting, ...every.setupFiles],
          name: 'e2e-own-process',
          include: ownProcess.filter((file) => file.endsWith('.e2e.test.ts')),
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...askingPuppet,
          ...shared,
          setupFiles: [...starting, ...shared.setupFiles],
          name: 'oracle',
          include: [oracle, ...compared],
          exclude: [...every.exclude, ...ownProcess, ...ofOpenvoxAgents],
        },
      },
      {
        test: {
          ...askingPuppet,
          setupFiles: [...starting, ...every.setupFiles],
          name: 'oracle-own-process',
          include: ownProcess.filter((file) => !file.endsWith('.e2e.test.ts') || compared.includes(file)),
        },
      },
      {
        test: {
          ...every,
          ...patient,
          env: { ...every.env, TEST_RUBY: 'native' },
          name: 'native-ruby',
          include: ofNativeRuby,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
