import { answerQuestions } from '../../base/threads/asked-thread.ts'
import { standBack } from '../../base/threads/thread-priority.ts'
import { catalogChange } from './catalog-change.ts'
import type { CompareAnswer, CompareQuestion } from './comparer.ts'
import { filePatch } from './file-patch.ts'

standBack('working')
answerQuestions(
  (question: CompareQuestion): CompareAnswer =>
    question.kind === 'catalogs'
      ? { kind: 'catalogs', change: catalogChange(question.from, question.to) }
      : { kind: 'files', patch: filePatch(question.from, question.to) },
)
