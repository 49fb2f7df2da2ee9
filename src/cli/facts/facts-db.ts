import { join } from 'node:path'
import type { Settings } from '../../machine/settings/settings.ts'
import { openGemInstaller } from '../../node/gems/configured-gems.ts'
import { GemDirectory } from '../../node/gems/gem-directory.ts'
import { parseRequirements } from '../../node/gems/gem-requirement.ts'
import type { Io } from '../command/command.ts'

/** The directory of gems that contains only FacterDB. */
export function getFacterDbFolder({ vardir }: Pick<Settings, 'vardir'>): string {
  return join(vardir, 'facterdb')
}

/**
 * Installs the newest accepted version of the gem facterdb without its dependencies. An interrupted update leaves the
 * earlier version unchanged. Throws GEM_….
 */
export async function updateFacterDb(requirement: string | undefined, settings: Settings, io: Io): Promise<number> {
  const installer = openGemInstaller(settings, new GemDirectory(getFacterDbFolder(settings)))
  try {
    const installed = await installer.install('facterdb', {
      ...(requirement !== undefined && { requirements: parseRequirements(requirement) }),
      ignoresDependencies: true,
      fetching: (file) => io.err(`Fetching ${file}\n`),
    })
    for (const { version } of installed) io.out(`Installed FacterDB ${version}\n`)
    if (installed.length === 0) io.out('FacterDB is up to date\n')
    return 0
  } finally {
    await installer.close()
  }
}
