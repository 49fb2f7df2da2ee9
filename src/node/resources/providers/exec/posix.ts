import { defineIssues, throwIssue } from '../../../../base/issue.ts'
import { findGid, findUid, listAccounts } from '../../../../machine/system/accounts.ts'
import type { CommandOptions } from '../../../../machine/system/system.ts'
import { splitCommandLine } from '../../command-line.ts'
import { statManagedFile } from '../../file-tree.ts'
import { isPosix, noUserVariables } from '../../provider.ts'
import {
  defineExecProvider,
  type ExecStyle,
  type ExecWork,
  formatShownCommand,
  getProgram,
  programIssues,
} from './exec-provider.ts'

const issues = defineIssues({
  NO_SUCH_IDENTITY: {
    text: (a: { kind: 'user' | 'group'; name: string }) =>
      `Error: Could not execute posix command: Invalid ${a.kind}: ${a.name}`,
  },
  NOT_ROOT: { text: () => 'Only root can execute commands as other users' },
})

const posixStyle: Pick<
  ExecStyle,
  'validateUser' | 'resolveIdentity' | 'pathSeparator' | 'lineEnd' | 'removedVariables'
> = {
  validateUser(resource) {
    const user = resource.get('user')
    if (
      user !== undefined &&
      process.getuid?.() !== 0 &&
      user !== process.env['USER'] &&
      user !== process.env['LOGNAME']
    )
      throwIssue(issues.NOT_ROOT, {})
  },
  resolveIdentity,
  pathSeparator: ':',
  lineEnd: /\n/,
  removedVariables: noUserVariables,
}

/** Executes programs directly; a shell only if the command needs one. */
export const execPosix = defineExecProvider(
  'posix',
  {
    ...posixStyle,
    validate(resource, command) {
      const program = getProgram(command)
      if (!program.startsWith('/') && !resource.has('path'))
        throwIssue(programIssues.NOT_QUALIFIED, { program: formatShownCommand(resource, program) })
    },
    async plan(work, command) {
      await checkProgram(work, getProgram(command))
      return { words: typeof command === 'string' ? splitCommandLine(command) : command }
    },
  },
  {
    doc: 'Executes external binaries directly, without passing through a shell.',
    suitable: { when: isPosix },
    features: ['umask'],
  },
)

/** Executes all commands with a shell. */
export const shell = defineExecProvider(
  'shell',
  {
    ...posixStyle,
    validate: () => {},
    // In an array, the first word is the script and the others are `$0`, `$1`…, as in Puppet.
    plan: async (_, command) => ({
      words: ['/bin/sh', '-c', ...(typeof command === 'string' ? [command] : command)],
    }),
  },
  { doc: 'Passes the provided command through `/bin/sh`.', suitable: { when: isPosix }, features: ['umask'] },
)

async function checkProgram({ system, resource }: ExecWork, program: string): Promise<void> {
  const shown = { program: formatShownCommand(resource, program) }
  if (!program.startsWith('/')) {
    const found = await system.commands.find(program, resource.get('path')?.join(':') ?? '')
    if (found === undefined) throwIssue(programIssues.COMMAND_NOT_FOUND, shown)
    return
  }
  if ((await system.commands.find(program)) !== undefined) return
  const stat = await statManagedFile(system.files, program, 'follow')
  if (!stat) throwIssue(programIssues.COMMAND_NOT_FOUND, shown)
  if (stat.kind === 'directory') throwIssue(programIssues.COMMAND_NO_FILE, { ...shown, kind: stat.kind })
  throwIssue(programIssues.COMMAND_NOT_EXECUTABLE, shown)
}

/**
 * User ID and group ID for the command. Without `group`, the primary group of the user is used. As
 * in Puppet, an error is returned as the command's output.
 */
async function resolveIdentity({ resource, system }: ExecWork): Promise<CommandOptions | string> {
  const user = resource.get('user')
  const group = resource.get('group')
  if (process.getuid?.() !== 0) return {}
  const uid = user === undefined ? undefined : await findUid(system.files, user)
  if (user !== undefined && uid === undefined) return issues.NO_SUCH_IDENTITY.text({ kind: 'user', name: user })
  const named = group === undefined ? undefined : await findGid(system.files, group)
  if (group !== undefined && named === undefined) return issues.NO_SUCH_IDENTITY.text({ kind: 'group', name: group })
  const gid =
    named ?? (uid === undefined ? undefined : (await listAccounts(system.files)).find((each) => each.uid === uid)?.gid)
  return { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) }
}
