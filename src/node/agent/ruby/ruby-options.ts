import type { ExactJson } from '../../../base/json/exact-json.ts'
import type { Json } from '../../../base/json/json-checks.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { socketScript } from '../../../network/sockets/socket-script.ts'
import { findNativeRuby } from '../../../ruby/native/native-ruby-settings.ts'
import { getProcessEnvironment } from '../../../ruby/node/environment-variables.ts'
import type { DeviceOfRun, NodeMachineOptions } from '../../../ruby/node/node-machine.ts'
import { flattenFacts } from '../../facts/legacy.ts'

/** Options for a node's Ruby: code, facts and environment of the run. */
export interface RubyStart {
  readonly settings: Settings
  readonly facts: Readonly<Record<string, ExactJson>>
  readonly loadPath: readonly string[]
  /** Folders of local modules. */
  readonly modulepath?: readonly string[]
  readonly environment?: string
  /** True if the log shows debug messages. */
  readonly debug?: boolean
  readonly device?: DeviceOfRun | undefined
}

/** Ruby options for a run with these settings. */
export function createRubyOptions({
  settings,
  facts,
  loadPath,
  modulepath,
  environment,
  debug,
  device,
}: RubyStart): NodeMachineOptions {
  return {
    root: settings.agent_root,
    settings: { ...toJsonRecord(settings), ...(environment === undefined ? {} : { environment }) },
    // Many providers are confined by `osfamily`, a legacy fact that the run may not send.
    facts: toJsonRecord({ ...flattenFacts(facts), ...facts }),
    loadPath,
    ...(modulepath && { modulepath }),
    socketScript,
    nativeRuby: findNativeRuby(settings),
    env: getProcessEnvironment(),
    cwd: process.cwd(),
    debug: debug ?? settings.log_level === 'debug',
    ...(device && { device }),
  }
}

function toJsonRecord(values: object): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toJson(value)]))
}

/** Converts a value to JSON. Numbers of any size become numbers; values without a JSON form become text. */
function toJson(value: unknown): Json {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value === 'bigint' || value instanceof Number) return Number(value)
  if (value instanceof Map) return toJsonRecord(Object.fromEntries(value))
  if (Array.isArray(value)) return value.map(toJson)
  return Object.getPrototypeOf(value) === Object.prototype ? toJsonRecord(value) : String(value)
}
