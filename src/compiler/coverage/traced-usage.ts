import { join } from 'node:path'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { catalogFromWire } from '../../model/catalog-wire.ts'
import { buildCommittedCatalog } from '../../model/commit-values.ts'
import { areAnswersUnchanged } from '../recall/answer-cache.ts'
import type { RecallOptions } from '../recall/catalog-recall.ts'
import { createAnswerContext } from '../recall/recall-questions.ts'
import { readTrace } from '../recall/trace-file.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import type { NodeUse } from './coverage.ts'
import { computeNodeUse } from './node-usage.ts'

/**
 * Returns the use of code by a node's last catalog, from its trace. Returns `undefined` if there is no trace, or if the
 * code it read has changed.
 */
export function readNodeUse(
  { folder, key }: Pick<RecallOptions, 'folder' | 'key'>,
  request: CompileRequest,
): NodeUse | undefined {
  const { environment, node } = request
  if (!/^[\w.-]+$/.test(node.name)) return undefined
  const trace = readTrace(join(folder, environment.name, `${node.name}.trace`), key)
  if (!trace) return undefined
  if (!areAnswersUnchanged(trace.code, [createAnswerContext(request)])) return undefined
  const { bytes } = buildCommittedCatalog(trace.catalog.text, { version: 0, codeId: undefined, time: '' })
  const catalog = catalogFromWire(parseJson(Buffer.from(bytes).toString()) as ExactJson)
  return computeNodeUse(
    catalog,
    [...trace.own, ...trace.code].map(({ question }) => [question.kind, question.args as readonly string[]]),
  )
}
