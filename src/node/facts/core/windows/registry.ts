import { toBackslashes } from '../../../../machine/windows/machine-path.ts'
import { getSystemProgram } from '../../../../machine/windows/system-programs.ts'
import type { Machine } from '../../machine.ts'

/** The values of a key of the registry, by name in lower case. A number is a text such as `0x1`. */
export type RegistryValues = Readonly<Record<string, string | undefined>>

/**
 * The values of a key of the registry below HKEY_LOCAL_MACHINE; empty if the key is missing. `reg.exe query` reads one key,
 * where the exact `reg.exe export` of `machine/registry` would write all its subkeys, megabytes for `Windows NT`.
 */
export async function readRegistryKey(machine: Machine, key: string): Promise<RegistryValues> {
  return parseRegistryValues(
    await machine.output([toBackslashes(getSystemProgram('reg.exe')), 'query', `HKLM\\${key}`]),
  )
}

/** Parses rows of `reg.exe query`: `    EditionID    REG_SZ    ServerStandard`. Rows with keys are ignored. */
export function parseRegistryValues(printed: string): RegistryValues {
  const rows = printed.split('\n').flatMap((row) => {
    const [, name, value = ''] = /^ {4}(\S.{0,255}?) {4}REG_[A-Z_]+(?: {4}(.*))?$/.exec(row.replace(/\r$/, '')) ?? []
    return name === undefined ? [] : [[name.toLowerCase(), value] as const]
  })
  return Object.fromEntries(rows)
}
