import { type BranchNaming, nameAfterBranch } from '../../code/environments/environment-name.ts'
import { getBranchNaming } from '../../deploy/sources/branch-naming.ts'
import { readSourcesFile } from '../../deploy/sources/sources-file.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import type { Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'

/**
 * Reads from the file `code_sources` how environments are named after branches. If the user of this
 * process cannot read the file, which may contain secrets, prints a warning and names environments
 * like their branches.
 */
export async function readBranchNaming(gitDir: string, settings: Settings, io: Io): Promise<BranchNaming> {
  if (settings.code_sources === '') return nameAfterBranch
  try {
    const { sources } = await readSourcesFile(settings, localFiles)
    return await getBranchNaming(gitDir, sources)
  } catch (error) {
    printMessage('Warning', `Using branch names as environment names: ${formatError(error)}`, io)
    return nameAfterBranch
  }
}
