import type { Settings } from '../../machine/settings/settings.ts'
import { directFiles } from '../../machine/system/direct-files.ts'
import { type BegunFacts, beginFacts } from '../facts/begun-facts.ts'
import { ThreadsAhead } from './ruby/threads-ahead.ts'

/** Facts and Ruby of a run, begun while its code is loaded and its server is waited for. */
export interface RunAhead {
  readonly facts: BegunFacts
  readonly threads: ThreadsAhead
}

/** Begins it for a run of now; nothing for one that sleeps first. */
export async function beginAhead(settings: Settings): Promise<RunAhead | undefined> {
  if (settings.splay) return undefined
  const facts = await beginFacts(settings)
  return { facts, threads: await ThreadsAhead.begin({ files: directFiles, settings }) }
}
