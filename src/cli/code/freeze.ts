import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getControlPath, requestFreeze, type ServerCode } from '../../deploy/control/control-socket.ts'
import { getPusher } from '../../deploy/pusher.ts'
import type { FreezeRequest } from '../../deploy/sources/freeze-request.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { throwNoRunningServer } from '../connection/server-errors.ts'
import { printStatuses } from './status.ts'

const issues = defineIssues({
  FREEZE_WITHOUT_REASON: {
    text: (_: object) => 'Freezing an environment requires a message',
    hint: () => "Use --message 'until the audit on Friday'. 'plumb code status' prints the message.",
  },
})

/** The command `plumb code freeze`. */
export const codeFreeze = defineCommand({
  name: 'freeze',
  summary: 'Freeze environments at the commits that they serve.',
  description: `A frozen environment serves the same commit, even after a server restart, until 'plumb code unfreeze'. Its source
is still fetched. 'plumb code status' prints the message, the time and the user of the freeze.

  plumb code freeze production --message 'until the audit on Friday'`,
  usage: '<environments...>',
  options: [{ flags: '--message <text>', doc: 'Reason for the freeze (required).' }],
  async run(invocation) {
    const { message } = invocation.options
    if (message === undefined || message.trim() === '') return throwIssue(issues.FREEZE_WITHOUT_REASON, {})
    return setFreezeMessage(invocation, message)
  },
})

/** The command `plumb code unfreeze`. */
export const codeUnfreeze = defineCommand({
  name: 'unfreeze',
  summary: 'Unfreeze environments, and wait until they serve their current commits.',
  usage: '<environments...>',
  run: (invocation) => setFreezeMessage(invocation, null),
})

async function setFreezeMessage(
  { args, settings: given, io }: Pick<CommandInvocation, 'args' | 'settings' | 'io'>,
  message: string | null,
): Promise<number> {
  const path = getControlPath(loadSettings({ given, runMode: 'server' }))
  let code: ServerCode | undefined
  for (const environment of args) {
    const asked: FreezeRequest = { environment, message, by: getPusher(process.env) }
    code = (await requestFreeze(path, asked)) ?? throwNoRunningServer(path)
  }
  const shown = code?.environments.filter(({ name }) => args.includes(name)) ?? []
  printStatuses(shown, 'text', io, code?.sources)
  return 0
}
