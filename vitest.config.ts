import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    setupFiles: ['test/support/ruby-regexps.ts'],
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    chaiConfig: { truncateThreshold: 0 },
  },
})
