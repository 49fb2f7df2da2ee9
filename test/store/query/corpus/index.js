// The corpus: all questions, each once.
import { entityQuestions } from './by-entity.js'
import { reportQuestions } from './by-report.js'
import { clientQuestions } from './clients.js'
import { operatorQuestions } from './operators.js'
import { pagingQuestions } from './paging.js'
import { parameterQuestions } from './parameters.js'
import { routeQuestions } from './routes.js'
import { subqueryQuestions } from './subqueries.js'
import { wrongQuestions } from './wrong.js'

/** The identity of a question. */
export const keyOf = ({ method, path, body = '' }) => `${method} ${path} ${body}`

/** @returns {readonly import('./request.js').Question[]} */
export function corpus() {
  const questions = [
    ...operatorQuestions(),
    ...entityQuestions(),
    ...reportQuestions(),
    ...routeQuestions(),
    ...pagingQuestions(),
    ...subqueryQuestions(),
    ...clientQuestions(),
    ...wrongQuestions(),
    ...parameterQuestions(),
  ]
  return [...new Map(questions.map((question) => [keyOf(question), question])).values()]
}
