import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file whose presence in an environment's folder of traces says that none is to be used. */
const marker = 'off'

/** True of an environment whose catalogs are all compiled, since a recalled one was another than the compiled one. */
export function isOff(folder: string): boolean {
  return existsSync(join(folder, marker))
}

/** Turns an environment's traces off; the reason is for who looks. */
export function turnOff(folder: string, reason: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, marker), `${reason}\n`, { mode: 0o600 })
}

/** Turns an environment's traces on, all of them made anew. */
export function turnOn(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Keeps a recalled catalog and the compiled one that differs from it, for who looks. */
export function writeDifferent(
  folder: string,
  node: string,
  { recalled, compiled }: { readonly recalled: Uint8Array; readonly compiled: Uint8Array },
): void {
  writeFileSync(join(folder, `${node}.recalled.json`), recalled, { mode: 0o600 })
  writeFileSync(join(folder, `${node}.compiled.json`), compiled, { mode: 0o600 })
}
