import { powershell } from '../../../../../src/machine/windows/power-shell.ts'
import { collectAllFacts } from '../../../../../src/node/facts/collection.ts'
import { inventoryCommand } from '../../../../../src/node/facts/core/windows/inventory.ts'
import type { FactValues } from '../../../../../src/node/facts/fact.ts'
import type { Machine, WindowsData } from '../../../../../src/node/facts/machine.ts'
import { sources } from '../../../../../src/node/facts/sources.ts'
import { type Recording, recordedMachine } from '../../../../support/recorded-machine.ts'

/** What was recorded of a machine with Windows. */
export interface WindowsRecording extends Recording {
  /** What reg.exe prints, by key. */
  readonly registry?: Readonly<Record<string, string>>
  /** What PowerShell prints; undefined where it is not installed. */
  readonly inventory?: string | undefined
  readonly windows?: Partial<WindowsData>
}

/** A machine with Windows of which only this is known. */
export function windowsMachine({ registry = {}, inventory, windows = {}, files, host }: WindowsRecording): Machine {
  const queries = Object.entries(registry).map(
    ([key, printed]) => [String.raw`C:\Windows\System32\reg.exe query HKLM\ `.trim() + key, printed] as const,
  )
  const printed = inventory === undefined ? {} : { [inventoryCommand.join(' ')]: inventory }
  const data = { userName: 'vagrant', isPrivileged: true, totalMemory: 0, freeMemory: 0, uptime: 60, models: [] }
  return recordedMachine({
    files: { ...files, ...(inventory !== undefined && { [powershell]: '' }) },
    outputs: { ...Object.fromEntries(queries), ...printed },
    host: {
      kernel: 'windows',
      kernelRelease: '10.0.20348',
      hostname: 'foo',
      windows: () => ({ ...data, ...windows }),
      ...host,
    },
  })
}

/** All sources but the one that sends requests to the services of clouds. */
const local = sources['windows']?.filter(({ names }) => !names.includes('cloud.provider')) ?? []

/** The facts of a machine with Windows, as plain JSON. */
export async function windowsFacts(recording: WindowsRecording, legacy = false): Promise<FactValues> {
  const log = (level: string, message: string) => {
    if (level !== 'debug') throw new Error(message)
  }
  const options = { factDirectories: [], externalDirectories: [], sources: local, legacy, log }
  return JSON.parse(JSON.stringify((await collectAllFacts(windowsMachine(recording), options)).values))
}
