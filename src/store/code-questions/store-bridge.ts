import { budgets } from '../../base/budgets/budgets.ts'
import { errorOf, fail, isIssue } from '../../base/issue.ts'
import { askThrough, openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import type { NodeStore } from '../node-store.ts'
import { queryIssues } from '../query/issues.ts'
import { issues } from './issues.ts'

/** A store that is asked, and told nothing. */
export type AskedStore = Pick<NodeStore, 'ask'>

/** The text of an answer to a question, the body of a `POST /pdb/query/v4`; or what is wrong with it, in PuppetDB's words. */
export type AskStore = (question: string) => string

type Request =
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'stop'; readonly id: number }

/** A piece of an answer, and the number by which the next one is asked for, if there is more. */
interface Piece {
  readonly text: string
  readonly more: number | undefined
}

interface Answering {
  readonly pieces: AsyncIterator<string>
  /** Rejects when the time is over. */
  readonly late: Promise<never>
  end(): void
}

/** A piece crosses at once, so that neither thread stands still for a long copy, in characters. */
const pieceCharacters = 512 * 1024

/** Answers, on this thread, the questions of a worker's code; each within `timeMs`. */
export function openStoreBridge(
  store: AskedStore,
  timeMs: number = budgets.environment.storeQuestionTime.bound,
): ThreadBridge {
  const slow = { seconds: timeMs / 1000 }
  const answering = new Map<number, Answering>()
  let last = 0
  return openThreadBridge(async (request: Request): Promise<Piece> => {
    if (request.kind === 'ask') {
      const id = ++last
      answering.set(
        id,
        begin(store, request.question, timeMs, () => answering.delete(id)),
      )
      return nextPiece(id, answering.get(id)!)
    }
    const found = answering.get(request.id)
    if (request.kind === 'next' && found) return nextPiece(request.id, found)
    found?.end()
    // Its time was over between two pieces.
    return request.kind === 'next' ? fail(issues.STORE_TOO_SLOW, slow) : { text: '', more: undefined }
  })
}

/** Asks the store of another thread; this one stands still until it has the whole answer. Throws STORE_ANSWER_TOO_LONG. */
export function askStoreThrough(bridge: ThreadBridge): AskStore {
  const ask = askThrough<Request, Piece>(bridge)
  const most = budgets.environment.storeAnswer.bound
  return (question) => {
    let piece = ask({ kind: 'ask', question })
    let whole = piece.text
    while (piece.more !== undefined && whole.length <= most) {
      piece = ask({ kind: 'next', id: piece.more })
      whole += piece.text
    }
    if (piece.more !== undefined) ask({ kind: 'stop', id: piece.more })
    return whole.length > most ? fail(issues.STORE_ANSWER_TOO_LONG, { most }) : whole
  }
}

function begin(store: AskedStore, question: string, timeMs: number, ended: () => void): Answering {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, over) => {
    const end = () => {
      over(errorOf(issues.STORE_TOO_SLOW, { seconds: timeMs / 1000 }))
      answering.end()
    }
    timer = setTimeout(end, timeMs)
  })
  late.catch(() => {})
  const pieces = piecesOf(store, question)
  const answering: Answering = {
    pieces,
    late,
    end() {
      clearTimeout(timer)
      ended()
      void pieces.return?.(undefined).catch(() => {})
    },
  }
  return answering
}

async function* piecesOf(store: AskedStore, body: string): AsyncGenerator<string> {
  try {
    const answer = await store.ask({ method: 'POST', path: '', search: '', body })
    if (answer) yield* answer.pieces
  } catch (error) {
    if (!isIssue(error, queryIssues.INVALID_QUERY)) throw error
    yield error.diagnostic.message
  }
}

async function nextPiece(id: number, answering: Answering): Promise<Piece> {
  const { pieces, late, end } = answering
  let text = ''
  try {
    while (text.length < pieceCharacters) {
      const next = await Promise.race([pieces.next(), late])
      if (next.done) {
        end()
        return { text, more: undefined }
      }
      text += next.value
    }
    return { text, more: id }
  } catch (error) {
    end()
    throw error
  }
}
