import { packError } from '../../base/threads/packed-error.ts'
import { lowerThreadPriority } from '../../base/threads/thread-priority.ts'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import { readings } from './body-parsers.ts'
import type { ReadAnswer, ReadQuestion } from './body-reader.ts'

lowerThreadPriority('working')

// Thread of a BodyReader: parses bodies that would block the event loop.
answerQuestions(({ name, blocks, argument }: ReadQuestion): ReadAnswer => {
  try {
    const text = joinBlocks(blocks)
    return { value: readings[name](text, argument), text }
  } catch (error) {
    return { error: packError(error) }
  }
})

/** Joins blocks in shared memory, so that the reply does not copy the bytes. */
function joinBlocks(blocks: readonly Uint8Array[]): Uint8Array {
  const text = new Uint8Array(new SharedArrayBuffer(blocks.reduce((size, { length }) => size + length, 0)))
  let at = 0
  for (const block of blocks) {
    text.set(block, at)
    at += block.length
  }
  return text
}
