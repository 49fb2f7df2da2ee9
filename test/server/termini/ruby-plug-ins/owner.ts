import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** A folder of plug-ins with these files. */
export function plugInFolder(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder('plug-ins')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    chmodSync(join(folder, path), 0o644)
  }
  return folder
}

/** Level and message of the lines that a server logged. */
export function linesOf(log: readonly string[]): readonly (readonly [level: string, message: string])[] {
  return log.map((line) => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    return [level >= 50 ? 'err' : level >= 40 ? 'warning' : level >= 30 ? 'notice' : 'debug', msg] as const
  })
}
