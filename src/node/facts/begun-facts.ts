import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import type { System } from '../../machine/system/system.ts'
import { type CoreFacts, coreFacts } from './collect.ts'
import { cacheFolderOf } from './fact-cache.ts'
import { type FacterConf, readFacterConf } from './facter-conf.ts'
import { type HeldLog, heldLog } from './log.ts'
import { type Machine, machineOf } from './machine.ts'

/** Core facts that are being found: the programs that they ask run while somebody loads code or waits for a server. */
export interface BegunFacts {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly conf: FacterConf
  readonly machine: Machine
  readonly core: Promise<CoreFacts>
  readonly held: HeldLog
}

/** Milliseconds for which facts that were begun are facts of now. */
const freshMs = 5000

/** Begins to find the core facts of this machine; answers once their first programs run. */
export async function beginFacts(
  settings: Pick<Settings, 'vardir'>,
  system: System = directSystem,
): Promise<BegunFacts> {
  const machine = machineOf(system)
  const held = heldLog()
  const { log } = held
  const at = system.now()
  const conf = await readFacterConf(system.files, undefined, log)
  const core = coreFacts(machine, { conf, cacheFolder: cacheFolderOf(settings), log })
  // Whoever asks for them hears of it.
  core.catch(() => {})
  await nextTurn()
  return { at, conf, machine, core, held }
}

/** True of facts that were begun a moment ago. */
export const areFresh = ({ at }: BegunFacts, now: number): boolean => now - at < freshMs
