import { posix } from 'node:path'
import { type Account, listAccounts } from '../../../../machine/system/accounts.ts'
import type { System } from '../../../../machine/system/system.ts'
import { failWithFormError, failWithMessage } from '../../issues.ts'
import type { RunLog } from '../../provider.ts'
import { defineRecordProvider, flushRecord, type RecordWork } from '../../records/record-provider.ts'
import { createFlatFileStorage, failFileAccess, type RecordStorage } from '../../records/record-storage.ts'
import { sshAuthorizedKey } from '../../types/ssh-authorized-key.ts'
import { assignKeyNames, formatKeyLine, parseKeyLine } from './key-line.ts'

type KeyWork = RecordWork<(typeof sshAuthorizedKey)['attributes']>

const ownersOnly = 0o600
const folderMode = 0o700

/**
 * The provider of `ssh_authorized_key`, which writes users' `.ssh/authorized_keys` with the user's
 * permissions.
 */
export const authorizedKeyParsed = defineRecordProvider(sshAuthorizedKey, 'parsed', {
  doc: 'Manages authorized keys in files of users.',
  format: {
    fields: ['options', 'type', 'key', 'name'],
    parse: parseKeyLine,
    print: formatKeyLine,
    join: assignKeyNames,
  },
  targets: async () => [],
  async locate({ system }, resource) {
    const account = await findAccount(system, resource.get('user'))
    if (account && !resource.has('target')) resource.put('target', posix.join(account.home, '.ssh/authorized_keys'))
  },
  async flush(work) {
    const { resource, system, state } = work
    const logMessage: RunLog = (level, message) => work.log(level, message, '')
    const user = resource.get('user') ?? failWithFormError('Cannot write SSH authorized keys without user')
    const account = (await findAccount(system, user)) ?? failWithMessage(`User '${user}' does not exist`)
    const target = String(state.record.values['target'] ?? resource.get('target'))
    await state.store.backUp(target)
    const isOther = process.getuid?.() === 0 && account.uid !== 0
    if (resource.get('drop_privileges')) {
      const place = isOther ? createUserStorage(system, account, logMessage) : createFlatFileStorage(work, logMessage)
      if (!(await system.files.stat(posix.dirname(target)))) await createFolder(work, posix.dirname(target), account)
      await flushRecord(work, place)
      if (!isOther) await system.files.chmod(target, ownersOnly)
      return
    }
    if (!(await isTrusted(work, target)))
      failWithFormError('drop_privileges is false but the target path is not trusted')
    await flushRecord(work)
    await system.files.chown(target, account.uid, account.gid)
    await system.files.chmod(target, ownersOnly)
  },
})

async function findAccount({ files }: System, user: string | undefined): Promise<Account | undefined> {
  return (await listAccounts(files)).find(({ name, uid }) => name === user || String(uid) === user)
}

async function createFolder({ log, system }: KeyWork, folder: string, { name, uid, gid }: Account) {
  log('debug', `Creating ${folder} as ${name}`, '')
  const who = process.getuid?.() === 0 ? { uid, gid } : {}
  const { status, stderr } = await system.commands.run(['mkdir', '-m', folderMode.toString(8), '--', folder], who)
  if (status !== 0) failWithMessage(`${getErrorReason(stderr)} @ dir_s_mkdir - ${folder}`)
}

/** The reason in an error: `Permission denied` in `mkdir: cannot create directory ‘/x’: Permission denied`. */
function getErrorReason(output: string): string {
  return output.trim().split(': ').at(-1) ?? ''
}

/** Files accessed as a user, so that the owner of a folder cannot redirect root's writes with a symbolic link. */
function createUserStorage({ files, commands }: System, { uid, gid }: Account, log: RunLog): RecordStorage {
  const runAsUser = async (path: string, command: readonly string[], input?: string) => {
    const { status, stderr } = await commands.run(command, {
      uid,
      gid,
      umask: 0o077,
      ...(input !== undefined && { input }),
    })
    if (status !== 0) failFileAccess(log, 'write', path, `${getErrorReason(stderr)} @ rb_sysopen - ${path}`)
  }
  return {
    read: async () => undefined,
    async write(path, text) {
      const beside = posix.join(posix.dirname(path), `.${posix.basename(path)}.plumb`)
      const place = (await files.stat(path))?.kind === 'link' ? path : beside
      await runAsUser(path, ['tee', '--', place], text)
      await runAsUser(path, ['chmod', ownersOnly.toString(8), '--', place])
      if (place === beside) await runAsUser(path, ['mv', '-fT', '--', beside, path])
    },
  }
}

/** True if no other user can change the folders of a path. */
async function isTrusted({ system: { files }, log }: KeyWork, target: string): Promise<boolean> {
  for (let folder = posix.dirname(target); posix.dirname(folder) !== '/'; folder = posix.dirname(folder)) {
    const stat = await files.stat(folder)
    if (!stat && folder === posix.dirname(target)) return false
    if (stat?.kind !== 'directory' || stat.uid !== process.geteuid?.() || (stat.mode & 0o022) !== 0) {
      log('debug', 'Path untrusted, will attempt to write as the target user', '')
      return false
    }
  }
  log('debug', 'Path trusted, writing the file as the current user', '')
  return true
}
