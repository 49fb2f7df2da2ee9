import { workerData } from 'node:worker_threads'
import type { ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import { createBridgedBlobReader } from '../../code/environments/git/blob-bridge.ts'
import { checkManifests } from './manifest-checks.ts'

const { read } = createBridgedBlobReader(workerData as ThreadBridge)
answerQuestions((question: Parameters<typeof checkManifests>[0]) => checkManifests(question, read))
