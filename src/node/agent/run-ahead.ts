import type { Settings } from '../../machine/settings/settings.ts'
import { directFiles } from '../../machine/system/direct-files.ts'
import { type BegunFacts, beginFacts } from '../facts/begun-facts.ts'
import { ThreadsAhead } from './ruby/threads-ahead.ts'

/** Facts and Ruby threads of a run, started while its code is loaded and the server responds. */
export interface RunAhead {
  readonly facts: BegunFacts
  readonly threads: ThreadsAhead
}

/** Starts facts and Ruby threads for an immediate run. Undefined with `splay`, since that run sleeps first. */
export async function beginAhead(settings: Settings): Promise<RunAhead | undefined> {
  if (settings.splay) return undefined
  const facts = await beginFacts(settings)
  return { facts, threads: await ThreadsAhead.begin({ files: directFiles, settings }) }
}
