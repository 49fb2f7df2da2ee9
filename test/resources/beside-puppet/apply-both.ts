import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { useRubyForRegexps } from '../../../src/ruby/regexp-engine.ts'
import { debianModules } from '../../support/debian-modules.ts'
import { hasPuppet, withoutPuppet } from '../../support/real-puppet.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import type { ApplyCase } from './apply-case.ts'
import { ownRuns } from './own-runs.ts'
import { realRuns } from './real-runs.ts'
import type { Run } from './run.ts'

/**
 * A suite of manifests: each is applied twice by ours and by real Puppet to the same files. What both say, report and
 * leave behind is equal, and so the second run changes what real Puppet's second run changes.
 */
export function applyBoth(title: string, modules: readonly string[], all: Readonly<Record<string, ApplyCase>>): void {
  const isNightly = process.env['CI_NIGHTLY'] === '1'
  const cases = Object.fromEntries(Object.entries(all).filter(([, { nightly }]) => isNightly || !nightly))
  if (Object.keys(cases).length === 0) return
  const scratch = scratchFolder('both')
  describe.skipIf(!hasPuppet)(`${title}${withoutPuppet}`, () => {
    let real: ReadonlyMap<string, readonly Run[]>
    beforeAll(() => {
      useRubyForRegexps()
      // Some resources are written as other users.
      chmodSync(scratch, 0o755)
      mkdirSync(join(scratch, 'modules'))
      for (const name of modules)
        symlinkSync(isAbsolute(name) ? name : join(debianModules, name), join(scratch, 'modules', basename(name)))
      real = realRuns(scratch, cases)
    }, 900_000)
    for (const [name, each] of Object.entries(cases))
      it(name, async () => {
        const own = await ownRuns(scratch, name, each)
        expect(compared(own, each)).toEqual(compared(real.get(name)!, each))
      })
  })
}

function compared(runs: readonly Run[], { withoutTags, unlike }: ApplyCase): readonly Run[] {
  const alike = unlike === undefined ? runs : runs.map((run) => without(unlike, run))
  if (withoutTags === undefined) return alike
  const bare = (resources: Run['resources']) =>
    Object.fromEntries(Object.entries(resources).map(([name, status]) => [name, { ...(status as object), tags: [] }]))
  return alike.map((run) => ({ ...run, resources: bare(run.resources) }))
}

function without(unlike: RegExp, run: Run): Run {
  const bare = (lines: readonly string[]) => lines.map((line) => line.replace(unlike, ''))
  return { ...run, out: bare(run.out), err: bare(run.err) }
}
