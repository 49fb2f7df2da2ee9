import type { HttpRequest } from '../../network/client/http-client.ts'
import type { Question } from '../query/answer.ts'
import { routeOf } from '../query/routes.ts'

/** A question as a PuppetDB is asked it. */
export interface QuestionRequest extends HttpRequest {
  /** Path and query. */
  readonly path: string
}

const root = '/pdb/query/v4'

/**
 * The request for a question; `undefined` where nothing has its address. Only addresses of queries are made: none of them
 * leads out of `/pdb/query/v4`, however a server reads dots and slashes.
 */
export function questionRequest({ method, path, search, body }: Question): QuestionRequest | undefined {
  const segments = decoded(path)
  if (!segments || !routeOf(segments) || segments.some(climbs)) return undefined
  const place = [root, ...segments.map(encodeURIComponent)].join('/')
  const json = { accept: 'application/json' }
  if (method === 'GET') return { path: search === '' ? place : `${place}?${search}`, headers: json }
  const headers = { ...json, 'content-type': 'application/json; charset=UTF-8' }
  return { path: place, method, headers, body: Buffer.from(body ?? '') }
}

function decoded(path: string): readonly string[] | undefined {
  try {
    return path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** True of a name in which a server may see a step upwards. */
function climbs(segment: string): boolean {
  return segment.split(/[/\\]/).some((part) => ['.', '..'].includes(part.replace(/;.*/s, '')))
}
