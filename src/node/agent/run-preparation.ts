import type { Settings } from '../../machine/settings/settings.ts'
import { directFiles } from '../../machine/system/direct-files.ts'
import { type EarlyFacts, startEarlyFacts } from '../facts/early-facts.ts'
import { ThreadPrestart } from './ruby/thread-prestart.ts'

/** Facts and Ruby threads of a run, started while its code is loaded and the server responds. */
export interface RunPreparation {
  readonly facts: EarlyFacts
  readonly threads: ThreadPrestart
}

/** Starts facts and Ruby threads for an immediate run. Undefined with `splay`, since that run sleeps first. */
export async function startRunPreparation(settings: Settings): Promise<RunPreparation | undefined> {
  if (settings.splay) return undefined
  const facts = await startEarlyFacts(settings)
  return { facts, threads: await ThreadPrestart.begin({ files: directFiles, settings }) }
}
