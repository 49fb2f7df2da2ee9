import { throwIssue } from '../../../../base/issue.ts'
import { isAbsolutePath } from '../../../../machine/windows/machine-path.ts'
import type { CommandPlan } from '../../command-line.ts'
import { statManagedFile } from '../../file-tree.ts'
import type { ExecCommand } from '../../types/exec.ts'
import { defineExecProvider, type ExecWork, formatShownCommand, getProgram, programIssues } from './exec-provider.ts'

/**
 * Executes programs of Windows. A command line reaches the program unchanged. Unlike in Puppet, the words of an array reach
 * the program unchanged, too: Puppet quotes words with spaces only.
 */
export const execWindows = defineExecProvider(
  'windows',
  {
    validate(resource, command) {
      const program = getProgram(command)
      if (!isAbsolutePath(program, true) && !resource.has('path'))
        throwIssue(programIssues.NOT_QUALIFIED, { program: formatShownCommand(resource, program) })
    },
    validateUser(resource) {
      if (resource.has('user')) resource.failAttribute('user', 'Unable to execute commands as other users on Windows')
    },
    plan: planCommand,
    resolveIdentity: async () => ({}),
    pathSeparator: ';',
    lineEnd: /\r?\n/,
    removedVariables: {},
  },
  {
    doc: 'Executes external binaries on Windows systems, without passing through a shell.',
    suitable: { facts: { kernel: ['windows'] } },
    defaultFor: { kernel: ['windows'] },
  },
)

async function planCommand(work: ExecWork, command: ExecCommand): Promise<CommandPlan> {
  const file = await findProgram(work, getProgram(command))
  return typeof command === 'string' ? { words: [file], commandLine: command } : { words: [file, ...command.slice(1)] }
}

async function findProgram({ system, resource }: ExecWork, program: string): Promise<string> {
  const shown = { program: formatShownCommand(resource, program) }
  if (!isAbsolutePath(program, true)) {
    const found = await system.commands.find(program, resource.get('path')?.join(';') ?? '')
    return found ?? throwIssue(programIssues.COMMAND_NOT_FOUND, shown)
  }
  const stat = await statManagedFile(system.files, program, 'follow')
  if (!stat) throwIssue(programIssues.COMMAND_NOT_FOUND, shown)
  if (stat.kind !== 'file') throwIssue(programIssues.COMMAND_NO_FILE, { ...shown, kind: stat.kind })
  return program
}
