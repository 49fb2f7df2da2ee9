import { posix } from 'node:path'
import { throwIssue } from '../../../../base/issue.ts'
import { listAccounts } from '../../../../machine/system/accounts.ts'
import { failWithMessage, issues } from '../../issues.ts'
import { type ProviderServices, type RunLog, runProviderProgram } from '../../provider.ts'
import { createRecord, defineRecordProvider, touchTargets } from '../../records/record-provider.ts'
import type { RecordStorage } from '../../records/record-storage.ts'
import { cron } from '../../types/cron.ts'
import { createCrontabFormat, isSameJob } from './crontab-lines.ts'

/** The provider of `cron`, which manages users' crontabs with the program `crontab`. */
export const crontab = defineRecordProvider(cron, 'crontab', {
  doc: 'Manages crontabs of users with `crontab`.',
  suitable: { commands: ['crontab'] },
  format: createCrontabFormat,
  place: createCrontabStorage,
  targets: async ({ system: { files } }) => {
    const folder = (await files.stat('/var/spool/cron/crontabs')) ? '/var/spool/cron/crontabs' : '/var/spool/cron'
    const found = [process.env['USER'] || 'root']
    for (const name of (await files.list(folder)) ?? [])
      if (!name.startsWith('.keep_') && (await files.stat(posix.join(folder, name)))?.kind === 'file') found.push(name)
    return found
  },
  accepts: ({ values }, resource) => values['target'] === resource.get('target'),
  isSame: ({ values }, resource) => isSameJob(values, resource),
  set: {
    async user(work, user: string) {
      touchTargets(work)
      Object.assign(work.state.record.values, { user, target: user })
    },
  },
  async create(work) {
    if (work.resource.has('command')) await createRecord(work)
    else work.log('err', 'no command specified, cannot create')
  },
})

/** Crontabs by user name. Puppet: provider/cron/filetype.rb. */
function createCrontabStorage({ system }: ProviderServices, log: RunLog): RecordStorage {
  const unread = new Map<string, string>()
  const getCrontabCommand = async (user: string) => {
    const account = (await listAccounts(system.files)).find(({ name }) => name === user)
    return account && (account.uid === process.getuid?.() ? ['crontab'] : ['crontab', '-u', user])
  }
  const logAndReturnEmpty = (user: string, why: string, then: string): string => {
    log('debug', `The ${user} user ${why}. ${then}`)
    return ''
  }
  return {
    async read(user) {
      const command = await getCrontabCommand(user)
      if (command === undefined)
        return logAndReturnEmpty(
          user,
          'does not exist',
          'Treating their crontab file as empty in case Puppet creates them in the middle of the run.',
        )
      const { status, output } = await runProviderProgram(system, [...command, '-l'])
      if (status === 0) return output
      if (output.includes('no crontab for')) return ''
      if (output.includes('are not allowed to'))
        return logAndReturnEmpty(
          user,
          'is not authorized to use cron',
          'Their crontab file is treated as empty in case Puppet authorizes them in the middle of the run (by, for example, modifying the cron.deny or cron.allow files).',
        )
      const said = issues.COMMAND_FAILED.text({ command: [...command, '-l'].join(' '), status, output: output.trim() })
      // The error is reported when a resource writes this crontab.
      unread.set(user, `Could not read crontab for ${user}: ${said}`)
      return ''
    },
    async write(user, text) {
      const why = unread.get(user)
      if (why !== undefined) failWithMessage(`Failed to read ${user}'s records when prefetching them. Reason: ${why}`)
      const command = await getCrontabCommand(user)
      if (command === undefined) failWithMessage(`Cannot write the ${user} user's crontab: The user does not exist`)
      const { status, output } = await system.commands.run([...command, '-'], { input: text })
      if (status !== 0)
        throwIssue(issues.COMMAND_FAILED, { command: [...command, '-'].join(' '), status, output: output.trim() })
    },
  }
}
