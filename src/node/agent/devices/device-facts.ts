import { isExactObject } from '../../../base/json/exact-json.ts'
import { parseJson } from '../../../base/json/json-text.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { DeviceOfRun } from '../../../ruby/node/node-machine.ts'
import { NodeRuby } from '../../../ruby/node/node-ruby.ts'
import type { FactValues } from '../../facts/fact.ts'
import { getClientFacts, sanitizeFacts } from '../../facts/node-facts.ts'
import type { Log } from '../log.ts'
import type { RunEnd } from '../process/run-timeout.ts'
import { createRubyOptions } from '../ruby/ruby-options.ts'
import { createLineWriter } from '../ruby/ruby-run.ts'

/** Settings and log for collecting facts of a device. */
export interface DeviceWork {
  readonly settings: Settings
  readonly log: Log
  /** Folders of plug-ins in addition to the device's folder. */
  readonly libraries?: readonly string[]
  readonly end?: RunEnd | undefined
  /** Text before the message of an error that the transport raised while it collected facts. */
  readonly failurePrefix?: string
}

/** Collects the facts from the device's transport, and the facts that Puppet adds. Throws NodeRubyError. */
export async function collectDeviceFacts(
  device: DeviceOfRun,
  { settings, log, libraries = [], end, failurePrefix = '' }: DeviceWork,
): Promise<FactValues> {
  const loadPath = [...libraries, settings.plugindest]
  const ruby = new NodeRuby(
    { ...createRubyOptions({ settings, facts: {}, loadPath, device }), ...(end && { deadline: end.at }) },
    createLineWriter(log),
    undefined,
    end?.signal,
  )
  try {
    const facts = parseJson(String(await ruby.call('device_facts', [failurePrefix])))
    if (!isExactObject(facts) || facts instanceof Map) throw new Error(`The facts of ${device.name} are not a hash`)
    return { ...sanitizeFacts(facts as FactValues), ...getClientFacts(settings) }
  } finally {
    await ruby.close()
  }
}
