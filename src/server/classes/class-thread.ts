import { answerQuestions } from '../../base/threads/asked-thread.ts'
import { standBack } from '../../base/threads/thread-priority.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { manifestClasses, unreadable } from './manifest-classes.ts'

/** A manifest that a ClassReader hands to its thread. */
export interface ClassQuestion {
  readonly path: string
  readonly text: string
}

standBack('working')

// The thread of a ClassReader: parses what was pushed, however long that takes. It answers what is said of it, as JSON.
answerQuestions(({ path, text }: ClassQuestion): string => {
  try {
    return manifestClasses(path, text)
  } catch (error) {
    return unreadable(path, errorText(error))
  }
})
