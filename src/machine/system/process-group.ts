import { readdir, readFile } from 'node:fs/promises'

/**
 * Sends a signal to all processes of a group except its leader, so that the leader can handle the
 * exit of its child processes. Returns false if the members of the group cannot be determined (no
 * /proc).
 */
export async function signalGroupMembers(leader: number, signal: NodeJS.Signals): Promise<boolean> {
  const names = await readdir('/proc').catch(() => [])
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const groups = await Promise.all(ids.map(readProcessGroup))
  if (!groups.includes(leader)) return false
  for (const [at, id] of ids.entries()) if (groups[at] === leader && id !== leader) signalProcess(id, signal)
  return true
}

/**
 * Sends a signal to a process, or to a process group if the ID is the negated ID of the group's
 * leader. A missing process is ignored.
 */
export function signalProcess(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal)
  } catch {}
}

/** The process group of a process: the third field after its name, which can contain any character. proc(5). */
async function readProcessGroup(id: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => '')
  const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === undefined ? undefined : Number(group)
}
