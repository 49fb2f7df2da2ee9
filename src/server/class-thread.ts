import { parentPort } from 'node:worker_threads'
import { standBack } from '../base/thread-priority.ts'
import { manifestClasses, unreadable } from './manifest-classes.ts'

/** A manifest that a ClassReader hands to its thread. */
export interface ClassQuestion {
  readonly id: number
  readonly path: string
  readonly text: string
}

/** What its thread answers: what is said of the manifest, as JSON. */
export interface ClassAnswer {
  readonly id: number
  readonly said: string
}

standBack('working')

// The thread of a ClassReader: parses what was pushed, however long that takes.
parentPort!.on('message', ({ id, path, text }: ClassQuestion) => {
  parentPort!.postMessage({ id, said: saidOf(path, text) } satisfies ClassAnswer)
})

function saidOf(path: string, text: string): string {
  try {
    return manifestClasses(path, text)
  } catch (error) {
    return unreadable(path, (error as Error).message)
  }
}
