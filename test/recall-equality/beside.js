import { hash } from 'node:crypto'
import { join } from 'node:path'
import { Recall } from '#built/compiler/recall/catalog-recall.js'
import { createAnswerContext, recallQuestions } from '#built/compiler/recall/recall-questions.js'
import { readTrace } from '#built/compiler/recall/trace-file.js'
import { computeTraceKey } from '#built/compiler/recall/trace-key.js'
import { makeCatalog } from '#built/compiler/workers/catalog-compilation.js'
import { recallOrCompile } from '#built/compiler/workers/catalog-recall.js'
import { shortenAnswer } from '#built/ruby/trace/trace-step.js'
import { ownRuby } from '#built/ruby/worker-share.js'

const version = 'equality'
const key = new Uint8Array(32)
const remembering = { share: ownRuby, answers: undefined }
/** Nothing that Ruby said is remembered. */
const forgetting = { ...remembering, share: { ...ownRuby, checkCallsEvery: undefined } }

/**
 * A node's catalog as a server with traces gives it, beside the one that is compiled with nothing remembered.
 *
 * @typedef {{ readonly kind: string, readonly args: readonly unknown[] }} Changed A question that is answered otherwise.
 * @typedef {object} Outcome
 * @property {'recalled' | 'changed' | 'in vain' | 'first' | 'failed'} origin
 * @property {readonly [recalled: string, compiled: string] | undefined} differs
 * @property {readonly Changed[]} changed For a catalog that was compiled in vain, why.
 * @property {object | undefined} made
 */
export class Beside {
  #folder
  #recall
  /** Of the catalog that a node's trace is of: a digest of it, without what the commit alone decides. */
  #kept = new Map()

  constructor(folder) {
    this.#folder = folder
    this.#recall = new Recall({ folder, checkEvery: 0, key, version })
  }

  /** @returns {Outcome} */
  compare(request, sending) {
    const wish = { format: 'rich', sending }
    const { name } = request.node
    const known = this.#recall.find(request)
    const before = known ? undefined : this.traceOf(request)
    const answered = said(() => recallOrCompile(request, wish, remembering, this.#recall))
    const fresh = said(() => makeCatalog(request, wish, forgetting).catalog)
    const { made } = answered
    const isSame = answered.text === fresh.text
    const differs = isSame ? undefined : [answered.text, fresh.text]
    const done = (origin, changed = []) => ({
      origin,
      differs,
      changed,
      made: fresh.made,
      why: fresh.made ? undefined : fresh.text,
    })
    if (!fresh.made) return done(made?.origin === 'recalled' ? 'recalled' : 'failed')
    const bare = hash('sha256', withoutCommit(fresh.text), 'base64')
    const former = this.#kept.get(name)
    this.#kept.set(name, bare)
    if (made?.origin === 'recalled') return done('recalled')
    if (former === undefined) return done('first')
    if (former !== bare) return done('changed')
    return done('in vain', before ? changedSince(before, request) : [{ kind: 'no trace', args: [] }])
  }

  /** All that a node's last compilation asked. */
  traceOf({ environment, node: { name } }) {
    return readTrace(join(this.#folder, environment.name, `${name}.trace`), key)
  }
}

/** A catalog with all that comes of it in text, or why there is none. */
function said(work) {
  try {
    const made = work()
    const { body, logs, exports, collects, asked, commands } = made
    const stored = commands && [commands.catalog, commands.inputs].map((each) => each && Buffer.from(each).toString())
    return { made, text: `${Buffer.from(body)}\n${JSON.stringify({ logs, exports, collects, asked, stored })}` }
  } catch (error) {
    // Addresses of objects are others each time.
    return { made: undefined, text: `! ${error.message.replaceAll(/0x[0-9a-f]+/g, '0x')}` }
  }
}

/** The questions of a compilation that have another answer now. */
function changedSince({ key: former, own, code }, request) {
  const now = computeTraceKey(request, version)
  if (former !== now) return [{ kind: 'key', args: [] }]
  const wanted = createAnswerContext(request)
  return [...own, ...code]
    .filter(({ question: { kind, args }, answer }) => {
      const given = recallQuestions[kind].answer(wanted, args)
      return given === undefined || shortenAnswer(given) !== answer
    })
    .map(({ question }) => question)
}

function withoutCommit(text) {
  return text
    .replace(/\\?"version\\?":\\?"?\d+\\?"?,\\?"code_id\\?":\\?"\w+\\?",\\?"catalog_uuid\\?":\\?"[\w-]+\\?"/g, '')
    .replaceAll(/\{ctime\}[^"]*/g, '')
}
