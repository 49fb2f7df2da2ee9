import { type GitPlace, git } from './git-command.ts'
import { pinPrefix } from './names.ts'

/** Hides our refs of a repository: clients neither see them, nor fetch by them, nor push to them. */
export async function hideOwnRefs(place: GitPlace): Promise<void> {
  const hidden = pinPrefix.split('/').slice(0, 2).join('/')
  const pattern = `^${hidden}$`
  const known = await git(place, ['config', '--default', '', '--get', 'transfer.hideRefs', pattern])
  // Written once only: who writes must have the lock of the file, and another server may.
  if (known.toString().trim() === '')
    await git(place, ['config', '--replace-all', 'transfer.hideRefs', hidden, pattern])
}
