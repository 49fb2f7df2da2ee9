import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Name of a file in the traces folder of an environment. If the file exists, the traces are not used. */
const marker = 'off'

/**
 * Returns true if traces of an environment are disabled, because a recalled catalog differed from
 * the compiled one.
 */
export function areTracesDisabled(folder: string): boolean {
  return existsSync(join(folder, marker))
}

/** Disables an environment's traces; stores the reason for the administrator. */
export function disableTraces(folder: string, reason: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, marker), `${reason}\n`, { mode: 0o600 })
}

/** Enables an environment's traces again; deletes the existing traces. */
export function enableTraces(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Writes a recalled catalog and the differing compiled catalog to files, for debugging. */
export function writeDifferentCatalogs(
  folder: string,
  node: string,
  { recalled, compiled }: { readonly recalled: Uint8Array; readonly compiled: Uint8Array },
): void {
  writeFileSync(join(folder, `${node}.recalled.json`), recalled, { mode: 0o600 })
  writeFileSync(join(folder, `${node}.compiled.json`), compiled, { mode: 0o600 })
}
