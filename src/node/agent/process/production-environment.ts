import { createPuppetError, defineIssues } from '../../../base/issue.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { findGid, findUid } from '../../../machine/system/accounts.ts'
import type { Files } from '../../../machine/system/system.ts'
import { statManagedFile } from '../../resources/file-tree.ts'
import type { Log } from '../log.ts'

/** Errors in creating the directories that Puppet prepares before a run. Puppet: settings.rb, `use`. */
export const preparationIssues = defineIssues({
  UNPREPARED: {
    text: (a: { path: string; why: string }) =>
      `Could not prepare for execution: Got 1 failure(s) while initializing: File[${a.path}]: change from 'absent' to ` +
      `'directory' failed: Could not set 'directory' on ensure: ${a.why} @ dir_s_mkdir - ${a.path}`,
    hint: (a) => `Create the directory ${a.path} as a user with write access, or set environmentpath.`,
  },
})

type EnvironmentSettings = Pick<Settings, 'environment' | 'environmentpath' | 'code_repo' | 'user' | 'group'>

/**
 * Creates the directory of the environment `production` in the first folder of environmentpath, if that folder exists and
 * no folder of environmentpath contains the environment; also under noop, as Puppet does (settings.rb,
 * `add_environment_resources`). Puppet replaces a file named `production` by the directory; here the file remains.
 * Throws UNPREPARED.
 */
export async function createProductionEnvironment(
  settings: EnvironmentSettings,
  files: Files,
  log: Pick<Log, 'notice'>,
): Promise<void> {
  const { environment, environmentpath, code_repo: repository } = settings
  const [first] = environmentpath
  if (environment !== 'production' || repository !== '' || first === undefined) return
  if ((await statManagedFile(files, first, 'follow'))?.kind !== 'directory') return
  for (const folder of environmentpath) if (await files.stat(`${folder}/production`)) return
  const path = `${first}/production`
  try {
    await files.makeDirectory(path, 0o750)
    await setServiceOwner(path, settings, files)
  } catch (error) {
    throw createPuppetError(preparationIssues.UNPREPARED, { path, why: formatErrorReason(error) })
  }
  log.notice(`/File[${path}]/ensure: created`)
}

/** Sets the owner and the group, if they exist on this machine. Only root can do this. */
async function setServiceOwner(path: string, { user, group }: EnvironmentSettings, files: Files): Promise<void> {
  if (process.geteuid?.() !== 0) return
  const [uid = 0, gid = 0] = [await findUid(files, user), await findGid(files, group)]
  if (uid !== 0 || gid !== 0) await files.chown(path, uid, gid)
}
