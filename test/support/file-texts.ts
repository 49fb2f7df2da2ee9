import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The texts of all files below a folder, by their paths: a part of the question that recorded answers belong to. */
export function fileTexts(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const)
}
