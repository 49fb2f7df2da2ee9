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
    text: (_: object) => 'A frozen environment needs a reason',
    hint: () =>
      "--message 'until the audit on Friday': whoever wonders why nothing moves reads it in 'plumb code status'.",
  },
})

/** `plumb code freeze` */
export const codeFreeze = defineCommand({
  name: 'freeze',
  summary: 'Keeps environments on the commits that they serve, whatever their source has.',
  description: `The environment stays as it is, over restarts of the server too, until 'plumb code unfreeze' lets it follow its ref again.
The source is fetched as before. 'plumb code status' shows the message, when it was frozen, and by whom.

  plumb code freeze production --message 'until the audit on Friday'`,
  usage: '<environments...>',
  options: [{ flags: '--message <text>', doc: 'The reason, for whoever wonders.' }],
  async run(invocation) {
    const { message } = invocation.options
    if (message === undefined || message.trim() === '') return fail(issues.FREEZE_WITHOUT_REASON, {})
    return setFrozen(invocation, message)
  },
})

/** `plumb code unfreeze` */
export const codeUnfreeze = defineCommand({
  name: 'unfreeze',
  summary: 'Lets frozen environments follow their refs again, and waits until that is served.',
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
