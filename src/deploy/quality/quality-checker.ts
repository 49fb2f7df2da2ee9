import { budgets } from '../../base/budgets/budgets.ts'
import { resolveScriptPath } from '../../base/program/script-path.ts'
import { WorkerThread } from '../../base/threads/worker-thread.ts'
import { openBlobBridge } from '../../code/environments/git/blob-bridge.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import type { QualityAnswer, QualityQuestion } from './quality-answer.ts'

/** Milliseconds for the manifest that is being checked when the time of all is over. */
const lastManifestMs = 60_000

/** Starts the thread that checks manifests. Its memory is limited, and nothing in a manifest stops this process. */
export function openQualityThread(source: GitObjectSource): WorkerThread<QualityQuestion, QualityAnswer> {
  return new WorkerThread({
    script: resolveScriptPath(new URL('./quality-thread.js', import.meta.url)),
    stackSizeMb: 48,
    heapMb: 2048,
    timeMs: budgets.push.qualityTime.bound + lastManifestMs,
    data() {
      const blobs = openBlobBridge(source)
      return { workerData: blobs, transferList: [blobs.port] }
    },
  })
}
