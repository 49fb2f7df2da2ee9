import { lowerThreadPriority } from '../../base/threads/thread-priority.ts'
import { answerQuestions } from '../../base/threads/worker-thread.ts'
import { computeCatalogChange } from './catalog-change.ts'
import type { CompareAnswer, CompareQuestion } from './comparer.ts'
import { formatFilePatch } from './file-patch.ts'

lowerThreadPriority('working')
answerQuestions(
  (question: CompareQuestion): CompareAnswer =>
    question.kind === 'catalogs'
      ? { kind: 'catalogs', change: computeCatalogChange(question.from, question.to) }
      : { kind: 'files', patch: formatFilePatch(question.from, question.to) },
)
