import { defineIssues, fail } from '../../base/issue.ts'
import { askToFreeze, controlPath, type ServerCode } from '../../deploy/control/control.ts'
import { pusherOf } from '../../deploy/pusher.ts'
import type { AskedFreeze } from '../../deploy/sources/asked-freeze.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { defineCommand, type Invocation } from '../command/command.ts'
import { noServer } from '../connection/no-server.ts'
import { showStatuses } from './status.ts'

const issues = defineIssues({
  FREEZE_WITHOUT_REASON: {
    text: (_: object) => 'Freezing an environment requires a message',
    hint: () => "Use --message 'until the audit on Friday'. 'plumb code status' prints the message.",
  },
})

/** `plumb code freeze` */
export const codeFreeze = defineCommand({
  name: 'freeze',
  summary: 'Freeze environments at the commits that they serve.',
  description: `A frozen environment serves the same commit, also after restarts of the server, until 'plumb code unfreeze'. Its source
is still fetched. 'plumb code status' prints the message, the time and the user of the freeze.

  plumb code freeze production --message 'until the audit on Friday'`,
  usage: '<environments...>',
  options: [{ flags: '--message <text>', doc: 'Reason for the freeze (required).' }],
  async run(invocation) {
    const { message } = invocation.options
    if (message === undefined || message.trim() === '') return fail(issues.FREEZE_WITHOUT_REASON, {})
    return setFrozen(invocation, message)
  },
})

/** `plumb code unfreeze` */
export const codeUnfreeze = defineCommand({
  name: 'unfreeze',
  summary: 'Unfreeze environments, and wait until they serve their current commits.',
  usage: '<environments...>',
  run: (invocation) => setFrozen(invocation, null),
})

async function setFrozen(
  { args, settings: given, io }: Pick<Invocation, 'args' | 'settings' | 'io'>,
  message: string | null,
): Promise<number> {
  const path = controlPath(loadSettings({ given, runMode: 'server' }))
  let code: ServerCode | undefined
  for (const environment of args) {
    const asked: AskedFreeze = { environment, message, by: pusherOf(process.env) }
    code = (await askToFreeze(path, asked)) ?? noServer(path)
  }
  const shown = code?.environments.filter(({ name }) => args.includes(name)) ?? []
  showStatuses(shown, 'text', io, code?.sources)
  return 0
}
