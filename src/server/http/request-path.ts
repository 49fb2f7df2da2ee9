import { bareRefusal } from './refusal.ts'

/**
 * The path of a URL, percent-decoded once, without doubled slashes: what authorization, routing and termini go by.
 * Throws 400 for what leaves its folder or cannot be decoded.
 */
export function requestPath(url: string): string {
  const end = url.search(/[?#]/)
  const raw = end === -1 ? url : url.slice(0, end)
  const path = decoded(raw).replace(/\/{2,}/g, '/')
  if (!path.startsWith('/') || /[\0-\x1f\x7f]/.test(path)) throw bareRefusal(400, 'Invalid path')
  if (path.split(/[/\\]/).some((segment) => segment === '.' || segment === '..'))
    throw bareRefusal(400, `Invalid relative path (.. or .) in: ${path}`)
  return path
}

/** The query of a URL, after its `?`. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    throw bareRefusal(400, 'Invalid path')
  }
}
