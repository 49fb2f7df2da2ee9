import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Settings } from '../../machine/settings/settings.ts'
import type { MigrationPlan } from './migration-plan.ts'
import type { MigrationPart } from './migration-unit.ts'
import type { PuppetServer } from './puppet-server.ts'

/** Settings on a command line, by name. */
type Given = Readonly<Record<string, string>>

/** Parts of a plan that affect catalogs; keys are not copied. */
const partsOfCatalogs: ReadonlySet<MigrationPart> = new Set(['settings', 'facts', 'code'])

/** Runs `work` with a scratch folder that is removed afterwards. */
export async function withScratchFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'plumb-migration-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Writes the settings, facts and code of a plan to an empty directory, in the layout of a server. Returns the settings that
 * make a command use it, with the certificates and CA of the Puppet Server.
 */
export async function stageTrial(
  { units }: MigrationPlan,
  from: PuppetServer,
  to: Settings,
  folder: string,
): Promise<Given> {
  const [confdir, vardir] = [join(folder, 'etc'), join(folder, 'var')]
  for (const path of [confdir, vardir]) await mkdir(path)
  const given: Record<string, string> = { confdir, vardir }
  for (const unit of units) {
    if (!partsOfCatalogs.has(unit.part)) continue
    const inConfdir = relative(to.confdir, unit.to)
    const inVardir = relative(to.vardir, unit.to)
    const path =
      unit.part === 'code'
        ? join(folder, 'code.git')
        : isInsideFolder(inConfdir)
          ? join(confdir, inConfdir)
          : isInsideFolder(inVardir)
            ? join(vardir, inVardir)
            : undefined
    if (path === undefined) continue
    await mkdir(dirname(path), { recursive: true })
    await unit.stage(path)
    if (unit.part === 'code') given['code_repo'] = path
  }
  const { hostcert, hostprivkey, localcacert, hostcrl } = from.settings
  return { ...given, cadir: from.cadir, hostcert, hostprivkey, localcacert, hostcrl }
}

function isInsideFolder(path: string): boolean {
  return path !== '' && !path.startsWith('..')
}
