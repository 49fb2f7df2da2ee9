/** True in the nightly run, which does more rounds and runs the suites of `nightlySuites`. */
export const isNight: boolean = process.env['CI_NIGHTLY'] === '1'

/**
 * The seed of random tests: 1, another one each night, or that of RANDOM_SEED. The title or the failure of each random test
 * contains it.
 */
export const seed: number = Number(process.env['RANDOM_SEED'] ?? (isNight ? Date.now() % 1_000_000 : 1))

/** Suites that take many servers, kills or random rounds, a minute or more each on a busy machine. Only the nightly run has them. */
export const nightlySuites: readonly string[] = [
  'test/node/agent/connection-mistakes.e2e.test.ts',
  'test/node/agent/against-puppet-server.oracle.test.ts',
  'test/node/agent/crash.e2e.test.ts',
  'test/node/agent/daemon.e2e.test.ts',
  'test/node/agent/devices/device.oracle.test.ts',
  'test/node/agent/long-lived-list.oracle.test.ts',
  'test/node/agent/server-buckets.oracle.test.ts',
  'test/compiler/recall/edits.oracle.test.ts',
  'test/deploy/bounded-pushes.e2e.test.ts',
  'test/deploy/puppetfile-push.e2e.test.ts',
  'test/first-day.e2e.test.ts',
  'test/deploy/gate/broken-pushes.e2e.test.ts',
  'test/deploy/gate/faulty-catalogs.e2e.test.ts',
  'test/deploy/gate/past-hooks.e2e.test.ts',
  'test/deploy/gate/server.e2e.test.ts',
  'test/code/git/remotes/remote-mirror.e2e.test.ts',
  'test/interop/gone-environment.oracle.test.ts',
  'test/interop/one-lock.oracle.test.ts',
  'test/interop/puppet-server-store.oracle.test.ts',
  'test/interop/puppetdb-ssl-setup.oracle.test.ts',
  'test/interop/real-agent-formats.oracle.test.ts',
  'test/cli/migration/standard-authority.oracle.test.ts',
  'test/ruby/garbage-stress.oracle.test.ts',
  'test/ruby/leak.e2e.test.ts',
  'test/ruby/traced-edits.oracle.test.ts',
  'test/server/ahead/compile-ahead.oracle.test.ts',
  'test/server/ca-v1/real-tool.e2e.test.ts',
  'test/server/code-sources.e2e.test.ts',
  'test/server/https/connections.e2e.test.ts',
  'test/server/faults.e2e.test.ts',
  'test/server/git/faults.e2e.test.ts',
  'test/server/large-files.e2e.test.ts',
  'test/server/rolling-restart.oracle.test.ts',
  'test/server/shared-code-killed.oracle.test.ts',
  'test/server/shared-code.oracle.test.ts',
  'test/server/webhooks/webhooks.e2e.test.ts',
  // On Windows; apply, files, commands, facts and the agent are in each run.
  'test/node/windows/against-puppet-server.oracle.test.ts',
  'test/node/windows/catalogs.e2e.test.ts',
  'test/node/windows/daemon.e2e.test.ts',
  'test/node/windows/packages.e2e.test.ts',
  'test/node/windows/registry.e2e.test.ts',
  'test/node/windows/ruby.e2e.test.ts',
  'test/node/windows/scheduled-tasks.e2e.test.ts',
  // Opens a root file system and lists its packages with real Puppet, seven times.
  'test/node/resources/package-managers/listings.oracle.test.ts',
  'test/store/archive.oracle.test.ts',
  'test/store/faults.oracle.test.ts',
  'test/store/migration-killed.oracle.test.ts',
  'test/store/migration.oracle.test.ts',
  'test/store/query/random.oracle.test.ts',
  'test/server/termini/own-catalogs.oracle.test.ts',
  'test/server/termini/ruby-termini.e2e.test.ts',
  // Packages are built twice and installed on root file systems.
  'test/packaging/binary.e2e.test.ts',
  'test/packaging/debian.e2e.test.ts',
  'test/packaging/image.e2e.test.ts',
  'test/packaging/release.e2e.test.ts',
  'test/packaging/rpm.e2e.test.ts',
  'test/packaging/windows.e2e.test.ts',
  // Growth and many rounds.
  'test/ca/certificate-index.e2e.test.ts',
  'test/ca/large-authority.e2e.test.ts',
  'test/ca/year.e2e.test.ts',
  'test/server/soak.e2e.test.ts',
  // Real Puppet, r10k or 200 agents for two minutes each; a shorter suite of the same subject is in each run.
  'test/cli/module/beside-puppet-module.oracle.test.ts',
  'test/node/agent/network-modules.oracle.test.ts',
  'test/node/resources/situations/concat.oracle.test.ts',
  'test/node/resources/situations/file-line.oracle.test.ts',
  'test/node/resources/situations/ini-setting.oracle.test.ts',
  'test/node/resources/situations/web.oracle.test.ts',
  'test/server/rollouts/rollout-agents.oracle.test.ts',
  'test/workbench/format/real-modules.oracle.test.ts',
]
