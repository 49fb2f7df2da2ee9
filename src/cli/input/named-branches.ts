import { type BranchNaming, ownNames } from '../../code/environments/environment-name.ts'
import { branchNames } from '../../deploy/sources/branch-names.ts'
import { readSourcesFile } from '../../deploy/sources/read-sources-file.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { Io } from '../command/command.ts'
import { say } from '../command/say.ts'

/**
 * The names of the environments of branches, by `code_sources`. If the user of this process cannot read that file, which may
 * contain secrets, prints a warning and uses the names of the branches.
 */
export async function namedBranches(gitDir: string, settings: Settings, io: Io): Promise<BranchNaming> {
  if (settings.code_sources === '') return ownNames
  try {
    const { sources } = await readSourcesFile(settings, localFiles)
    return await branchNames(gitDir, sources)
  } catch (error) {
    say('Warning', `Using branch names as environment names: ${errorText(error)}`, io)
    return ownNames
  }
}
