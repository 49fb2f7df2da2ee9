import { readFileSync } from 'node:fs'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { type BinaryPatches, computeReplacedDigest } from '../distribution.ts'
import { catchLoop } from './catch-loop.ts'
import { freeFiberJumps } from './fiber-jump-buffers.ts'
import { type Patch, RubyBinary } from './ruby-binary.ts'
import { scanBuffer } from './scan-buffer.ts'
import { markLeftFrames } from './suspended-frames.ts'

const issues = defineIssues({
  RUBY_PATCH: {
    text: (a: { patch: string; file: string; reason: string }) =>
      `Patch ${a.patch} does not apply to ${a.file}: ${a.reason}`,
    hint: () => 'Follow "Upgrade Ruby" in docs/ruby.md.',
  },
})

/** The patches, each for one fault; docs/ruby.md describes the faults. */
export const patches: readonly Patch[] = [markLeftFrames, scanBuffer, freeFiberJumps, catchLoop]

/**
 * Returns the edits of all patches that a binary of CRuby needs. `debugFile` is the same program with debugging
 * information. Throws RUBY_PATCH.
 */
export function patchRuby(file: string, debugFile: string): BinaryPatches {
  const binary = readFileSync(file)
  const runPatchStep = <Result>(patch: string, work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      return throwIssue(issues.RUBY_PATCH, { patch, file, reason: (error as Error).message })
    }
  }
  const names = patches.map(({ name }) => name).join(', ')
  const ruby = runPatchStep(names, () => new RubyBinary(binary, readFileSync(debugFile)))
  const replacements = patches.flatMap((patch) =>
    runPatchStep(patch.name, () => {
      if (patch.isFixed?.(ruby)) return []
      const found = patch.replacements(ruby)
      for (const [index, body] of found) body(index) // built here, so that an error in a body names its patch
      return found
    }),
  )
  const edits = ruby.functions.replace(replacements.toSorted(([one], [other]) => one - other))
  return { size: binary.length, digest: computeReplacedDigest(binary, edits), edits }
}
