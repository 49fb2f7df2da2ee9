import type { HttpRequest } from '../../network/client/http-client.ts'
import type { QueryRequest } from '../query/execution.ts'
import { findRoute } from '../query/routes.ts'

/** An HTTP request that sends a query to PuppetDB. */
export interface QueryHttpRequest extends HttpRequest {
  /** Path and query. */
  readonly path: string
}

const root = '/pdb/query/v4'

/**
 * Builds the request for a query; `undefined` if the query's path does not exist. Only known paths
 * are accepted, so that no path leads out of `/pdb/query/v4`, however a server interprets dots and
 * slashes.
 */
export function buildQueryRequest({ method, path, search, body }: QueryRequest): QueryHttpRequest | undefined {
  const segments = decodePath(path)
  if (!segments || !findRoute(segments) || segments.some(isParentSegment)) return undefined
  const place = [root, ...segments.map(encodeURIComponent)].join('/')
  const json = { accept: 'application/json' }
  if (method === 'GET') return { path: search === '' ? place : `${place}?${search}`, headers: json }
  const headers = { ...json, 'content-type': 'application/json; charset=UTF-8' }
  return { path: place, method, headers, body: Buffer.from(body ?? '') }
}

function decodePath(path: string): readonly string[] | undefined {
  try {
    return path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** True for a path segment that a server may interpret as `..`. */
function isParentSegment(segment: string): boolean {
  return segment.split(/[/\\]/).some((part) => ['.', '..'].includes(part.replace(/;.*/s, '')))
}
