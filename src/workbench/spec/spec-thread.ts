import { appendFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'
import { createBridgeCaller, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import { installRubyRegexpEngine } from '../../ruby/regexp-engine.ts'
import { SpecCompiler, type SpecSettings } from './spec-compiler.ts'

/** Start data of a thread that compiles for a suite. */
export interface SpecThreadData {
  readonly settings: SpecSettings
  /** Calls blocks of the Ruby process. */
  readonly blocks: ThreadBridge
  /** Module whose reads are recorded, and the file for them. */
  readonly reads?: { readonly module: string; readonly file: string } | undefined
}

/** A call of a block: the connection of the Ruby process, the ID of the block, and the arguments. */
export interface BlockCall {
  readonly connection: number
  readonly block: number
  readonly args: Json
}

/** Value of a block, or the message of the error that it raised. */
export type BlockResult = { readonly value: Json } | { readonly error: string }

/** A request of a Ruby process, with the number of its connection. */
export interface SpecQuestion {
  readonly connection: number
  readonly text: string
}

const issues = defineIssues({
  BLOCK_FAILED: { text: (a: { message: string }) => a.message },
})

const { settings, blocks, reads } = workerData as SpecThreadData
const askRuby = createBridgeCaller<BlockCall, BlockResult>(blocks)
let current = 0
const known = new Set<string>()
const newReads: string[] = []

function takeRead(spec: string, path: string): void {
  const line = JSON.stringify([spec, path])
  if (known.has(line)) return
  known.add(line)
  newReads.push(`${line}\n`)
}

const compiler = new SpecCompiler(
  settings,
  {
    call(block, args) {
      const result = askRuby({ connection: current, block, args })
      return 'error' in result ? throwIssue(issues.BLOCK_FAILED, { message: result.error }) : result.value
    },
  },
  reads && { module: reads.module, take: takeRead },
)

installRubyRegexpEngine()
answerQuestions(({ connection, text }: SpecQuestion) => {
  current = connection
  const reply = compiler.answer(text)
  // Before the reply, so that the file is complete when the suite ends.
  if (reads && newReads.length > 0) appendFileSync(reads.file, newReads.splice(0).join(''))
  return Buffer.from(`${reply}\n`)
})
