import { join } from 'node:path'
import type { Settings } from '../../machine/settings/settings.ts'
import { GemDirectory } from './gem-directory.ts'
import { GemInstaller } from './gem-installation.ts'
import { GemServer, type GemServerSettings } from './gem-server.ts'

/** Settings that select gem servers and the directory of gems. */
export type GemSettings = GemServerSettings & Pick<Settings, 'vardir' | 'gem_sources'>

/** Opens the directory of gems that Ruby code on this node loads first: `$vardir/gems`. */
export function openGemDirectory({ vardir }: Pick<Settings, 'vardir'>): GemDirectory {
  return new GemDirectory(join(vardir, 'gems'))
}

/** Opens an installer for these gem servers, by default those of the settings. Throws GEM_SOURCE. */
export function openGemInstaller(
  settings: GemSettings,
  directory: GemDirectory = openGemDirectory(settings),
  sources: readonly string[] = settings.gem_sources,
): GemInstaller {
  return new GemInstaller(
    directory,
    sources.map((source) => new GemServer(source, settings)),
  )
}
