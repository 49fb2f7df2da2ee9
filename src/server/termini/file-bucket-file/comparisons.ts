import { budgets } from '../../../base/budgets/budgets.ts'
import { fail } from '../../../base/issue.ts'
import type { Commands } from '../../../machine/system/system.ts'
import { bucketIssues } from './issues.ts'

const { bucketDiffs, bucketDiffFile, bucketDiffText, bucketDiffTime } = budgets.request

/** A file of the bucket on disk. */
export interface ContentFile {
  readonly path: string
  readonly size: number
}

/**
 * Compares files of the bucket as Puppet does, with the program `diff`: in a process of its own, which may take minutes
 * for lines chosen to that end, and so gets what nobody else needs, for a few seconds. Puppet: util/diff.rb.
 */
export class Comparisons {
  readonly #commands: Pick<Commands, 'run'>
  #underWay = 0

  constructor(commands: Pick<Commands, 'run'>) {
    this.#commands = commands
  }

  /** The output of `diff -u`. Throws BUCKET_BUSY, BUCKET_DIFF_…. */
  async compare(from: ContentFile, to: ContentFile): Promise<Uint8Array> {
    if (Math.max(from.size, to.size) > bucketDiffFile.bound) fail(bucketIssues.BUCKET_DIFF_SIZE, {})
    if (this.#underWay >= bucketDiffs.bound) fail(bucketIssues.BUCKET_BUSY, {})
    this.#underWay++
    try {
      const result = await this.#commands.run(['nice', '-n', '19', 'diff', '-u', from.path, to.path], {
        env: { LANG: 'C', LC_ALL: 'C' },
        timeout: bucketDiffTime.bound / 1000,
        maxOutput: bucketDiffText.bound,
        encoding: 'latin1',
      })
      if (result.timedOut || result.overflowed) fail(bucketIssues.BUCKET_DIFF_COST, {})
      if (result.status > 1) fail(bucketIssues.BUCKET_DIFF_FAILED, { why: result.stderr.trim() })
      return Buffer.from(result.stdout, 'latin1')
    } finally {
      this.#underWay--
    }
  }
}
