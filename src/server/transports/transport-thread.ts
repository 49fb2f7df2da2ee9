import { workerData } from 'node:worker_threads'
import { PuppetError } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import type { ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { lowerThreadPriority } from '../../base/threads/thread-priority.ts'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import { createSnapshotOpener, type EnvironmentSnapshot } from '../../code/environments/environment-snapshot.ts'
import { createBridgedBlobReader } from '../../code/environments/git/blob-bridge.ts'
import { VisibleTree } from '../../compiler/ruby/ruby-file-tree.ts'
import { listRubyTrees } from '../../compiler/ruby/ruby-view.ts'
import { createRubySandbox } from '../../ruby/ruby-sandbox.ts'
import { ownRuby } from '../../ruby/worker-share.ts'
import type { SchemaFile } from './schema-files.ts'

/** A message to the thread: an environment whose transports to read. */
export interface TransportQuestion {
  readonly snapshot: EnvironmentSnapshot
  readonly libFolders: readonly string[]
  readonly files: readonly SchemaFile[]
}

/** The schemas as a JSON list, or an error message. */
export type TransportAnswer = { readonly json: string } | { readonly error: string }

const { open } = createSnapshotOpener(createBridgedBlobReader(workerData as ThreadBridge))

lowerThreadPriority('working')
answerQuestions(readSchemas)

/** Uses a new interpreter, so that environments do not influence each other. */
function readSchemas({ snapshot, libFolders, files }: TransportQuestion): TransportAnswer {
  const environment = open(snapshot)
  const seen = listRubyTrees(environment).map((tree) => [tree.root.slice(1), new VisibleTree(tree)] as const)
  const machine = createRubySandbox(ownRuby.image(), Object.fromEntries(seen), environment.tree.time)
  const words = [environment.name, JSON.stringify(libFolders), JSON.stringify(files)]
  try {
    return { json: String(machine.call('transport_schemas', words, rejectCall)) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { error: error.diagnostic.message }
  }
}

/** Handles calls from Ruby: discards output and rejects all other calls. */
function rejectCall(question: string): Json {
  if (question === 'print' || question === 'noted' || question === 'quiet') return null
  throw new Error(`a transport schema cannot use ${question}`)
}
