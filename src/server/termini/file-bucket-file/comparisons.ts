import { budgets } from '../../../base/budgets/budgets.ts'
import { createPuppetError, throwIssue } from '../../../base/issue.ts'
import { Slots } from '../../../base/threads/slots.ts'
import type { Commands } from '../../../machine/system/system.ts'
import { bucketIssues } from './issues.ts'

const { bucketDiffs, bucketDiffFile, bucketDiffText, bucketDiffTime } = budgets.request

/** A file in the bucket. */
export interface ContentFile {
  readonly path: string
  readonly size: number
}

/**
 * Compares bucket files with the program `diff`, as Puppet does. Crafted files can take minutes, so
 * the process runs at low priority with a time limit. Puppet: util/diff.rb.
 */
export class Comparisons {
  readonly #commands: Pick<Commands, 'run'>
  readonly #slots = new Slots({ atOnce: bucketDiffs.bound, waiting: 0 }, () =>
    createPuppetError(bucketIssues.BUCKET_BUSY, {}),
  )

  constructor(commands: Pick<Commands, 'run'>) {
    this.#commands = commands
  }

  /** Output of `diff -u`. Throws BUCKET_BUSY, BUCKET_DIFF_…. */
  async compare(from: ContentFile, to: ContentFile): Promise<Uint8Array> {
    if (Math.max(from.size, to.size) > bucketDiffFile.bound) throwIssue(bucketIssues.BUCKET_DIFF_SIZE, {})
    return this.#slots.run(async () => {
      const result = await this.#commands.run(['nice', '-n', '19', 'diff', '-u', from.path, to.path], {
        env: { LANG: 'C', LC_ALL: 'C' },
        timeout: bucketDiffTime.bound / 1000,
        maxOutput: bucketDiffText.bound,
        encoding: 'latin1',
      })
      if (result.timedOut || result.overflowed) throwIssue(bucketIssues.BUCKET_DIFF_COST, {})
      if (result.status > 1) throwIssue(bucketIssues.BUCKET_DIFF_FAILED, { why: result.stderr.trim() })
      return Buffer.from(result.stdout, 'latin1')
    })
  }
}
