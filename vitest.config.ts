import { defineConfig } from 'vitest/config'

/**
 * Suites that start no server and leave their process as it was: one process runs many, and loads the code once.
 * Whoever sets a variable of the environment, counts memory or ends a thread has a process of its own.
 */
const together = [
  'base',
  'compiler/*',
  'compiler/{begin,ruby}',
  'facts',
  'hiera',
  'language',
  'mistakes',
  'model',
  'resources',
  'ruby-semantics',
  'settings',
  'termini',
  'x509',
].map((place) => (place.endsWith('*') ? `test/${place}.test.ts` : `test/${place}/**/*.test.ts`))

/** Suites that take a minute or more where the machine is busy; `npm run test:long`, and each night. */
const long = 'test/**/*.long.test.ts'

const every = {
  setupFiles: ['test/support/removed-folders.ts', 'test/support/ruby-regexps.ts'],
  // Only what hangs is to be ended: CI may be ten times slower than this machine.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
  // Real Puppet reads what programs print as the locale says; a bare machine has none, and then no more than ASCII.
  env: { LC_ALL: 'C.UTF-8' },
  pool: 'forks' as const,
  chaiConfig: { truncateThreshold: 0 },
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/machine.ts'],
    // Twice the processors that CI has: many suites wait for servers, clocks and other programs.
    maxWorkers: 4,
    projects: [
      { test: { ...every, name: 'apart', include: ['test/**/*.test.ts'], exclude: [...together, long] } },
      { test: { ...every, name: 'together', include: together, exclude: [long], isolate: false } },
      { test: { ...every, name: 'long', include: [long] } },
    ],
  },
})
