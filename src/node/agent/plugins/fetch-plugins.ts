import { join } from 'node:path'
import { isIssue } from '../../../base/issue.ts'
import { settingDefinitions } from '../../../machine/settings/definitions/index.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import { isWindows } from '../../../machine/windows/machine-path.ts'
import { pluginIssues } from '../../../model/plugin-tree.ts'
import type { Session } from '../../../network/client/session.ts'
import { formatErrorWithHint } from '../error-hints.ts'
import type { Log } from '../log.ts'
import { syncPlugins } from './plugin-sync.ts'
import { syncPluginTree } from './plugin-tree.ts'

/** The state of a run that the plug-in synchronization reads and changes. */
export interface PluginRun {
  readonly settings: Settings
  readonly session: Session
  readonly system: System
  readonly log: Log
  /** Durations in seconds by name. */
  readonly times: Record<string, number>
  /** Hints that this run has already printed. */
  readonly hints: Set<string>
  environment: string
  /** The commit of the plug-ins, if the server reports it. */
  pluginsCodeId: string | undefined
}

/** The result of a plug-in synchronization. With `untrusted` plug-ins, no new catalog may be requested. */
export type Plugins = 'synced' | 'changed' | 'untrusted' | 'no environment'

/**
 * Fetches the plug-ins of the environment. Throws if the environment is missing and the run may not
 * use another environment.
 */
export async function fetchPlugins(run: PluginRun): Promise<Plugins> {
  const { settings, system, log } = run
  if (!settings.pluginsync) return 'synced'
  const started = system.now()
  let plugins: Plugins = 'synced'
  try {
    plugins = (await fetchInOneRequest(run)) ?? (await fetchFileByFile(run))
  } catch (error) {
    log.err(formatErrorWithHint(error, run.hints))
    if (!settings.ignore_plugin_errors) plugins = 'untrusted'
  }
  run.times['plugin_sync'] = (system.now() - started) / 1000
  if (plugins === 'no environment') reportMissingEnvironment(run)
  return plugins
}

/**
 * Fetches the plug-ins again if the catalog was compiled from another commit. Returns true if a
 * plug-in changed.
 */
export async function refreshPlugins(run: PluginRun, codeId: unknown): Promise<boolean> {
  const { pluginsCodeId: before, log } = run
  if (before === undefined || typeof codeId !== 'string' || codeId === before) return false
  log.info(`Catalog is of '${codeId}', plug-ins are of '${before}'; retrieving them again`)
  return (await fetchPlugins(run)) === 'changed'
}

function listPluginTrees({ pluginfactdest, plugindest }: Settings) {
  return [
    { name: 'pluginfacts', mount: 'pluginfacts', destination: pluginfactdest, keepModes: !isWindows },
    { name: 'plugin', mount: 'plugins', destination: plugindest, keepModes: false },
  ] as const
}

const toPluginOptions = ({ system: { files }, environment, log, settings }: PluginRun) => {
  return { files, environment, log, ignore: settings.pluginsignore.split(' ') }
}

/** Fetches all plug-ins in one request from a plumb server; undefined if each file must be requested instead. */
async function fetchInOneRequest(run: PluginRun): Promise<Plugins | undefined> {
  const { settings, session, log } = run
  run.pluginsCodeId = undefined
  // The server excludes files by the default patterns of `pluginsignore`, and supports no other
  // patterns.
  if (settings.pluginsignore !== standardIgnore) return undefined
  const recordFile = join(settings.statedir, 'plugins.json')
  const options = { ...toPluginOptions(run), plumb: session.plumb, recordFile }
  const synced = await syncPluginTree(listPluginTrees(settings), options).catch((error: unknown) => {
    if (!isIssue(error, pluginIssues.PLUGINS_TORN)) throw error
    // Files that were received completely are kept and not fetched again.
    log.warning(`${error.message}; downloading each file separately`)
    return undefined
  })
  if (!synced) return undefined
  run.pluginsCodeId = synced.codeId
  return synced.changed ? 'changed' : 'synced'
}

async function fetchFileByFile(run: PluginRun): Promise<Plugins> {
  let plugins: Plugins = 'synced'
  const options = { ...toPluginOptions(run), puppet: run.session.puppet }
  for (const tree of listPluginTrees(run.settings)) if (!(await syncPlugins(tree, options))) plugins = 'no environment'
  return plugins
}

const standardIgnore = settingDefinitions.pluginsignore.default

/**
 * Logs that the environment does not exist on the server; throws in strict mode. Puppet:
 * configurer.rb, `valid_server_environment?`.
 */
function reportMissingEnvironment({ settings, log, environment }: PluginRun): void {
  const missing = `Environment '${environment}' not found on server`
  if (settings.strict_environment_mode) throw new Error(`${missing}, aborting run.`)
  log.notice(`${missing}, skipping initial pluginsync.`)
}
