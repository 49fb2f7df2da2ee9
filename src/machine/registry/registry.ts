import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { CommandResult, System } from '../system/system.ts'
import { withHiddenFolder } from '../system/temporary-folder.ts'
import { toBackslashes } from '../windows/machine-path.ts'
import { getSystemProgram } from '../windows/system-programs.ts'
import { registryIssues } from './issues.ts'
import { formatRegistryFile, type RegistryChange, RegistryFileParser, type RegistryKey } from './registry-file.ts'

/** The part of the registry that programs of 64 or 32 bits see. On a 32-bit Windows, both are the same. */
export type RegistryView = 64 | 32

/** Output of `reg query` that is enough to see that a key exists. */
const queryOutput = 65_536

/** Reads the values of a key, without subkeys; undefined if the key does not exist. */
export async function readRegistryKey(
  system: System,
  path: string,
  view: RegistryView = 64,
): Promise<RegistryKey | undefined> {
  const [first] = await exportKeys(system, path, view, 1)
  return first
}

/** Reads a key and all keys below it, parents first; empty if the key does not exist. */
export function readRegistryTree(
  system: System,
  path: string,
  view: RegistryView = 64,
): Promise<readonly RegistryKey[]> {
  return exportKeys(system, path, view, budgets.machine.registryKeys.bound)
}

/** Makes changes in their order. Throws REGISTRY_UNWRITABLE if one of them fails; earlier changes stay. */
export async function changeRegistry(
  system: System,
  changes: readonly RegistryChange[],
  view: RegistryView = 64,
): Promise<void> {
  const content = formatRegistryFile(changes)
  await withHiddenFolder(system, async (folder) => {
    const file = `${folder}/change.reg`
    await system.files.write(file, content, 0o600)
    const result = await runReg(system, ['import', toBackslashes(file), `/reg:${view}`])
    if (result.status === 0 && !result.timedOut) return
    throwIssue(registryIssues.REGISTRY_UNWRITABLE, { key: changes[0]?.key ?? '', why: describe(result) })
  })
}

/** Removes a key with its subkeys. Throws REGISTRY_UNWRITABLE, also if the key does not exist. */
export async function removeRegistryKey(system: System, path: string, view: RegistryView = 64): Promise<void> {
  const result = await runReg(system, ['delete', path, '/f', `/reg:${view}`])
  if (result.status === 0 && !result.timedOut) return
  throwIssue(registryIssues.REGISTRY_UNWRITABLE, { key: path, why: describe(result) })
}

/** A key's values are at the start of the file, so that the rest of a large tree is not read. */
async function exportKeys(system: System, path: string, view: RegistryView, most: number): Promise<RegistryKey[]> {
  return withHiddenFolder(system, async (folder) => {
    const file = `${folder}/export.reg`
    const result = await runReg(system, ['export', path, toBackslashes(file), '/y', `/reg:${view}`])
    const isComplete = result.status === 0 && !result.timedOut
    const parts = await system.files.readParts(file)
    const { keys, isPartial } = parts ? await parseKeys(parts, path, most) : { keys: [], isPartial: false }
    // An export that ends early, at a subkey without access or at the time limit, has all values of the first key.
    if (isComplete || (isPartial && most === 1)) return keys
    if (result.timedOut || (await hasRegistryKey(system, path, view))) {
      throwIssue(registryIssues.REGISTRY_UNREADABLE, { key: path, why: describe(result) })
    }
    return []
  })
}

/** Parses up to a number of keys. `isPartial` means that the file has more keys than one. */
async function parseKeys(
  parts: AsyncIterable<Uint8Array>,
  path: string,
  most: number,
): Promise<{ keys: RegistryKey[]; isPartial: boolean }> {
  const keys: RegistryKey[] = []
  const parser = new RegistryFileParser((key) => keys.push(key))
  for await (const line of readLines(parts, path)) {
    parser.readLine(line)
    if (keys.length === most) return { keys, isPartial: true }
  }
  parser.end()
  return { keys, isPartial: false }
}

/** Lines of a file in UTF-16, without their breaks. */
async function* readLines(parts: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  let line: string[] = []
  let bytes = 0
  for await (const part of parts) {
    bytes += part.length
    if (bytes > budgets.machine.registryExport.bound) {
      throwIssue(registryIssues.REGISTRY_UNREADABLE, { key: path, why: `it has more than ${bytes} bytes` })
    }
    const all = Buffer.concat([rest, part])
    rest = all.subarray(all.length & ~1)
    const [first = '', ...others] = all.toString('utf16le', 0, all.length & ~1).split('\n')
    line.push(first)
    for (const next of others) {
      yield line.join('').replace(/\r$/, '')
      line = [next]
    }
  }
  yield line.join('').replace(/\r$/, '')
}

/** True if a key exists. Throws REGISTRY_DENIED where the output of an English Windows reports it; other languages report a missing key. */
export async function hasRegistryKey(system: System, path: string, view: RegistryView): Promise<boolean> {
  const result = await runReg(system, ['query', path, `/reg:${view}`], queryOutput)
  if (/\bdenied\b/i.test(result.stderr)) throwIssue(registryIssues.REGISTRY_DENIED, { key: path })
  return result.status === 0 || result.overflowed === true
}

function runReg(system: System, words: readonly string[], maxOutput = queryOutput): Promise<CommandResult> {
  const timeout = budgets.machine.registryTime.bound / 1000
  return system.commands.run([getSystemProgram('reg.exe'), ...words], { timeout, maxOutput })
}

const describe = ({ output, timedOut, status }: CommandResult): string =>
  timedOut ? 'reg.exe did not end in time' : output.trim() || `reg.exe ended with status ${status}`
