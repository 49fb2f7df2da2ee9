import type { Files } from './system.ts'

/** An entry of /etc/passwd. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly comment: string
  readonly home: string
  readonly shell: string
}

/** An entry of /etc/group. */
export interface AccountGroup {
  readonly name: string
  readonly gid: number
  readonly members: readonly string[]
}

/** The users of this machine. */
export async function listAccounts(files: Files): Promise<readonly Account[]> {
  return (await readEntries(files, '/etc/passwd')).map(
    ([name = '', , uid, gid, comment = '', home = '', shell = '']) => ({
      name,
      uid: Number(uid),
      gid: Number(gid),
      comment,
      home,
      shell,
    }),
  )
}

/** The groups of this machine. */
export async function listAccountGroups(files: Files): Promise<readonly AccountGroup[]> {
  return (await readEntries(files, '/etc/group')).map(([name = '', , gid, members = '']) => ({
    name,
    gid: Number(gid),
    members: members.split(',').filter((member) => member !== ''),
  }))
}

/** The UID of a user, given by name or UID. */
export async function findUid(files: Files, user: string | number): Promise<number | undefined> {
  if (typeof user === 'number' || /^\d+$/.test(user)) return Number(user)
  return (await listAccounts(files)).find(({ name }) => name === user)?.uid
}

/** The GID of a group, given by name or GID. */
export async function findGid(files: Files, group: string | number): Promise<number | undefined> {
  if (typeof group === 'number' || /^\d+$/.test(group)) return Number(group)
  return (await listAccountGroups(files)).find(({ name }) => name === group)?.gid
}

async function readEntries(files: Files, path: string): Promise<string[][]> {
  const text = (await files.readText(path)) ?? ''
  return text
    .split('\n')
    .filter((line) => line.includes(':') && !line.startsWith('#'))
    .map((line) => line.split(':'))
}
