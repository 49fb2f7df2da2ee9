import { lowerThreadPriority } from '../../base/threads/thread-priority.ts'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { formatManifestClasses, formatManifestError } from './manifest-classes.ts'

/** A message to the thread: a manifest to parse. */
export interface ClassQuestion {
  readonly path: string
  readonly text: string
}

lowerThreadPriority('working')

// Thread of a ClassReader: parses a manifest and returns its entry as JSON.
answerQuestions(({ path, text }: ClassQuestion): string => {
  try {
    return formatManifestClasses(path, text)
  } catch (error) {
    return formatManifestError(path, formatError(error))
  }
})
