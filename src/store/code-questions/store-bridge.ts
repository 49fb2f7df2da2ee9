import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, isIssue, throwIssue } from '../../base/issue.ts'
import { createBridgeCaller, openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import type { NodeStore } from '../node-store.ts'
import { queryIssues } from '../query/issues.ts'
import { codeQueryIssues } from './issues.ts'

/** A store for queries only. */
export type QueryableStore = Pick<NodeStore, 'ask'>

/**
 * Runs a query, given as the body of a `POST /pdb/query/v4` request, and returns the text of the
 * response. Throws PuppetDB's error message.
 */
export type RunStoreQuery = (question: string) => string

type Request =
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'stop'; readonly id: number }

/** A part of a response, and the number with which to request the next part, if there is one. */
interface Piece {
  readonly text: string
  readonly more: number | undefined
}

interface RunningQuery {
  readonly pieces: AsyncIterator<string>
  /** Rejects when the time limit is reached. */
  readonly late: Promise<never>
  end(): void
}

/** Number of characters per message, limited so that copying a message does not block a thread for long. */
const pieceCharacters = 512 * 1024

/**
 * Runs the queries that a worker's Puppet code makes, on this thread. Each query must finish within
 * `timeMs` milliseconds.
 */
export function openStoreBridge(
  store: QueryableStore,
  timeMs: number = budgets.environment.storeQuestionTime.bound,
): ThreadBridge {
  const slow = { seconds: timeMs / 1000 }
  const answering = new Map<number, RunningQuery>()
  let last = 0
  return openThreadBridge(async (request: Request): Promise<Piece> => {
    if (request.kind === 'ask') {
      const id = ++last
      answering.set(
        id,
        startQuery(store, request.question, timeMs, () => answering.delete(id)),
      )
      return readNextPiece(id, answering.get(id)!)
    }
    const found = answering.get(request.id)
    if (request.kind === 'next' && found) return readNextPiece(request.id, found)
    found?.end()
    // The time limit was reached between two pieces.
    return request.kind === 'next' ? throwIssue(codeQueryIssues.STORE_TOO_SLOW, slow) : { text: '', more: undefined }
  })
}

/**
 * Queries the store through another thread, and blocks this thread until the complete response has
 * arrived. Throws STORE_ANSWER_TOO_LONG.
 */
export function createBlockingQuery(bridge: ThreadBridge): RunStoreQuery {
  const ask = createBridgeCaller<Request, Piece>(bridge)
  const most = budgets.environment.storeAnswer.bound
  return (question) => {
    let piece = ask({ kind: 'ask', question })
    let whole = piece.text
    while (piece.more !== undefined && whole.length <= most) {
      piece = ask({ kind: 'next', id: piece.more })
      whole += piece.text
    }
    if (piece.more !== undefined) ask({ kind: 'stop', id: piece.more })
    return whole.length > most ? throwIssue(codeQueryIssues.STORE_ANSWER_TOO_LONG, { most }) : whole
  }
}

function startQuery(store: QueryableStore, question: string, timeMs: number, ended: () => void): RunningQuery {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, over) => {
    const end = () => {
      over(createPuppetError(codeQueryIssues.STORE_TOO_SLOW, { seconds: timeMs / 1000 }))
      answering.end()
    }
    timer = setTimeout(end, timeMs)
  })
  late.catch(() => {})
  const pieces = streamPieces(store, question)
  const answering: RunningQuery = {
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

async function* streamPieces(store: QueryableStore, body: string): AsyncGenerator<string> {
  try {
    const answer = await store.ask({ method: 'POST', path: '', search: '', body })
    if (answer) yield* answer.pieces
  } catch (error) {
    if (!isIssue(error, queryIssues.INVALID_QUERY)) throw error
    yield error.diagnostic.message
  }
}

async function readNextPiece(id: number, answering: RunningQuery): Promise<Piece> {
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
