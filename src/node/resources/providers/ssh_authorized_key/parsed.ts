import { posix } from 'node:path'
import { type Account, accounts } from '../../../../machine/system/accounts.ts'
import type { System } from '../../../../machine/system/system.ts'
import { complain, complainAboutForm } from '../../issues.ts'
import type { RunLog } from '../../provider.ts'
import { flatFiles, type RecordPlace, trouble } from '../../records/record-places.ts'
import { flushRecord, type RecordWork, recordProvider } from '../../records/record-provider.ts'
import { sshAuthorizedKey } from '../../types/ssh-authorized-key.ts'
import { nameUnnamed, parse, print } from './key-line.ts'

type KeyWork = RecordWork<(typeof sshAuthorizedKey)['attributes']>

const ownersOnly = 0o600
const folderMode = 0o700

/** Keys in users' `.ssh/authorized_keys`, written with the user's permissions. */
export const parsed = recordProvider(sshAuthorizedKey, 'parsed', {
  doc: 'Authorized keys in files of users.',
  format: { fields: ['options', 'type', 'key', 'name'], parse, print, join: nameUnnamed },
  targets: async () => [],
  async locate({ system }, resource) {
    const account = await accountOf(system, resource.get('user'))
    if (account && !resource.has('target')) resource.put('target', posix.join(account.home, '.ssh/authorized_keys'))
  },
  async flush(work) {
    const { resource, system, state } = work
    const log: RunLog = (level, message) => work.log(level, message, '')
    const user = resource.get('user') ?? complainAboutForm('Cannot write SSH authorized keys without user')
    const account = (await accountOf(system, user)) ?? complain(`User '${user}' does not exist`)
    const target = String(state.record.values['target'] ?? resource.get('target'))
    await state.store.backUp(target)
    const isOther = process.getuid?.() === 0 && account.uid !== 0
    if (resource.get('drop_privileges')) {
      const place = isOther ? filesOf(system, account, log) : flatFiles(work, log)
      if (!(await system.files.stat(posix.dirname(target)))) await makeFolder(work, posix.dirname(target), account)
      await flushRecord(work, place)
      if (!isOther) await system.files.chmod(target, ownersOnly)
      return
    }
    if (!(await isTrusted(work, target)))
      complainAboutForm('drop_privileges is false but the target path is not trusted')
    await flushRecord(work)
    await system.files.chown(target, account.uid, account.gid)
    await system.files.chmod(target, ownersOnly)
  },
})

async function accountOf({ files }: System, user: string | undefined): Promise<Account | undefined> {
  return (await accounts(files)).find(({ name, uid }) => name === user || String(uid) === user)
}

async function makeFolder({ log, system }: KeyWork, folder: string, { name, uid, gid }: Account) {
  log('debug', `Creating ${folder} as ${name}`, '')
  const who = process.getuid?.() === 0 ? { uid, gid } : {}
  const { status, stderr } = await system.commands.run(['mkdir', '-m', folderMode.toString(8), '--', folder], who)
  if (status !== 0) complain(`${reasonIn(stderr)} @ dir_s_mkdir - ${folder}`)
}

/** The reason in an error: `Permission denied` in `mkdir: cannot create directory ‘/x’: Permission denied`. */
function reasonIn(output: string): string {
  return output.trim().split(': ').at(-1) ?? ''
}

/** Files accessed as a user, so that the owner of a folder cannot redirect root's writes with a symbolic link. */
function filesOf({ files, commands }: System, { uid, gid }: Account, log: RunLog): RecordPlace {
  const asUser = async (path: string, command: readonly string[], input?: string) => {
    const { status, stderr } = await commands.run(command, {
      uid,
      gid,
      umask: 0o077,
      ...(input !== undefined && { input }),
    })
    if (status !== 0) trouble(log, 'write', path, `${reasonIn(stderr)} @ rb_sysopen - ${path}`)
  }
  return {
    read: async () => undefined,
    async write(path, text) {
      const beside = posix.join(posix.dirname(path), `.${posix.basename(path)}.plumb`)
      const place = (await files.stat(path))?.kind === 'link' ? path : beside
      await asUser(path, ['tee', '--', place], text)
      await asUser(path, ['chmod', ownersOnly.toString(8), '--', place])
      if (place === beside) await asUser(path, ['mv', '-fT', '--', beside, path])
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
