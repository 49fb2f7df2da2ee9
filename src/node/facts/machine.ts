import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { arch, hostname, networkInterfaces, release, type } from 'node:os'
import { promisify } from 'node:util'
import { directSystem } from '../../machine/system/local-system.ts'
import type { System } from '../../machine/system/system.ts'
import { exactVariables } from '../../machine/system/variables.ts'

/** The machine as the sources of facts see it: its files and programs, and what the kernel says when it is asked. */
export interface Machine extends System, Host {
  /** The answer to a question of several sources, found out once in a collection. */
  once<Answer>(question: (machine: Machine) => Promise<Answer>): Promise<Answer>
}

/** The answers of the kernel. A recorded machine has its own. */
export interface Host {
  readonly kernel: string
  readonly kernelRelease: string
  /** As `uname -m` prints it. */
  readonly hardware: string
  readonly hostname: string
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly user: { readonly uid: number; readonly gid: number }
  addresses(): readonly Address[]
  /** Bytes of a mounted file system; `undefined` where the kernel does not say. */
  space(path: string): Promise<Space | undefined>
  /** Printed text of a program, also that of errors where asked for; nothing where there is no such program. */
  output(command: readonly string[], options?: { readonly errors: boolean }): Promise<string>
}

/** An address of an interface. */
export interface Address {
  readonly interface: string
  readonly address: string
  readonly netmask: string
}

/** Bytes of a file system. */
export interface Space {
  readonly size: number
  readonly available: number
  readonly used: number
}

const run = promisify(execFile)
/** Seconds after which a program has no answer. */
const patience = 20
/** Bytes that a program may print: a list of a thousand disks has a hundredth of it. */
const maxOutput = 16 * 1024 * 1024

/** The answers of the machine that we run on. */
export function localHost(): Host {
  return {
    kernel: type(),
    kernelRelease: release(),
    hardware: hardwareOf[arch()] ?? arch(),
    hostname: hostname(),
    variables: exactVariables(),
    user: { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 },
    addresses: () =>
      Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
        all.map(({ address, netmask }) => ({ interface: name, address: address.replace(/%.*$/s, ''), netmask })),
      ),
    space: spaceOf,
    output: outputWith(process.env),
  }
}

const hardwareOf: Readonly<Record<string, string>> = {
  x64: 'x86_64',
  arm64: process.platform === 'darwin' ? 'arm64' : 'aarch64',
  ia32: 'i686',
  arm: 'armv7l',
}

async function spaceOf(path: string): Promise<Space | undefined> {
  const stats = await statfs(path).catch(() => undefined)
  if (!stats) return undefined
  const { blocks, bsize, bavail, bfree } = stats
  return { size: blocks * bsize, available: bavail * bsize, used: (blocks - bfree) * bsize }
}

/** Started without execa, which takes longer to load than all facts to find. */
function outputWith(variables: Host['variables']): Host['output'] {
  const env = { ...variables, LC_ALL: 'C', LANG: 'C', PATH: `${variables['PATH'] ?? ''}:/sbin:/usr/sbin` }
  const options = { env, timeout: patience * 1000, maxBuffer: maxOutput, killSignal: 'SIGKILL' as const }
  return async ([program = '', ...args], { errors = false } = { errors: false }) => {
    const { stdout = '', stderr = '' } = await run(program, args, options).catch((error: Partial<Printed>) => error)
    return errors ? `${stdout}${stderr}` : stdout
  }
}

interface Printed {
  readonly stdout: string
  readonly stderr: string
}

/** A machine for one collection of facts. */
export function machineOf(system: System = directSystem, host: Host = localHost()): Machine {
  const answers = new Map<unknown, Promise<unknown>>()
  const machine: Machine = {
    ...system,
    ...host,
    once<Answer>(question: (machine: Machine) => Promise<Answer>): Promise<Answer> {
      const known = answers.get(question) as Promise<Answer> | undefined
      const answer = known ?? question(machine)
      if (!known) answers.set(question, answer)
      return answer
    },
  }
  return machine
}
