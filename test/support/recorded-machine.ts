import { localSystem } from '../../src/machine/system/local-system.ts'
import { createMachine, type HostData, type Machine } from '../../src/node/facts/machine.ts'

/** What was recorded of a machine. */
export interface Recording {
  /** Texts by path; folders follow from them. */
  readonly files?: Readonly<Record<string, string>>
  /** What programs print, by their command line. */
  readonly outputs?: Readonly<Record<string, string>>
  readonly host?: Partial<HostData>
}

/** A machine with the files and the programs that were recorded, and nothing else. */
export function recordedMachine({ files = {}, outputs = {}, host = {} }: Recording): Machine {
  const paths = Object.keys(files)
  const namesIn = (folder: string) => {
    const below = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1))
    return [...new Set(below.map((path) => path.split('/')[0]!))].sort()
  }
  const at = { mode: 0o644, uid: 0, gid: 0, size: 0, accessed: 0, modified: 0, changed: 0 }
  const system = {
    ...localSystem,
    files: {
      ...localSystem.files,
      readText: async (path: string) => files[path],
      read: async (path: string) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
      readWithin: async (path: string) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
      readLink: async () => undefined,
      list: async (folder: string) => (namesIn(folder).length === 0 ? undefined : namesIn(folder)),
      stat: async (path: string) => {
        if (files[path] !== undefined) return { ...at, kind: 'file' as const }
        return namesIn(path).length === 0 ? undefined : { ...at, kind: 'directory' as const }
      },
    },
  }
  return createMachine(system, {
    kernel: 'Linux',
    kernelRelease: '6.18.44-fc-v595',
    hardware: 'x86_64',
    hostname: 'vm',
    variables: { PATH: '/usr/bin' },
    user: { uid: 0, gid: 0 },
    addresses: () => [],
    space: async () => undefined,
    output: async (command) => outputs[command.join(' ')] ?? '',
    ...host,
  })
}
