import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/support/machine.ts'],
    setupFiles: ['test/support/ruby-regexps.ts'],
    include: ['test/**/*.test.ts'],
    // Only what hangs is to be ended: CI may be ten times slower than this machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Real Puppet reads what programs print as the locale says; a bare machine has none, and then no more than ASCII.
    env: { LC_ALL: 'C.UTF-8' },
    pool: 'forks',
    maxWorkers: 2,
    chaiConfig: { truncateThreshold: 0 },
  },
})
