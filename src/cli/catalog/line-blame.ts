import { PuppetError } from '../../base/issue.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { BlamedLine, GitObjectSource } from '../../code/git/git-object-source.ts'
import type { ExplanationFrame, Origin } from '../../compiler/explain/origin.ts'

/** The last commit that changed each line, by file and line in the format of messages. */
export type BlamedLines = ReadonlyMap<string, BlamedLine>

/** The key of a line in `BlamedLines`. */
export function getLineKey(file: string | undefined, line: number | undefined): string {
  return `${line ?? ''} ${file ?? ''}`
}

/** Number of files blamed in parallel. */
const filesAtOnce = 2

/** Maximum number of blamed files. */
const maxFiles = 100

/** Finds the commits that last changed lines of the tree; lines that git cannot blame are left out. */
export async function blameLines(
  source: GitObjectSource,
  { codeId, root }: CodeTree,
  places: readonly Pick<Origin, 'file' | 'line'>[],
): Promise<BlamedLines> {
  const found = new Map<string, BlamedLine>()
  if (codeId === undefined || !source.blame) return found
  const wanted = new Map<string, Set<number>>()
  for (const { file, line } of places) {
    if (line === undefined || !file?.startsWith(`${root}/`)) continue
    wanted.set(file, (wanted.get(file) ?? new Set()).add(line))
  }
  const waiting = [...wanted].slice(0, maxFiles)
  const blameNextFiles = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [file, lines] = next
      for (const [line, blamed] of await blameFileLines(source, codeId, file.slice(root.length + 1), [...lines]))
        found.set(getLineKey(file, line), blamed)
    }
  }
  await Promise.all(Array.from({ length: filesAtOnce }, blameNextFiles))
  return found
}

/**
 * Blames lines of a file. Returns an empty map if git cannot: for a version printed by a program, or a file of a
 * submodule.
 */
async function blameFileLines(
  source: GitObjectSource,
  commit: string,
  path: string,
  lines: readonly number[],
): Promise<ReadonlyMap<number, BlamedLine>> {
  try {
    return await source.blame!(commit, path, lines)
  } catch (error) {
    if (error instanceof PuppetError || (error instanceof Error && error.name === 'TimeoutError')) return new Map()
    throw error
  }
}

/** The locations of origins and of all their inputs. */
export function listOriginLocations(origins: readonly (Origin | ExplanationFrame)[]): Pick<Origin, 'file' | 'line'>[] {
  return origins.flatMap((each) => [each, ...listOriginLocations(each.from)])
}
