import { join } from 'node:path'
import { isIssue } from '../../../base/issue.ts'
import { definitions } from '../../../machine/settings/definitions/index.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { System } from '../../../machine/system/system.ts'
import { pluginIssues } from '../../../model/plugin-tree.ts'
import type { Session } from '../../../network/client/session.ts'
import { explained } from '../explain.ts'
import type { Log } from '../log.ts'
import { syncPlugins } from './plugin-sync.ts'
import { syncPluginTree } from './plugin-tree.ts'

/** The part of a run that plug-ins are fetched for. */
export interface PluginRun {
  readonly settings: Settings
  readonly session: Session
  readonly system: System
  readonly log: Log
  /** Seconds by name. */
  readonly times: Record<string, number>
  /** Hints at the mending of errors that this run has given already. */
  readonly hints: Set<string>
  environment: string
  /** The commit of the plug-ins, where the server says it. */
  pluginsCodeId: string | undefined
}

/** The outcome of fetching plug-ins: with `untrusted` plug-ins no new catalog may be asked for. */
export type Plugins = 'synced' | 'changed' | 'untrusted' | 'no environment'

/** Fetches the plug-ins of the environment. Throws when it is not there and no other may be used. */
export async function fetchPlugins(run: PluginRun): Promise<Plugins> {
  const { settings, system, log } = run
  if (!settings.pluginsync) return 'synced'
  const started = system.now()
  let plugins: Plugins = 'synced'
  try {
    plugins = (await inOneRequest(run)) ?? (await fileByFile(run))
  } catch (error) {
    log.err(explained(error, run.hints))
    if (!settings.ignore_plugin_errors) plugins = 'untrusted'
  }
  run.times['plugin_sync'] = (system.now() - started) / 1000
  if (plugins === 'no environment') sayNoEnvironment(run)
  return plugins
}

/** True when a catalog is of another commit than the plug-ins were, and what was then fetched differs. */
export async function arePluginsOlder(run: PluginRun, codeId: unknown): Promise<boolean> {
  const { pluginsCodeId: before, log } = run
  if (before === undefined || typeof codeId !== 'string' || codeId === before) return false
  log.info(`Catalog is of '${codeId}', plug-ins are of '${before}'; retrieving them again`)
  return (await fetchPlugins(run)) === 'changed'
}

function treesOf({ pluginfactdest, plugindest }: Settings) {
  return [
    { name: 'pluginfacts', mount: 'pluginfacts', destination: pluginfactdest, keepModes: true },
    { name: 'plugin', mount: 'plugins', destination: plugindest, keepModes: false },
  ] as const
}

const optionsOf = ({ system: { files }, environment, log, settings }: PluginRun) => {
  return { files, environment, log, ignore: settings.pluginsignore.split(' ') }
}

/** Of a server of ours; `undefined` where it is not, or where each file is to be asked for. */
async function inOneRequest(run: PluginRun): Promise<Plugins | undefined> {
  const { settings, session, log } = run
  run.pluginsCodeId = undefined
  // The server leaves out what this setting names by default, and knows no other.
  if (settings.pluginsignore !== standardIgnore) return undefined
  const recordFile = join(settings.statedir, 'plugins.json')
  const options = { ...optionsOf(run), plumb: session.plumb, recordFile }
  const synced = await syncPluginTree(treesOf(settings), options).catch((error: unknown) => {
    if (!isIssue(error, pluginIssues.PLUGINS_TORN)) throw error
    // What came whole stays, and is not fetched again.
    log.warning(`${error.message}; asking for each file`)
    return undefined
  })
  if (!synced) return undefined
  run.pluginsCodeId = synced.codeId
  return synced.changed ? 'changed' : 'synced'
}

async function fileByFile(run: PluginRun): Promise<Plugins> {
  let plugins: Plugins = 'synced'
  const options = { ...optionsOf(run), puppet: run.session.puppet }
  for (const tree of treesOf(run.settings)) if (!(await syncPlugins(tree, options))) plugins = 'no environment'
  return plugins
}

const standardIgnore = definitions.pluginsignore.default

/** Puppet: configurer.rb, `valid_server_environment?`. */
function sayNoEnvironment({ settings, log, environment }: PluginRun): void {
  const missing = `Environment '${environment}' not found on server`
  if (settings.strict_environment_mode) throw new Error(`${missing}, aborting run.`)
  log.notice(`${missing}, skipping initial pluginsync.`)
}
