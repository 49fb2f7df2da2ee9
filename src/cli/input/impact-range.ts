import { createRevisionOpener, type OpenedEnvironment } from '../../code/environments/environment-opener.ts'
import type { ImpactCode } from '../../deploy/impact/impact-request.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import type { Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { type CodePoint, resolveCodeRange } from './code-range.ts'
import { openCodeRepository } from './code-source.ts'
import { deployLocally } from './local-deployment.ts'

/** One of the two commits of an impact run. */
export interface OpenedCode {
  readonly code: ImpactCode
  readonly opened: OpenedEnvironment
}

/** Opens the two commits of a range. Throws CODE_RANGE, NO_SUCH_COMMIT, NO_COMMON_COMMIT, GIT_…. */
export async function openCodeRange(
  range: string,
  settings: Settings,
  io: Io,
): Promise<{ readonly from: OpenedCode; readonly to: OpenedCode }> {
  const source = await openCodeRepository(settings)
  const { deployed, close } = deployLocally(source, settings, io)
  try {
    const { from, to } = await resolveCodeRange(range, settings.environment, source)
    const open = createRevisionOpener(source, settings, deployed)
    const openCodePoint = async ({ commit, ref }: CodePoint, isServed: boolean): Promise<OpenedCode> => {
      // Both environments have the same name, so that catalogs differ by their code only.
      const opened = await open({ commit, ref, name: settings.environment })
      for (const warning of opened.warnings) printMessage('Warning', warning, io)
      return { opened, code: toImpactCode(opened, commit, isServed) }
    }
    return { from: await openCodePoint(from, true), to: await openCodePoint(to, false) }
  } finally {
    await close()
    await source.close()
  }
}

/** Converts an opened commit to the code of an impact run. */
export function toImpactCode(
  { snapshot, environment }: OpenedEnvironment,
  commit: string,
  isServed: boolean,
): ImpactCode {
  const { tree, revision = commit } = environment
  return {
    snapshot,
    label: revision,
    isServed,
    async file(path, most) {
      const bytes = tree.read(path)
      return bytes && { size: bytes.length, bytes: bytes.length > most ? undefined : bytes }
    },
  }
}
