import { type GitPlace, runGit } from './git-command.ts'
import { pinPrefix } from './ref-names.ts'

/** Hides the server's internal refs of a repository: clients cannot list, fetch or push them. */
export async function hideOwnRefs(place: GitPlace): Promise<void> {
  const hidden = pinPrefix.split('/').slice(0, 2).join('/')
  const pattern = `^${hidden}$`
  const known = await runGit(place, ['config', '--default', '', '--get', 'transfer.hideRefs', pattern])
  // Write the setting only once: a write needs the lock of the config file, which another server
  // may hold.
  if (known.toString().trim() === '')
    await runGit(place, ['config', '--replace-all', 'transfer.hideRefs', hidden, pattern])
}
