import { createBareRefusal } from './refusal.ts'

/**
 * Path of a URL, percent-decoded once, without repeated slashes; used for authorization, routing
 * and termini. Throws 400 if the path contains `.` or `..` or cannot be decoded.
 */
export function parseRequestPath(url: string): string {
  const end = url.search(/[?#]/)
  const raw = end === -1 ? url : url.slice(0, end)
  const path = decodePath(raw).replace(/\/{2,}/g, '/')
  if (!path.startsWith('/') || /[\0-\x1f\x7f]/.test(path)) throw createBareRefusal(400, 'Invalid path')
  if (path.split(/[/\\]/).some((segment) => segment === '.' || segment === '..'))
    throw createBareRefusal(400, `Invalid relative path (.. or .) in: ${path}`)
  return path
}

/** Query string of a URL, without the `?`. */
export function getQueryString(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

function decodePath(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    throw createBareRefusal(400, 'Invalid path')
  }
}
