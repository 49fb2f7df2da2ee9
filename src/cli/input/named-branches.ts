import { type BranchNaming, ownNames } from '../../code/environments/environment-name.ts'
import { branchNames } from '../../deploy/sources/branch-names.ts'
import { readSourcesFile } from '../../deploy/sources/read-sources-file.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { Io } from '../command/command.ts'
import { say } from '../command/say.ts'

/**
 * Names of the environments of a repository's branches, as the sources of code name them. Where their file cannot be read,
 * which may hold secrets that who pushes does not know, those of the branches; that is said.
 */
export async function namedBranches(gitDir: string, settings: Settings, io: Io): Promise<BranchNaming> {
  if (settings.code_sources === '') return ownNames
  try {
    const { sources } = await readSourcesFile(settings, localFiles)
    return await branchNames(gitDir, sources)
  } catch (error) {
    say('Warning', `Environments are called by their branches here: ${errorText(error)}`, io)
    return ownNames
  }
}
