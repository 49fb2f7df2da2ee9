import { join } from 'node:path'
import { openSourceStore } from '../../code/git/remotes/source-store.ts'
import { openModuleWeb } from '../../deploy/modules/configured-web.ts'
import type { Forge } from '../../deploy/modules/forge.ts'
import { type OpenModuleFetcher, openModuleFetcher } from '../../deploy/modules/module-fetcher.ts'
import type { ModuleWeb } from '../../deploy/modules/module-http-client.ts'
import { getConfiguredForge } from '../../deploy/modules/server-forge.ts'
import type { Settings } from '../../machine/settings/settings.ts'

/** The Forge of the settings, with a cache of its releases. */
export interface ForgeSession {
  readonly web: ModuleWeb
  readonly forge: Forge
  readonly fetcher: OpenModuleFetcher
  /** A signal that aborts after the time limit of one request. */
  limit(): AbortSignal
}

/** Runs `work` with the Forge of `module_repository`. Downloaded releases stay in `$vardir/modules.git`. */
export async function withForge<Result>(
  settings: Settings,
  work: (session: ForgeSession) => Promise<Result>,
): Promise<Result> {
  const configured = getConfiguredForge(settings)
  const web = openModuleWeb(settings, configured)
  const place = await openSourceStore(join(settings.vardir, 'modules.git'), 'main')
  const fetcher = openModuleFetcher(place, settings)
  try {
    const forge = { url: configured.url, authorization: await configured.authorization() }
    const limit = () => AbortSignal.timeout(settings.module_fetch_timeout * 1000)
    return await work({ web, forge, fetcher, limit })
  } finally {
    await Promise.all([web.close(), fetcher.close()])
  }
}
