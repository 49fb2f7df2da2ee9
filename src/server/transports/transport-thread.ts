import { workerData } from 'node:worker_threads'
import { PuppetError } from '../../base/issue.ts'
import type { Json } from '../../base/json/wire.ts'
import { answerQuestions } from '../../base/threads/asked-thread.ts'
import type { ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { standBack } from '../../base/threads/thread-priority.ts'
import { type EnvironmentSnapshot, snapshotOpener } from '../../code/environments/environment-snapshot.ts'
import { readThrough } from '../../code/environments/git/blob-bridge.ts'
import { treesOf } from '../../compiler/ruby/seen-by-ruby.ts'
import { VisibleTree } from '../../compiler/ruby/visible-tree.ts'
import { RubyMachine } from '../../ruby/machine.ts'
import { ownRuby } from '../../ruby/ruby-share.ts'
import type { SchemaFile } from './schema-files.ts'

/** A message to the thread: an environment whose transports to read. */
export interface TransportQuestion {
  readonly snapshot: EnvironmentSnapshot
  readonly libFolders: readonly string[]
  readonly files: readonly SchemaFile[]
}

/** The schemas as a JSON list, or an error message. */
export type TransportAnswer = { readonly json: string } | { readonly error: string }

const { open } = snapshotOpener(readThrough(workerData as ThreadBridge))

standBack('working')
answerQuestions(schemasOf)

/** Uses a new interpreter, so that environments do not influence each other. */
function schemasOf({ snapshot, libFolders, files }: TransportQuestion): TransportAnswer {
  const environment = open(snapshot)
  const seen = treesOf(environment).map((tree) => [tree.root.slice(1), new VisibleTree(tree)] as const)
  const machine = new RubyMachine(ownRuby.image(), Object.fromEntries(seen), environment.tree.time)
  const words = [environment.name, JSON.stringify(libFolders), JSON.stringify(files)]
  try {
    return { json: String(machine.call('transport_schemas', words, refuse)) }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { error: error.diagnostic.message }
  }
}

/** Handles calls from Ruby: discards output and rejects all other calls. */
function refuse(question: string): Json {
  if (question === 'print' || question === 'noted' || question === 'quiet') return null
  throw new Error(`a schema of a transport asks nobody (${question})`)
}
