import { throwIssue } from '../base/issue.ts'
import { resolveScriptPath } from '../base/program/script-path.ts'
import { type NoAnswerError, WorkerThread } from '../base/threads/worker-thread.ts'
import type { GitTreeSnapshot } from '../code/environments/environment-snapshot.ts'
import { openBlobBridge } from '../code/environments/git/blob-bridge.ts'
import { getLoadLimits } from '../code/environments/git/load-limits.ts'
import { environmentIssues } from '../code/environments/issues.ts'
import type { GitObjectSource } from '../code/git/git-object-source.ts'
import type { Settings } from '../machine/settings/settings.ts'
import type { CheckAnswer, CheckQuestion, CheckThreadData } from './code-check-thread.ts'

/**
 * Milliseconds without a check after which the thread ends, to free the memory of its Ruby
 * interpreter. Pushes are rare.
 */
const idleMs = 60_000

/** Checks code before the server serves it, on a separate thread. A hook performs the same check on a push. */
export class CodeChecker {
  readonly #thread: WorkerThread<CheckQuestion, CheckAnswer>

  constructor(source: GitObjectSource, settings: Settings) {
    this.#thread = new WorkerThread({
      script: resolveScriptPath(new URL('./code-check-thread.js', import.meta.url)),
      stackSizeMb: 48,
      heapMb: 2048,
      timeMs: getLoadLimits(settings).timeMs,
      idleMs,
      data() {
        const blobs = openBlobBridge(source)
        return { workerData: { settings, blobs } satisfies CheckThreadData, transferList: [blobs.port] }
      },
    })
  }

  /**
   * Checks the files of `code` that differ from `served`. Throws CODE_BROKEN for errors in the files, and NOT_CHECKED.
   */
  async check(code: GitTreeSnapshot, served: GitTreeSnapshot | undefined): Promise<void> {
    const found = await this.#thread.ask({ code, served }).catch(({ reason, message }: NoAnswerError) => {
      const why = reason === 'time' ? `it ${message}` : message
      return throwIssue(environmentIssues.NOT_CHECKED, { commit: code.commit, why })
    })
    if (found) throwIssue(environmentIssues.CODE_BROKEN, found)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
