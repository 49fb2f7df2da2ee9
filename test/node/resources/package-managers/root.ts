import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import type { Commands } from '../../../../src/machine/system/system.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** The folder into which `unpack-tools.sh` unpacks the package managers. */
const tools = '/var/cache/plumb-package-managers'

const repository = resolve(import.meta.dirname, '../../../..')

/** A root file system with package managers, repositories and databases of its own. */
export interface ManagerRoot {
  /** The command line that runs a command inside. */
  enter(command: readonly string[]): readonly string[]
  /** The output of a shell script that runs inside. */
  run(script: string): string
  /** Commands that run inside. */
  readonly commands: Commands
  close(): Promise<void>
}

/** Lays a file system in memory, with the tools, over the root of this machine, and keeps it until standard input ends. */
const holder = `
mount -t tmpfs none "$0"; mkdir "$0/work" "$0/root"; cp -a "$1" "$0/upper"
mount -t overlay overlay -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work" "$0/root"
mount -t proc proc "$0/root/proc"; mount --rbind /dev "$0/root/dev"
for folder in /tmp "$2"; do mkdir -p "$0/root$folder"; mount --bind "$folder" "$0/root$folder"; done
echo $$; exec cat`

/** Opens a root in which nothing is installed but the packages of `make-root.sh`; `setup` is a script that adds to it. */
export async function openRoot(setup = ''): Promise<ManagerRoot> {
  const folder = scratchFolder('managers')
  const child = spawn('unshare', ['-m', '-n', 'sh', '-ec', holder, folder, tools, repository], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const pid = await firstLine(child)
  const enter = (command: readonly string[]) => [
    'nsenter',
    `--mount=/proc/${pid}/ns/mnt`,
    `--net=/proc/${pid}/ns/net`,
    'chroot',
    join(folder, 'root'),
    ...command,
  ]
  const run = (script: string) => {
    const [program = '', ...words] = enter(['/bin/sh', '-ec', script])
    return execFileSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 26 })
  }
  run(`bash ${join(import.meta.dirname, 'make-root.sh')} 2>/dev/null; ${setup}`)
  return {
    enter,
    run,
    commands: {
      async find(name) {
        const command = enter(['/bin/sh', '-c', 'PATH=/usr/sbin:/usr/bin command -v "$0"', name])
        const { status, stdout } = await localSystem.commands.run(command)
        return status === 0 ? stdout.trim() : undefined
      },
      run: (command, options) => localSystem.commands.run(enter(command), options),
    },
    async close() {
      const ended = new Promise((done) => child.once('exit', done))
      child.stdin?.end()
      await ended
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    child.stdout?.once('data', (data: Buffer) => done(String(data).trim()))
    child.once('exit', (status) => failed(new Error(`The root could not be made: unshare ended with ${status}`)))
  })
}
