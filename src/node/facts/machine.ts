import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { arch, cpus, freemem, hostname, networkInterfaces, release, totalmem, type, uptime, userInfo } from 'node:os'
import { promisify } from 'node:util'
import { directSystem } from '../../machine/system/local-system.ts'
import type { System } from '../../machine/system/system.ts'
import { readExactVariables } from '../../machine/system/variables.ts'
import { isWindows } from '../../machine/windows/machine-path.ts'
import { isPrivileged } from '../../machine/windows/privilege.ts'

/** The machine as seen by fact sources: files, programs and kernel data. */
export interface Machine extends System, HostData {
  /** Calls a function once per collection of facts, and caches its result for all fact sources. */
  once<Answer>(question: (machine: Machine) => Promise<Answer>): Promise<Answer>
}

/** Kernel data and program output. Tests replace them with data recorded on other machines. */
export interface HostData {
  /** The name of the kernel as in the fact: `Linux`, `Darwin`, `windows`. */
  readonly kernel: string
  /** Empty for a root directory, which has no running kernel. */
  readonly kernelRelease: string
  /** The hardware name printed by `uname -m`; empty if unknown. */
  readonly hardware: string
  readonly hostname: string
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly user: { readonly uid: number; readonly gid: number }
  addresses(): readonly InterfaceAddress[]
  /** Size of a mounted file system in bytes; undefined if the kernel does not report it. */
  space(path: string): Promise<Space | undefined>
  /** The output of a program, with standard error if `errors` is set; empty if the program is missing. */
  output(command: readonly string[], options?: { readonly errors: boolean }): Promise<string>
  /** Data of Windows, where neither files nor programs contain them. */
  windows?(): WindowsData
}

/** Data of the kernel of Windows, and of the user of this process. */
export interface WindowsData {
  /** The name without the domain. */
  readonly userName: string
  readonly isPrivileged: boolean
  /** Main memory in bytes. */
  readonly totalMemory: number
  readonly freeMemory: number
  /** Seconds since boot. */
  readonly uptime: number
  /** The model of each logical processor. */
  readonly models: readonly string[]
}

/** An address of a network interface. */
export interface InterfaceAddress {
  readonly interface: string
  readonly address: string
  readonly netmask: string
  readonly mac?: string
}

/** Size of a file system in bytes. */
export interface Space {
  readonly size: number
  readonly available: number
  readonly used: number
}

const run = promisify(execFile)
/** Timeout of a program in seconds. */
const patience = 20
/** Maximum output of a program in bytes. A list of a thousand disks needs a hundredth of this size. */
const maxOutput = 16 * 1024 * 1024

/** The data of the local machine. */
export function readLocalHost(): HostData {
  return {
    kernel: isWindows ? 'windows' : type(),
    kernelRelease: release(),
    hardware: hardwareNames[arch()] ?? arch(),
    hostname: hostname(),
    variables: readExactVariables(),
    user: { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 },
    addresses: () =>
      Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
        all.map(({ address, netmask, mac }) => ({
          interface: name,
          address: address.replace(/%.*$/s, ''),
          netmask,
          mac,
        })),
      ),
    space: readFileSystemSpace,
    output: createProgramRunner(process.env),
    ...(isWindows && { windows: readWindowsData }),
  }
}

function readWindowsData(): WindowsData {
  return {
    userName: userInfo().username,
    isPrivileged: isPrivileged(),
    totalMemory: totalmem(),
    freeMemory: freemem(),
    uptime: uptime(),
    models: cpus().map(({ model }) => model),
  }
}

const hardwareNames: Readonly<Record<string, string>> = {
  x64: 'x86_64',
  arm64: process.platform === 'darwin' ? 'arm64' : 'aarch64',
  ia32: 'i686',
  arm: 'armv7l',
}

async function readFileSystemSpace(path: string): Promise<Space | undefined> {
  const stats = await statfs(path).catch(() => undefined)
  if (!stats) return undefined
  const { blocks, bsize, bavail, bfree } = stats
  return { size: blocks * bsize, available: bavail * bsize, used: (blocks - bfree) * bsize }
}

/** Starts programs without execa, which takes longer to load than all facts take to collect. */
function createProgramRunner(variables: HostData['variables']): HostData['output'] {
  const additions = isWindows ? {} : { LC_ALL: 'C', LANG: 'C', PATH: `${variables['PATH'] ?? ''}:/sbin:/usr/sbin` }
  const env = { ...variables, ...additions }
  const limits = { timeout: patience * 1000, maxBuffer: maxOutput, killSignal: 'SIGKILL' } as const
  const options = { env, ...limits, windowsHide: true }
  return async ([program = '', ...args], { errors = false } = { errors: false }) => {
    const { stdout = '', stderr = '' } = await run(program, args, options).catch((error: Partial<Printed>) => error)
    return errors ? `${stdout}${stderr}` : stdout
  }
}

interface Printed {
  readonly stdout: string
  readonly stderr: string
}

/** Creates the machine for one collection of facts. */
export function createMachine(system: System = directSystem, host: HostData = readLocalHost()): Machine {
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
