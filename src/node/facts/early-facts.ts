import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import type { System } from '../../machine/system/system.ts'
import { type CoreFacts, collectCoreFacts } from './collection.ts'
import { getCacheFolder } from './fact-cache.ts'
import { type FacterConf, readFacterConf } from './facter-conf.ts'
import { type BufferedLog, createBufferedLog } from './log.ts'
import { createMachine, type Machine } from './machine.ts'

/** Core facts whose collection was started early, so that their programs run while code loads or a server responds. */
export interface EarlyFacts {
  /** Start time in Unix milliseconds. */
  readonly at: number
  readonly conf: FacterConf
  readonly machine: Machine
  readonly core: Promise<CoreFacts>
  readonly held: BufferedLog
}

/** Maximum age of these facts in milliseconds. */
const freshMs = 5000

/** Starts the collection of this machine's core facts. Returns once the first programs run. */
export async function startEarlyFacts(
  settings: Pick<Settings, 'vardir'>,
  system: System = directSystem,
): Promise<EarlyFacts> {
  const machine = createMachine(system)
  const held = createBufferedLog()
  const { log } = held
  const at = system.now()
  const conf = await readFacterConf(system.files, undefined, log)
  const core = collectCoreFacts(machine, { conf, cacheFolder: getCacheFolder(settings), log })
  // The error is reported where the facts are awaited.
  core.catch(() => {})
  await nextTurn()
  return { at, conf, machine, core, held }
}

/** True if the facts were started less than `freshMs` ago. */
export const areFactsFresh = ({ at }: EarlyFacts, now: number): boolean => now - at < freshMs
