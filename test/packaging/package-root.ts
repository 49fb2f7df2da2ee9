import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { whyNotMount } from '../support/may-mount.ts'
import { debianBase } from './debian-base.ts'

const root = join(import.meta.dirname, '../..')

/** Reason why packages are not tested here, for the title of a suite; empty if they are. */
export function whyNoPackages(programs: readonly string[]): string {
  const missing = programs.filter((name) => !['/usr/bin', '/usr/sbin'].some((at) => existsSync(join(at, name))))
  return whyNotMount() || (missing.length === 0 ? '' : ` (left out: ${missing.join(', ')} are not here)`)
}

/** The executable of this machine's processor, built once for all suites of a run in a folder of the system. */
export async function buildProgram(folder: string): Promise<{ readonly program: string; readonly target: string }> {
  const { packageExecutable } = await import('../../scripts/package/executable.js')
  const target = `linux-${process.arch}`
  return { program: await packageExecutable(folder, target), target }
}

/**
 * Runs a shell script with a Debian without Node at `$0/root`, whose changes are discarded afterwards, and returns its
 * lines. `$0/files` is in `/tmp` of this Debian, which has no network; `enter` runs a program in it.
 */
export function runInRoot(folder: string, files: Readonly<Record<string, string>>, script: string): readonly string[] {
  for (const each of ['files', 'up', 'root']) mkdirSync(join(folder, each), { recursive: true })
  const scripts = ['use-package.sh', 'try-package.sh'].map((name) => [name, join(import.meta.dirname, name)] as const)
  for (const [name, path] of [...scripts, ...Object.entries(files)]) cpSync(path, join(folder, 'files', name))
  const inside = `
mount -t tmpfs none "$0/up"; mkdir "$0/up/u" "$0/up/w"
mount -t overlay overlay -o "lowerdir=$1,upperdir=$0/up/u,workdir=$0/up/w" "$0/root"
mount -t proc proc "$0/root/proc"; mount --rbind /dev "$0/root/dev"
cp "$0/files/"* "$0/root/tmp/"
enter() { unshare -n chroot "$0/root" "$@"; }
${script}
`
  const words = ['-m', '-p', '-f', '--mount-proc', 'bash', '-ec', inside, folder, debianBase(folder)]
  const { stdout, stderr, status } = spawnSync('unshare', words, { encoding: 'utf8', maxBuffer: 1 << 26 })
  if (status !== 0) throw new Error(`The script ended with ${status}:\n${stdout}\n${stderr}`)
  return stdout.trim().split('\n')
}

/** The lines of use-package.sh. */
export const usage: readonly string[] = [
  `version: ${JSON.parse(execFileSync('cat', [join(root, 'package.json')], { encoding: 'utf8' })).version}`,
  'modes: root 755 plumb 750 root 755 root 755 plumb 750 ',
  'status: running',
  'another port: stopped',
  "server's vardir: /var/lib/plumb-server /var/lib/plumb-server",
  "agent's vardir: /var/lib/plumb",
  'as server: 1',
  'adopted: 1 root 600',
  'agent again: 0',
  'foreign: 0',
  'refused: 1 1',
  'ended: 0',
  'key: plumb 600',
  'demo: 0',
]
