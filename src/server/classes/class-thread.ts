import { answerQuestions } from '../../base/threads/asked-thread.ts'
import { standBack } from '../../base/threads/thread-priority.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { manifestClasses, unreadable } from './manifest-classes.ts'

/** A message to the thread: a manifest to parse. */
export interface ClassQuestion {
  readonly path: string
  readonly text: string
}

standBack('working')

// Thread of a ClassReader: parses a manifest and returns its entry as JSON.
answerQuestions(({ path, text }: ClassQuestion): string => {
  try {
    return manifestClasses(path, text)
  } catch (error) {
    return unreadable(path, errorText(error))
  }
})
