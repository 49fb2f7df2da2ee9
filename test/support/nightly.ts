/** True in the nightly run, which does more rounds and runs the suites of `nightlySuites`. */
export const isNight: boolean = process.env['CI_NIGHTLY'] === '1'

/** Suites that repeat random work until minutes have passed, which only the nightly run does. */
export const nightlySuites: readonly string[] = [
  'test/compiler/recall/edits.oracle.test.ts',
  'test/ruby/garbage-stress.oracle.test.ts',
  'test/ruby/leak.e2e.test.ts',
  'test/ruby/traced-edits.oracle.test.ts',
  'test/server/faults.e2e.test.ts',
  'test/server/rolling-restart.oracle.test.ts',
  'test/server/shared-code-killed.oracle.test.ts',
  'test/server/soak.e2e.test.ts',
  'test/store/archive.oracle.test.ts',
  'test/store/migration-killed.oracle.test.ts',
  'test/store/query/random.oracle.test.ts',
]
